import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PREVIEW_MAX } from '#shared/chat/contract.ts';
import {
  beyond,
  covers,
  furthest,
  inOrder,
  nextSeq,
  previewOf,
  reachOf,
  readUpTo,
  SEQ_MAX,
  type Placed,
} from '#shared/chat/rules.ts';

interface Written extends Placed {
  /** All that its author had seen. */
  answers: string[];
}

interface Step {
  who: number;
  /** From whom it hears before it writes; from itself, nothing new. */
  hears: number;
  writes: boolean;
  clock: number;
}

const script: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    who: fc.integer({ min: 0, max: 3 }),
    hears: fc.integer({ min: 0, max: 3 }),
    writes: fc.boolean(),
    clock: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
  }),
  { maxLength: 40 },
);

const union = (...lists: Written[][]): Written[] => [
  ...new Map(lists.flat().map((each) => [each.id, each])).values(),
];

/** What each of four devices has after all that. */
function play(steps: Step[]): Written[][] {
  const devices: Written[][] = [[], [], [], []];
  let count = 0;
  for (const { who, hears, writes, clock } of steps) {
    const has = union(devices[who] ?? [], devices[hears] ?? []);
    devices[who] = has;
    if (!writes) continue;
    count += 1;
    has.push({
      id: `${(count * 7919) % 1000}-${count}`,
      seq: nextSeq([{ after: 0, messages: has }]),
      at: new Date(1.7e12 + clock).toISOString(),
      answers: has.map(({ id }) => id),
    });
  }
  return devices;
}

const idsOf = (messages: readonly Placed[]) => messages.toSorted(inOrder).map(({ id }) => id);

describe('the order of a thread', () => {
  test('is the same on all devices, whatever their clocks say and however it came to them', () => {
    fc.assert(
      fc.property(script, fc.func(fc.integer()), (steps, shuffle) => {
        const all = union(...play(steps));
        const otherwise = all.toSorted((a, b) => shuffle(a.id) - shuffle(b.id));
        expect(idsOf(otherwise)).toEqual(idsOf(all));
      }),
    );
  });

  test('puts an answer below what it answers', () => {
    fc.assert(
      fc.property(script, (steps) => {
        const all = union(...play(steps));
        const order = idsOf(all);
        for (const { id, answers } of all)
          for (const answered of answers)
            expect(order.indexOf(answered)).toBeLessThan(order.indexOf(id));
      }),
    );
  });

  test('of what a device has is the order of it among all', () => {
    fc.assert(
      fc.property(script, (steps) => {
        const devices = play(steps);
        const order = idsOf(union(...devices));
        for (const has of devices) {
          const ids = new Set(has.map(({ id }) => id));
          expect(idsOf(has)).toEqual(order.filter((id) => ids.has(id)));
        }
      }),
    );
  });

  test('goes on after the segments before, and never beyond what can be counted', () => {
    expect(nextSeq([])).toBe(1);
    expect(nextSeq([{ after: 450, messages: [] }])).toBe(451);
    expect(nextSeq([{ after: 450, messages: [{ seq: 460 }, { seq: 12 }] }])).toBe(461);
    expect(nextSeq([{ after: SEQ_MAX, messages: [] }])).toBe(SEQ_MAX);
  });
});

describe('how far somebody has come', () => {
  const device = fc.constantFrom('a', 'b', 'c');
  const written = fc.array(fc.record({ device, seq: fc.integer({ min: 1, max: 50 }) }));

  test('covers what has come, and nothing that a device wrote after it', () => {
    fc.assert(
      fc.property(written, written, (come, later) => {
        const reach = reachOf(come);
        for (const message of come) expect(covers(reach, message)).toBe(true);
        for (const message of later) {
          const before = come.filter((each) => each.device === message.device);
          expect(covers(reach, message)).toBe(before.some(({ seq }) => seq >= message.seq));
        }
      }),
    );
  });

  test('of one device says nothing about another: a message that was late is not read', () => {
    const reach = reachOf([{ device: 'phone', seq: 9 }]);
    expect(covers(reach, { device: 'tablet', seq: 3 })).toBe(false);
  });

  test('by what was seen is before the first that was not, whatever came after it', () => {
    const message = fc.record({
      device,
      seq: fc.integer({ min: 1, max: 50 }),
      isSeen: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(message), written, (messages, before) => {
        const had = reachOf(before);
        const read = readUpTo(messages, had, ({ isSeen }) => isSeen);
        expect(beyond(had, read)).toBeNull();
        for (const each of messages) {
          const isMissed = (other: typeof each) =>
            other.device === each.device && other.seq <= each.seq && !other.isSeen;
          const missed = messages.some((other) => isMissed(other) && !covers(had, other));
          expect(covers(read, each)).toBe(covers(had, each) || (each.isSeen && !missed));
        }
      }),
    );
  });

  test('goes forward only, in whatever order it is heard', () => {
    fc.assert(
      fc.property(written, written, (one, other) => {
        const [a, b] = [reachOf(one), reachOf(other)];
        const both = furthest(a, b);
        expect(both).toEqual(furthest(b, a));
        expect(both).toEqual(reachOf([...one, ...other]));
        expect(beyond(a, both)).toBeNull();
        expect(furthest(a, beyond(b, a) ?? {})).toEqual(both);
      }),
    );
  });
});

test('a preview is one line of 60 characters at most, none of them cut apart', () => {
  expect(previewOf(' one\n\ntwo ')).toBe('one two');
  expect(previewOf('x'.repeat(PREVIEW_MAX))).toBe('x'.repeat(60));
  expect(previewOf('x'.repeat(PREVIEW_MAX + 1))).toBe(`${'x'.repeat(60)}…`);
  const family = '👨‍👩‍👧‍👦';
  expect(previewOf(family.repeat(61))).toBe(`${family.repeat(60)}…`);
});
