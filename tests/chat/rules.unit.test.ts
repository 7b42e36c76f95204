import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listMessages } from '#shared/chat/contract.ts';
import {
  PREVIEW_MAX,
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
  /** The ids of the messages that its author had seen. */
  answers: string[];
}

interface Step {
  who: number;
  /** The device that it syncs with before it writes. Itself means none. */
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

/** Returns the messages on each of four devices after these steps. */
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
  test('the order of messages is the same on all devices, regardless of clocks and arrival', () => {
    fc.assert(
      fc.property(script, fc.func(fc.integer()), (steps, shuffle) => {
        const all = union(...play(steps));
        const otherwise = all.toSorted((a, b) => shuffle(a.id) - shuffle(b.id));
        expect(idsOf(otherwise)).toEqual(idsOf(all));
      }),
    );
  });

  test('orders a reply after the message it answers', () => {
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

  test('a partial thread has the same order as the full one', () => {
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

  test('sequence numbers continue after earlier segments and never exceed the maximum', () => {
    expect(nextSeq([])).toBe(1);
    expect(nextSeq([{ after: 450, messages: [] }])).toBe(451);
    expect(nextSeq([{ after: 450, messages: [{ seq: 460 }, { seq: 12 }] }])).toBe(461);
    expect(nextSeq([{ after: SEQ_MAX, messages: [] }])).toBe(SEQ_MAX);
  });
});

describe('version vectors of a thread', () => {
  const device = fc.constantFrom('a', 'b', 'c');
  const written = fc.array(fc.record({ device, seq: fc.integer({ min: 1, max: 50 }) }));

  test('a vector covers received messages and nothing that a device wrote later', () => {
    fc.assert(
      fc.property(written, written, (received, later) => {
        const reach = reachOf(received);
        for (const message of received) expect(covers(reach, message)).toBe(true);
        for (const message of later) {
          const before = received.filter((each) => each.device === message.device);
          expect(covers(reach, message)).toBe(before.some(({ seq }) => seq >= message.seq));
        }
      }),
    );
  });

  test('a vector of one device does not cover another device', () => {
    const reach = reachOf([{ device: 'phone', seq: 9 }]);
    expect(covers(reach, { device: 'tablet', seq: 3 })).toBe(false);
  });

  test('reading covers messages up to the first unseen one of each device', () => {
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

  test('vectors merge commutatively and only move forward', () => {
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

test('a preview is one line of at most 60 whole characters', () => {
  expect(previewOf(' one\n\ntwo ')).toBe('one two');
  expect(previewOf('x'.repeat(PREVIEW_MAX))).toBe('x'.repeat(60));
  expect(previewOf('x'.repeat(PREVIEW_MAX + 1))).toBe(`${'x'.repeat(60)}…`);
  const family = '👨‍👩‍👧‍👦';
  expect(previewOf(family.repeat(61))).toBe(`${family.repeat(60)}…`);
});

test('a page of messages has 50, and the first page is the newest', () =>
  expect(listMessages.query?.parse({})).toEqual({ page: 1, limit: 50 }));
