import { afterEach, beforeEach, expect, test } from 'vitest';
import { fieldTime } from '../../client/advertisers/datetime-local.ts';

const zone = process.env['TZ'];
beforeEach(() => {
  process.env['TZ'] = 'America/New_York';
});
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each([
  ['2026-11-20T15:00:00Z', '2026-11-20T10:00'],
  ['2026-11-20T15:00:01Z', '2026-11-20T10:01'],
  // When daylight saving time ends, 1:30 occurs twice, and a date field means the first.
  ['2026-11-01T05:30:00Z', '2026-11-01T01:30'],
  ['2026-11-01T06:30:00Z', '2026-11-01T02:00'],
  // When daylight saving time begins, 2:30 does not exist.
  ['2026-03-08T06:59:30Z', '2026-03-08T03:00'],
])('shows %s as %s in a local date field, which never means an earlier time', (time, text) => {
  expect(fieldTime(new Date(time))).toBe(text);
  expect(new Date(text).getTime()).toBeGreaterThanOrEqual(Date.parse(time));
});
