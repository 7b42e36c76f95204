import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '#shared/time.ts';
import { accessEndOf } from '../../api/features/access-gate/uses.ts';

const ACCESS_MS = 30 * DAY_MS;
const usesAt = (days: number[]) => days.map((day) => ({ used_at: new Date(day * DAY_MS) }));
const daysOf = (...days: number[]) => (accessEndOf(usesAt(days))?.getTime() ?? 0) / DAY_MS;

test('access lasts 30 days, and days that are left are added to', () => {
  expect(accessEndOf([])).toBeNull();
  expect(daysOf(0)).toBe(30);
  expect(daysOf(0, 25)).toBe(60);
  expect(daysOf(0, 40)).toBe(70);
  expect(daysOf(0, 1, 2)).toBe(90);
});

test('no use shortens access, and each gives 30 days, in whichever order they are read', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1 }), (days) => {
      const end = accessEndOf(usesAt(days))!.getTime();
      expect(accessEndOf(usesAt(days.toReversed()))!.getTime()).toBe(end);
      const last = Math.max(...days);
      expect(end).toBeGreaterThanOrEqual(last * DAY_MS + ACCESS_MS);
      const others = days.toSpliced(days.indexOf(last), 1);
      const before = accessEndOf(usesAt(others))?.getTime() ?? 0;
      expect(end - Math.max(before, last * DAY_MS)).toBe(ACCESS_MS);
    }),
  );
});
