import * as fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { firstNewIn } from '../../../client/features/chat/thread/use-thread.ts';
import { briefWords, dayName } from '../../../client/features/chat/view/format-time.ts';
import { daysOf } from '../../../client/features/chat/view/message-list.tsx';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const written = (id: string, at: number | string, isOwn = true) => ({
  id,
  text: id,
  at: new Date(at).toISOString(),
  isOwn,
  delivery: null,
});
const message = (id: string, minute: number, isOwn = true) =>
  written(id, Date.UTC(2026, 2, 1, 10) + minute * MINUTE, isOwn);
const rowsOf = (...all: Parameters<typeof daysOf>) => daysOf(...all).flatMap(({ rows }) => rows);
/** Returns the message ids of each day. */
const byDay = (...messages: ReturnType<typeof written>[]) =>
  daysOf(messages, null).map(({ rows }) => rows.map((row) => row.message.id).join(''));

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

test('shows a time stamp above the first message and after gaps of more than five minutes', () => {
  const rows = rowsOf(
    [message('a', 0), message('b', 5), message('c', 10.01), message('d', 1)],
    null,
  );
  expect(rows.map(({ hasStamp }) => hasStamp)).toEqual([true, false, true, true]);
});

test('groups consecutive messages of one author', () => {
  const rows = rowsOf(
    [
      message('a', 0),
      message('b', 1),
      message('c', 2, false),
      message('d', 3, false),
      message('e', 9, false),
    ],
    'd',
  );
  expect(rows.map(({ isContinued }) => isContinued)).toEqual([false, true, false, false, false]);
  expect(rows.map(({ isFirstNew }) => isFirstNew)).toEqual([false, false, false, true, false]);
});

test('a day begins at local midnight, without its own time stamp', () => {
  vi.stubEnv('TZ', 'Europe/Zurich');
  const late = written('a', '2026-11-20T22:58Z');
  const early = written('b', '2026-11-20T23:01Z');
  expect(byDay(late, early)).toEqual(['a', 'b']);
  expect(rowsOf([late, early], null).map((row) => [row.hasStamp, row.isContinued])).toEqual([
    [true, false],
    [false, false],
  ]);
  vi.stubEnv('TZ', 'America/Los_Angeles');
  expect(byDay(late, early)).toEqual(['ab']);
});

test('names a day by how many days ago it was, across daylight saving changes', () => {
  for (const [TZ, now] of [
    ['Europe/Zurich', '2026-03-29T22:30Z'],
    ['Europe/Zurich', '2026-10-25T22:30Z'],
    ['America/New_York', '2026-11-02T04:30Z'],
  ] as const) {
    vi.stubEnv('TZ', TZ);
    const here = new Date(now);
    const daysAgo = (days: number, hour: number) =>
      dayName(
        new Date(here.getFullYear(), here.getMonth(), here.getDate() - days, hour).toISOString(),
        Date.parse(now),
      );
    for (const hour of [0, 12, 23]) {
      expect([daysAgo(0, hour), daysAgo(1, hour)]).toEqual(['Today', 'Yesterday']);
      expect(daysAgo(2, hour)).toMatch(/^\p{L}+$/u);
      expect(daysAgo(6, hour)).toMatch(/^\p{L}+$/u);
      expect(daysAgo(7, hour)).toMatch(/2026/);
      expect(daysAgo(-1, hour)).toMatch(/2026/);
    }
  }
});

test('the list names the day as briefly as possible', () => {
  vi.stubEnv('TZ', 'UTC');
  vi.useFakeTimers({ now: Date.parse('2026-03-05T12:00Z') });
  const words = [
    '2026-03-05T09:00Z',
    '2026-03-04T09:00Z',
    '2026-02-02T09:00Z',
    '2025-12-31T09:00Z',
  ];
  expect(words.map(briefWords)).toEqual([
    expect.stringMatching(/9:00/),
    'Yesterday',
    expect.not.stringContaining('2026'),
    expect.stringContaining('2025'),
  ]);
});

test('clock differences around midnight keep one day together, and messages of another day are marked', () => {
  vi.stubEnv('TZ', 'UTC');
  const talk = [
    written('a', '2026-11-20T23:57Z'),
    written('b', '2026-11-21T00:01Z', false),
    written('c', '2026-11-20T23:58Z'),
    written('d', '2026-11-20T23:59Z'),
    written('e', '2026-11-21T00:03Z', false),
  ];
  expect(byDay(...talk)).toEqual(['a', 'bcde']);
  expect(rowsOf(talk, null).map(({ isOffDay }) => isOffDay)).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
});

test('keeps thread order, stamps, and day names for any clock times', () => {
  const times = fc.array(fc.integer({ min: 0, max: 9 * 24 * 60 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(times, fc.nat(), (minutes, cut) => {
      const talk = minutes.map((minute, i) => message(String(i), minute, i % 3 === 0));
      const days = daysOf(talk, null);
      expect(days.flatMap(({ rows }) => rows.map((row) => row.message))).toEqual(talk);
      expect(new Set(days.map(({ key }) => key)).size).toBe(days.length);
      for (const { at, rows } of days)
        for (const {
          message: { at: own },
          isOffDay,
        } of rows) {
          expect(isOffDay).toBe(new Date(own).toDateString() !== new Date(at).toDateString());
          const isLateEvening =
            new Date(Date.parse(own) + HOUR).toDateString() === new Date(at).toDateString();
          expect(isOffDay && !isLateEvening).toBe(false);
        }
      // Loading earlier messages neither removes nor adds time stamps below them.
      const from = cut % talk.length;
      const stamps = (some: typeof talk) => rowsOf(some, null).map(({ hasStamp }) => hasStamp);
      expect(stamps(talk.slice(from)).slice(1)).toEqual(stamps(talk).slice(from + 1));
    }),
  );
});

test('opens at the first new message, and at the end where new ones begin before what is open', () => {
  const messages = [message('a', 0, false), message('b', 1, false), message('c', 2, false)];
  const first = (unread: string[], hasEarlier: boolean) =>
    firstNewIn({ messages, unread, hasEarlier });
  expect(first(['b', 'c'], true)).toBe(1);
  expect(first(['a', 'b', 'c'], false)).toBe(0);
  expect(first(['a', 'b', 'c'], true)).toBe(-1);
  expect(first([], true)).toBe(-1);
});
