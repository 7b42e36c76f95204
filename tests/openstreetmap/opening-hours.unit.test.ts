import { expect, test } from 'vitest';
import { openingAt, readableHours } from '../../api/features/amenities/opening-hours.ts';

const HOURS = 'Mo-Fr 09:00-18:00; Sa 10:00-12:00';
/** A Wednesday. */
const NOON = new Date('2026-11-25T12:00:00Z');

test.each([
  [0, { is_open: true, changes_at: '18:00' }],
  // 22:00 there.
  [600, { is_open: false, changes_at: 'Thu 09:00' }],
  // 04:00 there.
  [-480, { is_open: false, changes_at: '09:00' }],
])('opening hours are read by a clock %i minutes east of UTC', (offset, expected) => {
  expect(openingAt(HOURS, NOON, offset)).toEqual(expected);
});

test.each([null, 'sunrise-sunset', 'by appointment', 'now and then'])(
  'nothing is said about hours that the clock doesn’t tell: %s',
  (text) => {
    expect(openingAt(text, NOON, 0)).toEqual({ is_open: null, changes_at: null });
  },
);

test.each([
  ['Mo-Fr off "a"; Sa-Su off "b"', false],
  ['Mo-Fr open; Sa-Su open "side entrance"', true],
])('hours of which only the comment ever changes end nothing: %s', (text, is_open) => {
  expect(readableHours(text)).toBe(text);
  expect(openingAt(text, NOON, 0)).toEqual({ is_open, changes_at: null });
});

test('unreadable and overlong hours aren’t stored', () => {
  expect(readableHours(HOURS)).toBe(HOURS);
  expect(readableHours('now and then')).toBeNull();
  expect(readableHours(`${HOURS}; `.repeat(20))).toBeNull();
});
