import { z } from 'zod';
import { dog, type Dog } from '../dogs/contract.ts';
import { hasDetails, writeDetails, type DogEntry } from '../dogs/document.ts';
import { DOG_NAME_MAX, DOGS_READ_MAX } from '../dogs/rules.ts';
import { ABOUT_MAX, DISPLAY_NAME_MAX } from '../profile/rules.ts';
import { dayTime } from '../rounded-time.ts';
import { readText, text, type Text } from '../text.ts';

/**
 * The copy of a user's card that one friend reads; that friend owns it. The sync server keeps it up to date. It begins
 * with the friendship and has no changes by devices, so its history reveals nothing older (decision 235). `readCard`
 * reads it.
 */
export interface FriendCardDocument {
  kind: Text;
  /** Whose card it shows. */
  user_id: Text;
  display_name: Text;
  join_date: Text;
  image_key?: Text | null;
  about?: Text | null;
  dogs: Record<string, DogEntry>;
}

const published = z.object({
  display_name: z.string().max(DISPLAY_NAME_MAX),
  join_date: z.string().max(40),
  image_key: z.string().max(100).nullish(),
  about: z.string().max(ABOUT_MAX).nullish(),
  dogs: z
    .array(dog.extend({ name: z.string().max(DOG_NAME_MAX), created_at: z.string().max(40) }))
    .max(DOGS_READ_MAX),
});
/** The fields of a card that friends see. */
export type PublishedCard = z.output<typeof published>;

const dayOfText = (time: string): string =>
  Number.isNaN(Date.parse(time)) ? '' : dayTime(new Date(time));

/** A card with days in place of times, which its owner's device wrote: as others see it. */
export const withDays = <Card extends PublishedCard>(card: Card): Card => ({
  ...card,
  join_date: dayOfText(card.join_date),
  dogs: card.dogs.map((shown) => ({ ...shown, created_at: dayOfText(shown.created_at) })),
});

function entryOf(shown: Dog): DogEntry {
  const entry: DogEntry = {
    name: text(shown.name),
    sound_type: text(shown.sound_type),
    image_key: shown.image_key === null ? null : text(shown.image_key),
    created_at: text(shown.created_at),
  };
  writeDetails(entry, shown);
  return entry;
}

const isSame = (entry: DogEntry, shown: Dog): boolean =>
  (['name', 'sound_type', 'image_key', 'created_at'] as const).every(
    (field) => readText(entry[field], Infinity) === shown[field],
  ) && hasDetails(entry, shown);

/** Whose card a friend card shows, and how that card is now. */
export interface FriendCardSubject {
  user_id: string;
  card: PublishedCard;
}

/** A friend card as it begins. @param subject only friend cards have one */
export function firstFriendCard(
  _ownerUserId: string,
  _createdAt: string,
  _place: unknown,
  subject: FriendCardSubject | undefined,
): FriendCardDocument {
  if (!subject) throw new Error('a friend card needs a subject');
  const { user_id, card } = subject;
  return {
    kind: text('friend_card'),
    user_id: text(user_id),
    display_name: text(card.display_name),
    join_date: text(card.join_date),
    ...(card.image_key && { image_key: text(card.image_key) }),
    ...(card.about && { about: text(card.about) }),
    dogs: Object.fromEntries(card.dogs.map((shown) => [shown.id, entryOf(shown)])),
  };
}

/** Named changes of a friend card. */
export const friendCardChanges = {
  /** Brings it in line with the card. Writes only what differs, and nothing where nothing does. */
  'card.publish': {
    input: published,
    /** @param read returns the document without a draft's costs: most of it does not change */
    apply(here: FriendCardDocument, card: PublishedCard, read = (): unknown => here) {
      const before = read() as FriendCardDocument;
      for (const field of ['display_name', 'join_date'] as const)
        if (readText(before[field], Infinity) !== card[field]) here[field] = text(card[field]);
      for (const field of ['image_key', 'about'] as const) {
        const value = card[field] ?? null;
        if (readText(before[field], Infinity) !== value)
          here[field] = value === null ? null : text(value);
      }
      const shown = new Set(card.dogs.map(({ id }) => id));
      for (const id of Object.keys(before.dogs)) if (!shown.has(id)) delete here.dogs[id];
      for (const each of card.dogs) {
        const entry = before.dogs[each.id];
        if (!entry || !isSame(entry, each)) here.dogs[each.id] = entryOf(each);
      }
    },
  },
};
