import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { percentPerHour } from '../../client/features/walks/pocket/battery.ts';

test('the use of the battery is known after ten minutes, in percent per hour', () => {
  expect(percentPerHour(0.8, 0.79, 9 * MINUTE_MS)).toBeNull();
  expect(percentPerHour(0.8, 0.78, 10 * MINUTE_MS)).toBe(12);
  expect(percentPerHour(0.8, 0.73, HOUR_MS)).toBe(7);
  expect(percentPerHour(0.5, 0.5, HOUR_MS)).toBe(0);
});
