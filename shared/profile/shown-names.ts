import type { CardRow } from '../server/collections.ts';

/** Shown to others in place of a name that the word rules or a moderator hid, or that is reserved. */
export const NEUTRAL_NAME = 'Dog owner';
const NEUTRAL_DOG_NAME = 'Dog';

type Names = Pick<CardRow, 'hidden_names' | 'display_name'>;

/** A display name as others see it. */
export const shownName = ({ display_name, hidden_names = [] }: Names): string =>
  hidden_names.includes(display_name) ? NEUTRAL_NAME : display_name;

/** A card as others see it: hidden names are replaced, and hidden breeds and lines about owners left out. */
export function shownCard<
  C extends Names & {
    about?: string | null | undefined;
    dogs: readonly { name: string; breed?: string | null }[];
  },
>(card: C): C {
  const { hidden_names } = card;
  if (!hidden_names || hidden_names.length === 0) return card;
  return {
    ...card,
    display_name: shownName(card),
    ...(hidden_names.includes(card.about ?? '') && { about: null }),
    dogs: card.dogs.map((dog) => ({
      ...dog,
      ...(hidden_names.includes(dog.name) && { name: NEUTRAL_DOG_NAME }),
      ...(hidden_names.includes(dog.breed ?? '') && { breed: null }),
    })),
  };
}
