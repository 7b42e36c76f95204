import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  accountWeight,
  COUNTED_DAYS,
  DAYS_A_PERSON,
  familiarity,
  FRIEND_POINTS,
  overallScore,
  partsOf,
  peopleMet,
  PERSON_POINTS,
  TENTHS,
  type Acquaintance,
  type Facts,
} from '#shared/friendly-index/scores.ts';

const TODAY = 20_000;
/** So long ago that everything that depends on time counts in full. */
const LONG_AGO = TODAY - 1_000;

const nothing: Facts = { people: [], unmetFriends: [], reports: 0, blocks: 0 };
const lastDays = (count: number) => Array.from({ length: count }, (_, i) => TODAY - count + i);
const acquaintance = (overrides: Partial<Acquaintance> = {}): Acquaintance => ({
  days: lastDays(1),
  came: [],
  weight: 1,
  dogs: 1,
  isFriend: false,
  hasBlocked: false,
  ...overrides,
});
const people = (count: number, overrides: Partial<Acquaintance> = {}): Facts => ({
  ...nothing,
  people: Array.from({ length: count }, () => acquaintance(overrides)),
});
const parts = (facts: Facts, since = LONG_AGO) => partsOf(facts, since, since, TODAY);
const overall = (facts: Facts, since = LONG_AGO) => overallScore(parts(facts, since));

const anyAcquaintance = fc.record<Acquaintance>({
  days: fc.uniqueArray(fc.integer({ min: TODAY - 500, max: TODAY }), {
    maxLength: DAYS_A_PERSON,
  }),
  came: fc.array(fc.integer({ min: TODAY - 500, max: TODAY }), { maxLength: DAYS_A_PERSON }),
  weight: fc.double({ min: 0, max: 1, noNaN: true }),
  dogs: fc.nat(100),
  isFriend: fc.boolean(),
  hasBlocked: fc.boolean(),
});
const anyFacts = fc.record<Facts>({
  people: fc.array(anyAcquaintance, { maxLength: 60 }),
  unmetFriends: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }),
  reports: fc.nat(20),
  blocks: fc.nat(20),
});
const anyAge = fc.nat(2_000);

describe('an overall score', () => {
  test('the overall score is an integer from 0 to 100, and its weights add up to ten', () => {
    expect(TENTHS.sociability + TENTHS.community + TENTHS.safety).toBe(10);
    fc.assert(
      fc.property(anyFacts, anyAge, (facts, age) => {
        const each = parts(facts, TODAY - age);
        for (const value of [...Object.values(each), overallScore(each)]) {
          expect(Number.isInteger(value)).toBe(true);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(100);
        }
      }),
    );
  });

  test('the overall score starts low and stays in the lowest tier without activity', () => {
    expect(parts(nothing, TODAY)).toEqual({ sociability: 0, community: 0, safety: 50 });
    expect(overall(nothing, TODAY)).toBe(10);
    expect(overall(nothing)).toBe(24);
  });

  test('the overall score reaches 100 with many encounters, friends, and no complaints', () => {
    expect(overall(people(40, { days: lastDays(DAYS_A_PERSON), isFriend: true }))).toBe(100);
  });

  test('one more acquaintance never lowers the overall score', () => {
    fc.assert(
      fc.property(anyFacts, anyAcquaintance, anyAge, (facts, one, age) => {
        const more = { ...facts, people: [...facts.people, { ...one, hasBlocked: false }] };
        expect(overall(more, TODAY - age)).toBeGreaterThanOrEqual(overall(facts, TODAY - age));
      }),
    );
  });
});

