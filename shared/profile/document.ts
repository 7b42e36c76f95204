import { readDogs, type DogEntry } from '../dogs/document.ts';
import type { Dog } from '../dogs/contract.ts';
import { readText, text, type Text } from '../text.ts';
import { DISPLAY_NAME_MAX, profileFields, type ProfileFields } from './contract.ts';
import { plainName } from '../unseen.ts';

/** One a user: what friends may see of an owner. Written by the owner's devices. */
export interface CardDocument {
  kind: Text;
  user_id: Text;
  /** Empty until onboarding is done; then there is a profile. */
  display_name: Text;
  is_location_sharing_enabled: boolean;
  join_date: Text;
  dogs: Record<string, DogEntry>;
}

export interface Card {
  display_name: string;
  is_location_sharing_enabled: boolean;
  join_date: string;
  dogs: Dog[];
}

/** @param joinDate ISO 8601 */
export function initialCard(userId: string, joinDate: string): CardDocument {
  return {
    kind: text('card'),
    user_id: text(userId),
    display_name: text(''),
    is_location_sharing_enabled: false,
    join_date: text(joinDate),
    dogs: {},
  };
}

/**
 * The card as every reader may trust it: what does not fit its schema is left out.
 * @param doc an Automerge document, or what came out of one; untrusted
 */
export function readCard(doc: unknown): Card {
  const raw = (doc ?? {}) as Partial<CardDocument>;
  return {
    display_name: plainName(readText(raw.display_name, DISPLAY_NAME_MAX) ?? ''),
    is_location_sharing_enabled: raw.is_location_sharing_enabled === true,
    join_date: readText(raw.join_date, 40) ?? '',
    dogs: readDogs(raw.dogs),
  };
}

export const profileChanges = {
  'profile.save': {
    input: profileFields,
    apply(card: CardDocument, fields: ProfileFields) {
      if (readText(card.display_name, Infinity) !== fields.display_name)
        card.display_name = text(fields.display_name);
      if (card.is_location_sharing_enabled !== fields.is_location_sharing_enabled)
        card.is_location_sharing_enabled = fields.is_location_sharing_enabled;
    },
  },
};
