import { expect, test } from 'vitest';
import { taxCents } from '../../../client/features/advertisers/dashboard/receipt.tsx';
import { startsOf, weeksOf } from '../../../client/features/advertisers/slot-calendar.tsx';

const at = (day: number, hour: number) => new Date(2026, 11, day, hour);
const hoursOf = (starts: ReturnType<typeof startsOf>) =>
  starts.filter(({ isFree }) => isFree).map(({ start }) => start.getHours());

test('shows a month in weeks that begin on Sunday', () => {
  const weeks = weeksOf(new Date(2026, 11, 1)).map((week) =>
    week.map((day) => day?.getDate() ?? 0),
  );
  expect(weeks[0]).toEqual([0, 0, 1, 2, 3, 4, 5]);
  expect(weeks.at(-1)).toEqual([27, 28, 29, 30, 31, 0, 0]);
});

test('offers no start whose four hours touch a taken time, are over, or are too far ahead', () => {
  const now = at(1, 9).getTime();
  const taken = [{ start: at(2, 13).getTime(), end: at(2, 17).getTime() }];
  expect(hoursOf(startsOf(at(2, 0), taken, now))).toEqual([6, 8, 18, 20]);
  expect(hoursOf(startsOf(at(1, 0), [], now))).toEqual([10, 12, 14, 16, 18, 20]);
  expect(hoursOf(startsOf(new Date(2027, 11, 3), [], now))).toEqual([]);
});

test('counts the tax in an amount', () => {
  expect(taxCents(20_000, 19)).toBe(3_193);
  expect(taxCents(0, 19)).toBe(0);
});
