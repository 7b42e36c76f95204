/**
 * How the friendly index is made of what was recorded. Every part is 0 to 100. What a dog is like, leash_on or
 * leash_off, is in no formula: a dog that is led past in good time has met the other as well as one that stops.
 */

import { DAY_MS } from '../time.ts';

/** The number of a day in UTC. Only days that are over count, so that no score tells who is out just now. */
export const dayOf = (time: Date | number): number => Math.floor(Number(time) / DAY_MS);

/** Meetings count for a year. */
export const COUNTED_DAYS = 365;
/** With the same person, one meeting a day counts, on so many days at most. */
export const DAYS_A_PERSON = 8;
/** From that age on an account's word counts in full, and from nothing up to it in proportion. */
export const FULL_ACCOUNT_DAYS = 30;

/** Points of the sociability score for somebody met on DAYS_A_PERSON days. */
export const PERSON_POINTS = 4;
/** Points of the community score for a friend who was met; half of it for one who never was. */
export const FRIEND_POINTS = 5;
const FRIENDS_POINTS_MAX = 85;
/** Points of the community score for having been here for so many days, in proportion until then. */
export const TIME_POINTS = 15;
export const TIME_DAYS = 90;
/** Where the safety score begins, and after how many days without complaint it is full. */
const SAFETY_START = 50;
export const SAFETY_DAYS = 60;
/** Subtracted from the safety score for each person whose report was upheld. */
export const REPORT_POINTS = 25;
/** What each person met who blocked the owner takes from it, beyond those that are allowed. */
const BLOCK_POINTS = 5;
const BLOCKS_POINTS_MAX = 40;
/** Everybody is blocked now and then: so many, and one more for each so many people met. */
export const BLOCKS_ALLOWED = 2;
const PEOPLE_PER_BLOCK = 20;

/** How much of the overall score is which part, in tenths. */
export const TENTHS = { sociability: 5, community: 3, safety: 2 } as const;
export type Part = keyof typeof TENTHS;
export type Parts = Record<Part, number>;

/** A person whom the owner met. */
export interface Acquaintance {
  /** The last DAYS_A_PERSON days on which they met, by number. */
  days: readonly number[];
  /** Those of them on which it was the other one who came up. */
  came: readonly number[];
  /** How much their account counts, see accountWeight. */
  weight: number;
  /** How many dogs they have. */
  dogs: number;
  isFriend: boolean;
  /** Whether they blocked the owner, before today. */
  hasBlocked: boolean;
}

/** All that counts for an owner and each of their dogs. */
export interface Facts {
  people: readonly Acquaintance[];
  /** The weights of those friends whom the owner did not meet. */
  unmetFriends: readonly number[];
  /** People whose reports were upheld. */
  reports: number;
  /** All who blocked the owner, before today. */
  blocks: number;
}

/** @param days since the account was made @returns 0 to 1 */
export const accountWeight = (days: number): number => share(days, FULL_ACCOUNT_DAYS);

/** How much of a person counts who was met on so many days: less for every further one. @returns 0 to 1 */
export const familiarity = (days: number): number =>
  Math.min(1, Math.log2(1 + days) / Math.log2(1 + DAYS_A_PERSON));

const share = (value: number, full: number): number => Math.min(1, Math.max(0, value / full));
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
const score = (points: number): number => Math.round(Math.min(100, Math.max(0, points)));

/** What of an acquaintance counts: the last days that are neither before `since` nor over a year ago, nor today. */
function counted(person: Acquaintance, since: number, today: number): Acquaintance {
  const first = Math.max(since, today - COUNTED_DAYS);
  const days = person.days.filter((day) => day >= first && day < today).slice(-DAYS_A_PERSON);
  return { ...person, days, came: person.came.filter((day) => days.includes(day)) };
}

/**
 * Everybody whom a dog, or its owner, met.
 * @param since the day on which the dog was added, or the owner joined
 */
export const peopleMet = ({ people }: Facts, since: number, today: number): Acquaintance[] =>
  people.map((person) => counted(person, since, today)).filter(({ days }) => days.length > 0);

function sociability(met: readonly Acquaintance[]): number {
  return score(
    PERSON_POINTS * sum(met.map(({ weight, days }) => weight * familiarity(days.length))),
  );
}

function community({ people, unmetFriends }: Facts, ownerDays: number): number {
  const met = people.filter(({ isFriend }) => isFriend).map(({ weight }) => weight);
  const friends = FRIEND_POINTS * (sum(met) + sum(unmetFriends) / 2);
  return score(Math.min(FRIENDS_POINTS_MAX, friends) + TIME_POINTS * share(ownerDays, TIME_DAYS));
}

function safety({ people, reports }: Facts, days: number): number {
  const allowed = BLOCKS_ALLOWED + Math.floor(people.length / PEOPLE_PER_BLOCK);
  // Of strangers none counts: nobody is voted down by people who never met them.
  const blocks = sum(people.filter(({ hasBlocked }) => hasBlocked).map(({ weight }) => weight));
  return score(
    SAFETY_START +
      (100 - SAFETY_START) * share(days, SAFETY_DAYS) -
      REPORT_POINTS * reports -
      Math.min(BLOCKS_POINTS_MAX, BLOCK_POINTS * Math.max(0, blocks - allowed)),
  );
}

/**
 * The parts of a dog's index, or, with the day on which the owner joined as `since`, of the owner's: it does not
 * depend on how many dogs there are.
 * @param since, joined, today numbers of days
 */
export function partsOf(facts: Facts, since: number, joined: number, today: number): Parts {
  return {
    sociability: sociability(peopleMet(facts, since, today)),
    community: community(facts, today - joined),
    safety: safety(facts, today - since),
  };
}

/** @returns 0 to 100, whole */
export const overallScore = (parts: Parts): number =>
  Math.floor(
    (TENTHS.sociability * parts.sociability +
      TENTHS.community * parts.community +
      TENTHS.safety * parts.safety) /
      10,
  );
