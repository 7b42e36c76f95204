import { createHash } from 'node:crypto';
import bs58check from 'bs58check';
import type { Place } from '#shared/place.ts';
import { choicesFor, idFor, type Choices } from './seeded-random.ts';
import { FIRST_NAMES, LAST_NAMES } from './sample-data.ts';

/** What a crowd is made of: people who know each other and walk in one place. Nothing of a street depends on another. */
export interface Street {
  seed: number;
  /** From 0. */
  number: number;
  /** Its middle. */
  at: Place;
  people: Person[];
  /** What happened there did so before, or is to happen after. */
  now: Date;
  /** Chance of this street's own. @param of what it is for */
  choices(of: string): Choices;
  /** An id that is this street's. */
  id(of: string): string;
  /** A document's id. */
  documentId(of: string): string;
}

export interface Person {
  id: string;
  email: string;
  given: string;
  name: string;
  joined: Date;
  /** Document ids. */
  documents: { card: string; account: string; contacts: string };
}

export const STREET_PEOPLE = 20;
export const MINUTE_MS = 60_000;
export const DAY_MS = 1_440 * MINUTE_MS;
const BEGUN = Date.UTC(2025, 0, 1);
/** Streets lie around the middle as seeds do in a sunflower: as dense at any size. */
const STEP_KM = 0.35;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const DEGREE_KM = 111.32;
/** Ids begin with their street's number, so that indexes grow at their end (decision 143). */
const ID_PREFIX = 4;
/** Document ids begin with it and the number, so that their texts have the order of their streets. */
const DOCUMENT_PREFIX = 0x20_00_00_00;
const DOCUMENT_ID_BYTES = 16;
/** Nearer to a pole there is no east and west to speak of. */
const LATITUDE_MAX = 85;

/** A street of a crowd around a middle: the same again for the same seed, number and middle. */
export function streetOf(seed: number, number: number, middle: Place, now: Date): Street {
  const choices = (of: string) => choicesFor(seed, `street ${number} ${of}`);
  const prefix = number.toString(36).padStart(ID_PREFIX, '0');
  const id = (of: string) => prefix + idFor(seed, `street ${number} ${of}`).slice(ID_PREFIX);
  const documentId = (of: string) => {
    const bytes = createHash('sha256').update(`${seed} street ${number} ${of}`).digest();
    bytes.writeUInt32BE(DOCUMENT_PREFIX + number);
    return bs58check.encode(bytes.subarray(0, DOCUMENT_ID_BYTES));
  };
  const name = choices('names');
  const people = Array.from({ length: STREET_PEOPLE }, (_, i): Person => {
    const index = number * STREET_PEOPLE + i;
    const given = name.pick(FIRST_NAMES);
    return {
      id: id(`owner ${i}`),
      email: `crowd-${seed}-${index}@example.com`,
      given,
      name: `${given} ${name.pick(LAST_NAMES)}`,
      joined: new Date(BEGUN + index * 1_000),
      documents: {
        card: documentId(`card ${i}`),
        account: documentId(`account ${i}`),
        contacts: documentId(`contacts document ${i}`),
      },
    };
  });
  return { seed, number, at: placeOf(number, middle), people, now, choices, id, documentId };
}

function placeOf(number: number, middle: Place): Place {
  const away = STEP_KM * Math.sqrt(number + 0.5);
  const turn = number * GOLDEN_ANGLE;
  return moved(middle, away * Math.cos(turn), away * Math.sin(turn));
}

/** A place so many kilometers north and east of another. */
export function moved({ latitude, longitude }: Place, north: number, east: number): Place {
  const reached = Math.max(-LATITUDE_MAX, Math.min(LATITUDE_MAX, latitude + north / DEGREE_KM));
  const degrees = longitude + east / (DEGREE_KM * Math.cos((reached * Math.PI) / 180));
  return { latitude: reached, longitude: ((((degrees + 180) % 360) + 360) % 360) - 180 };
}
