import { z } from 'zod';
import type { Dog } from '../dogs/contract.ts';
import { readDogs, type CardDogs } from '../dogs/document.ts';
import { plainName } from '../invisible-characters.ts';
import { readText, text, type Text } from '../text.ts';
import { aboutFields, nameFields, type AboutFields, type NameFields } from './contract.ts';
import { ABOUT_MAX, DISPLAY_NAME_MAX } from './rules.ts';

/**
 * The card of a user, with the data that others may see. The user's devices write it, and no one else reads it: friends
 * read a copy by the sync server (../friends/friend-card.ts).
 */
export interface CardDocument extends CardDogs {
  kind: Text;
  user_id: Text;
  /** Empty until onboarding is done; then there is a profile. */
  display_name: Text;
  join_date: Text;
  /** The owner's photo and the line about them; missing until they are added. */
  image_key?: Text | null;
  about?: Text | null;
}

export interface Card {
  display_name: string;
  join_date: string;
  /** Rows and answers from before they existed do not have them. */
  image_key?: string | null | undefined;
  about?: string | null | undefined;
  dogs: Dog[];
}

/** @param joinDate ISO 8601 */
export function initialCard(userId: string, joinDate: string): CardDocument {
  return {
    kind: text('card'),
    user_id: text(userId),
    display_name: text(''),
    join_date: text(joinDate),
    dogs: {},
  };
}

/**
 * Reads a card without its invalid parts.
 * @param doc an Automerge document or its plain value, also of a friend card; untrusted
 */
export function readCard(doc: unknown): Card {
  const raw = (doc ?? {}) as Partial<CardDocument>;
  return {
    display_name: plainName(readText(raw.display_name, DISPLAY_NAME_MAX) ?? ''),
    join_date: readText(raw.join_date, 40) ?? '',
    image_key: readText(raw.image_key, 100),
    about: plainName(readText(raw.about, ABOUT_MAX) ?? '') || null,
    dogs: readDogs(raw.dogs),
  };
}

const imageKey = z.object({ image_key: z.string().max(100).nullable() });

/** Named changes of the card's own fields. */
export const profileChanges = {
  'profile.save': {
    input: nameFields,
    apply(card: CardDocument, fields: NameFields) {
      if (readText(card.display_name, Infinity) !== fields.display_name)
        card.display_name = text(fields.display_name);
    },
  },
  'profile.about': {
    input: aboutFields,
    apply(card: CardDocument, { about }: AboutFields) {
      if (readText(card.about, Infinity) !== about)
        card.about = about === null ? null : text(about);
    },
  },
  'profile.image': {
    input: imageKey,
    apply(card: CardDocument, { image_key }: z.output<typeof imageKey>) {
      card.image_key = image_key === null ? null : text(image_key);
    },
  },
};