describe('gaming the score', () => {
  test('two people who keep meeting gain almost nothing, for any duration and number of dogs', () => {
    const most = (TENTHS.sociability * PERSON_POINTS + TENTHS.community * FRIEND_POINTS) / 10;
    // Rounding of two parts and the total adds less than two points.
    const bound = most + 2;
    expect(bound).toBeLessThan(6);
    fc.assert(
      fc.property(anyFacts, anyAcquaintance, anyAge, (facts, accomplice, age) => {
        const before = facts.people.map((person) => ({ ...person, hasBlocked: false }));
        const after = [...before, { ...accomplice, weight: 1, hasBlocked: false }];
        const since = TODAY - age;
        const gain =
          overall({ ...facts, people: after }, since) -
          overall({ ...facts, people: before }, since);
        expect(gain).toBeLessThanOrEqual(bound);
      }),
    );
    const month = people(1, { days: lastDays(DAYS_A_PERSON), isFriend: true, dogs: 20 });
    expect(overall(month, TODAY - 30) - overall(nothing, TODAY - 30)).toBeLessThanOrEqual(4);
  });

  test('each further day with the same person counts less, and from the ninth on nothing', () => {
    const gains = Array.from({ length: 12 }, (_, i) => familiarity(i + 1) - familiarity(i));
    expect(gains).toEqual(gains.toSorted((a, b) => b - a));
    expect(familiarity(DAYS_A_PERSON)).toBe(1);
    expect(familiarity(DAYS_A_PERSON + 100)).toBe(1);
    // Eight people met once count more than one person met eight times.
    expect(parts(people(8)).sociability).toBeGreaterThan(
      2 * parts(people(1, { days: lastDays(8) })).sociability,
    );
  });

  test('new accounts count for nothing at first, and in full after thirty days', () => {
    expect(accountWeight(0)).toBe(0);
    expect(accountWeight(15)).toBe(0.5);
    expect(accountWeight(30)).toBe(1);
    expect(accountWeight(3_000)).toBe(1);
    expect(overall(people(50, { weight: 0, isFriend: true }))).toBe(overall(nothing));
  });

  test('counts the dogs of an acquaintance at most once', () => {
    expect(parts(people(5, { dogs: 20 }))).toEqual(parts(people(5, { dogs: 1 })));
  });

  test('friends who were never met count half', () => {
    const unmet = { ...nothing, unmetFriends: Array.from({ length: 10 }, () => 1) };
    const gain = parts(unmet).community - parts(nothing).community;
    expect(parts(people(10, { isFriend: true })).community - parts(nothing).community).toBe(
      2 * gain,
    );
  });
});

describe('the safety score', () => {
  test('safety starts at 50 % and reaches 100 % after 60 days', () => {
    expect(parts(nothing, TODAY).safety).toBe(50);
    expect(parts(nothing, TODAY - 30).safety).toBe(75);
    expect(parts(nothing, TODAY - 60).safety).toBe(100);
  });

  test('upheld reports lower the safety score', () => {
    expect(parts({ ...nothing, reports: 1 }).safety).toBe(75);
    expect(parts({ ...nothing, reports: 9 }).safety).toBe(0);
  });

  test('safety ignores up to two blocks, blocks by strangers, and blocks beyond ten', () => {
    const blocked = (count: number) => parts(people(count, { hasBlocked: true })).safety;
    expect([blocked(1), blocked(2), blocked(3), blocked(4)]).toEqual([100, 100, 95, 90]);
    expect(blocked(15)).toBe(60);
    expect(parts({ ...nothing, blocks: 50 }).safety).toBe(100);
    expect(parts(people(3, { hasBlocked: true, weight: 0 })).safety).toBe(100);
    const known = { ...nothing, people: [...people(3, { hasBlocked: true }).people] };
    const wellKnown = { ...known, people: [...known.people, ...people(17).people] };
    expect(parts(wellKnown).safety).toBe(100);
  });
});

describe('the encounters that count', () => {
  test('ignores encounters of today, before the dog was added, and of more than a year ago', () => {
    const old = TODAY - COUNTED_DAYS - 1;
    const facts = people(1, { days: [old, TODAY - 9, TODAY - 2, TODAY], came: [old, TODAY - 9] });
    expect(peopleMet(facts, LONG_AGO, TODAY)).toMatchObject([
      { days: [TODAY - 9, TODAY - 2], came: [TODAY - 9] },
    ]);
    expect(peopleMet(facts, TODAY - 5, TODAY)).toMatchObject([{ days: [TODAY - 2], came: [] }]);
    expect(peopleMet(facts, TODAY - 1, TODAY)).toEqual([]);
  });

  test('encounters of today reveal nothing to observers', () => {
    const regulars = people(12, { days: lastDays(DAYS_A_PERSON + 1) });
    const met = people(12, { days: [...lastDays(DAYS_A_PERSON), TODAY] });
    expect(parts(met)).toEqual(parts(people(12, { days: lastDays(DAYS_A_PERSON) })));
    expect(parts(regulars)).toEqual(parts(met));
    expect(peopleMet(met, LONG_AGO, TODAY)).toEqual(
      peopleMet(people(12, { days: lastDays(DAYS_A_PERSON) }), LONG_AGO, TODAY),
    );
  });
});
