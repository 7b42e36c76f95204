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
  // The night when clocks go back: 1:30 comes twice, and a field means the first.
  ['2026-11-01T05:30:00Z', '2026-11-01T01:30'],
  ['2026-11-01T06:30:00Z', '2026-11-01T02:00'],
  // The night when they are put forward has no 2:30.
  ['2026-03-08T06:59:30Z', '2026-03-08T03:00'],
])('%s is %s in the field, which means that time or the next one that it can', (time, text) => {
  expect(fieldTime(new Date(time))).toBe(text);
  expect(new Date(text).getTime()).toBeGreaterThanOrEqual(Date.parse(time));
});
