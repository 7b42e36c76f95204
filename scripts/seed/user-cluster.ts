import { createHash } from 'node:crypto';
import { METERS_PER_DEGREE, radians, wrapLongitude, type Place } from '#shared/place.ts';
import { documentIdFrom } from '#shared/sync/document-ids.ts';
import { FIRST_NAMES, LAST_NAMES } from './sample-data.ts';
import { createRandom, idFor, type Random } from './seeded-random.ts';

/** A group of users who know each other and walk in one place. No street depends on another. */
export interface Street {
  seed: number;
  /** From 0. */
  number: number;
  /** Its center. */
  at: Place;
  people: Person[];
  /** The current time: the history of the street ends there. */
  now: Date;
  /** Creates a random number generator of the street. */
  random(purpose: string): Random;
  /** Returns an id that is unique for a purpose. */
  id(purpose: string): string;
  documentId(purpose: string): string;
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
/** When the first user joined. */
const FIRST_JOINED = Date.UTC(2025, 0, 1);
/** Streets are arranged like the seeds of a sunflower, so their density does not depend on their number. */
const STEP_KM = 0.35;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const KM_PER_DEGREE = METERS_PER_DEGREE / 1_000;
/** Ids begin with their street's number, so that indexes grow at their end (decision 198). */
const ID_PREFIX = 4;
/** Document ids begin with this plus the street's number, so that their encoded forms sort by street. */
const DOCUMENT_PREFIX = 0x20_00_00_00;
/** Closer to a pole, distances east and west make no sense. */
const LATITUDE_MAX = 85;

/** Creates a street around a center. It depends on the arguments only. */
export function createStreet(seed: number, number: number, center: Place, now: Date): Street {
  const random = (purpose: string) => createRandom(seed, `street ${number} ${purpose}`);
  const prefix = number.toString(36).padStart(ID_PREFIX, '0');
  const id = (purpose: string) =>
    prefix + idFor(seed, `street ${number} ${purpose}`).slice(ID_PREFIX);
  const documentId = (purpose: string) => {
    const bytes = createHash('sha256').update(`${seed} street ${number} ${purpose}`).digest();
    bytes.writeUInt32BE(DOCUMENT_PREFIX + number);
    return documentIdFrom(bytes);
  };
  const names = random('names');
  const people = Array.from({ length: STREET_PEOPLE }, (_, i): Person => {
    const index = number * STREET_PEOPLE + i;
    const given = names.pick(FIRST_NAMES);
    return {
      id: id(`owner ${i}`),
      email: `crowd-${seed}-${index}@example.com`,
      given,
      name: `${given} ${names.pick(LAST_NAMES)}`,
      joined: new Date(FIRST_JOINED + index * 1_000),
      documents: {
        card: documentId(`card ${i}`),
        account: documentId(`account ${i}`),
        contacts: documentId(`contacts document ${i}`),
      },
    };
  });
  return { seed, number, at: placeOf(number, center), people, now, random, id, documentId };
}

function placeOf(number: number, center: Place): Place {
  const distance = STEP_KM * Math.sqrt(number + 0.5);
  const angle = number * GOLDEN_ANGLE;
  return moved(center, distance * Math.cos(angle), distance * Math.sin(angle));
}

/** Returns the place this many kilometers north and east of another. */
export function moved({ latitude, longitude }: Place, north: number, east: number): Place {
  const newLatitude = Math.max(
    -LATITUDE_MAX,
    Math.min(LATITUDE_MAX, latitude + north / KM_PER_DEGREE),
  );
  const degrees = longitude + east / (KM_PER_DEGREE * Math.cos(radians(newLatitude)));
  return { latitude: newLatitude, longitude: wrapLongitude(degrees) };
}
