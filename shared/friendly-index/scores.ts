/**
 * Calculates the friendly index. Each part is 0 to 100. A dog's type, leash_on or leash_off, is in no formula: passing at a
 * distance counts as a meeting, too. Decision 100.
 */

import { DAY_MS } from '../time.ts';

/** Returns the number of a day in UTC. Only past days count, so that no score reveals who is out now. */
export const dayOf = (time: Date | number): number => Math.floor(Number(time) / DAY_MS);

/** Returns the number of the last Monday, or of the day if it is one. Day 0 was a Thursday. */
export const lastMonday = (day: number): number => day - ((day + 3) % 7);

/** Meetings count for a year. */
export const COUNTED_DAYS = 365;
/** Meetings with the same person count once a day, on this many days at most. */
export const DAYS_A_PERSON = 8;
/** An account of this age counts in full, a younger one in proportion. */
export const FULL_ACCOUNT_DAYS = 30;

/** Points of the sociability score for a person met on DAYS_A_PERSON days. */
export const PERSON_POINTS = 4;
/** Points of the community score for a friend whom the owner met; half of them for other friends. */
export const FRIEND_POINTS = 5;
const FRIENDS_POINTS_MAX = 85;
/** Points of the community score for TIME_DAYS days of membership, in proportion until then. */
export const TIME_POINTS = 15;
export const TIME_DAYS = 90;
/** The safety score at the start, and after how many days without complaints it reaches its maximum. */
const SAFETY_START = 50;
export const SAFETY_DAYS = 60;
/** Subtracted from the safety score for each person whose report was upheld. */
export const REPORT_POINTS = 25;
/** Subtracted from the safety score for each person met who blocked the owner, beyond those that are allowed. */
const BLOCK_POINTS = 5;
const BLOCKS_POINTS_MAX = 40;
/** Blocks without effect: this many, and one more per PEOPLE_PER_BLOCK people met. */
export const BLOCKS_ALLOWED = 2;
const PEOPLE_PER_BLOCK = 20;

/** The weight of each part in the overall score, in tenths. */
export const TENTHS = { sociability: 5, community: 3, safety: 2 } as const;
export type Part = keyof typeof TENTHS;
export type Parts = Record<Part, number>;

/** A dog that came along on a day, by number. */
export interface DogOnDay {
  dog: string;
  day: number;
}

/** A person whom the owner met. */
export interface Acquaintance {
  /** The last DAYS_A_PERSON days on which they met, by number. */
  days: readonly number[];
  /** Those of these days on which the other person approached. */
  came: readonly number[];
  /** The result of `accountWeight` for their account. */
  weight: number;
  /** The number of their dogs that came along. */
  dogs: number;
  /** The owner's dogs that came along, as far as it is known: from the day `since` on. */
  own?: { since: number; dogs: readonly DogOnDay[] };
  isFriend: boolean;
  /** Whether they blocked the owner, before today. */
  hasBlocked: boolean;
}

/** The data from which the scores of an owner and their dogs are calculated. */
export interface Facts {
  people: readonly Acquaintance[];
  /** The weights of friends whom the owner did not meet. */
  unmetFriends: readonly number[];
  /** People whose reports were upheld. */
  reports: number;
  /** Number of users who blocked the owner, before today. */
  blocks: number;
}

/** Returns how much an account counts, from 0 to 1. @param days since it was created */
export const accountWeight = (days: number): number => share(days, FULL_ACCOUNT_DAYS);

/** Returns how much a person counts who was met on this many days, from 0 to 1. Each day adds less than the one before. */
export const familiarity = (days: number): number =>
  Math.min(1, Math.log2(1 + days) / Math.log2(1 + DAYS_A_PERSON));

const share = (value: number, full: number): number => Math.min(1, Math.max(0, value / full));
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
const score = (points: number): number => Math.round(Math.min(100, Math.max(0, points)));

/** Returns an acquaintance with only the days that count: the last ones since `since`, within a year, and before today. */
function counted(person: Acquaintance, since: number, today: number): Acquaintance {
  const first = Math.max(since, today - COUNTED_DAYS);
  const days = person.days.filter((day) => day >= first && day < today).slice(-DAYS_A_PERSON);
  return { ...person, days, came: person.came.filter((day) => days.includes(day)) };
}

/** Returns the inputs of a dog's index: with only the days on which it came along. */
export const factsOfDog = (facts: Facts, dogId: string): Facts => ({
  ...facts,
  people: facts.people.map((person) => {
    const { own } = person;
    if (!own) return person;
    const cameAlong = (day: number) =>
      day < own.since || own.dogs.some((each) => each.dog === dogId && each.day === day);
    return { ...person, days: person.days.filter(cameAlong), came: person.came.filter(cameAlong) };
  }),
});

/**
 * Returns everyone whom a dog, or its owner, met.
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
  // Blocks by people whom the owner never met don't count.
  const blocks = sum(people.filter(({ hasBlocked }) => hasBlocked).map(({ weight }) => weight));
  return score(
    SAFETY_START +
      (100 - SAFETY_START) * share(days, SAFETY_DAYS) -
      REPORT_POINTS * reports -
      Math.min(BLOCKS_POINTS_MAX, BLOCK_POINTS * Math.max(0, blocks - allowed)),
  );
}

/**
 * Returns the parts of a dog's index, or of the owner's if `since` is the day on which the owner joined. The number of dogs
 * doesn't matter.
 * @param since, joined, today numbers of days
 */
export function partsOf(facts: Facts, since: number, joined: number, today: number): Parts {
  return {
    sociability: sociability(peopleMet(facts, since, today)),
    community: community(facts, today - joined),
    safety: safety(facts, today - since),
  };
}

/** Returns the weighted sum of the parts: an integer from 0 to 100. */
export const overallScore = (parts: Parts): number =>
  Math.floor(
    (TENTHS.sociability * parts.sociability +
      TENTHS.community * parts.community +
      TENTHS.safety * parts.safety) /
      10,
  );
