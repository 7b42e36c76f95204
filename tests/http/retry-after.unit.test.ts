import { expect, test } from 'vitest';
import { retryAfterMs } from '#shared/retry-after.ts';

const waitOf = (headers: Record<string, string>) => retryAfterMs(new Headers(headers));
const SENT = 'Sun, 06 Nov 1994 08:49:00 GMT';

test.each([
  ['7', 7_000],
  ['0', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
  ['Sun Nov  6 08:49:37 1994', 37_000],
  // In the past, or further ahead than anyone should wait.
  ['Sun, 06 Nov 1994 08:48:00 GMT', 0],
  ['Sun, 06 Nov 1995 08:49:37 GMT', 86_400_000],
  ['99999999999999999999', 86_400_000],
  ['-1', null],
  ['1.5', null],
  ['soon', null],
  ['Sun, 06 Nov 1994 08:49:37', null],
  ['1994-11-06T08:49:37Z', null],
  ['Sun, 99 Nov 1994 08:49:37 GMT', null],
])('Retry-After %s means %s ms', (value, wait) => {
  expect(waitOf({ 'retry-after': value, date: SENT })).toBe(wait);
});

test('a date counts from the clock of this machine if the answer has no date', () => {
  const at = new Date(Date.now() + 3_600_000).toUTCString();
  const wait = waitOf({ 'retry-after': at }) ?? 0;
  expect(wait).toBeGreaterThan(3_590_000);
  expect(wait).toBeLessThanOrEqual(3_600_000);
});

test('an answer without Retry-After names no wait', () => {
  expect(waitOf({})).toBeNull();
});
