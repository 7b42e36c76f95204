import { expect, test } from 'vitest';
import { followUsers, trendOf } from '../../../client/features/proximity/monitor/trend.ts';

/** @param pairs seconds and feet */
const after = (...pairs: [number, number][]) =>
  trendOf(pairs.map(([seconds, feet]) => ({ at: seconds * 1000, feet })));

test('the trend is steady without an earlier distance', () => {
  expect(trendOf([])).toBe('steady');
  expect(after([0, 40])).toBe('steady');
});

test('someone who comes two steps closer is approaching, and leaving after two steps away', () => {
  expect(after([0, 100], [2, 80])).toBe('approaching');
  expect(after([0, 20], [4, 40])).toBe('leaving');
});

test('a distance that alternates between neighboring steps is steady', () => {
  expect(after([0, 40], [1, 50], [2, 40], [3, 50], [4, 40])).toBe('steady');
});

test('after a turn, the trend is that of the change since the turn', () => {
  const toward: [number, number][] = [
    [0, 100],
    [2, 60],
    [4, 20],
  ];
  expect(after(...toward, [5, 30])).toBe('approaching');
  expect(after(...toward, [6, 40])).toBe('leaving');
  expect(after([0, 20], [3, 60], [5, 40])).toBe('approaching');
});

test('two people who have kept their distance for 20 seconds are steady', () => {
  expect(after([0, 100], [10, 20], [20, 20])).toBe('approaching');
  expect(after([0, 100], [10, 20], [20, 20], [30, 20], [31, 20])).toBe('steady');
});

test('distances 30 seconds apart are compared', () => {
  expect(after([0, 100], [30, 60])).toBe('approaching');
  expect(after([0, 100], [30, 60], [60, 60])).toBe('steady');
});

test('bands are compared with distances within 100 feet only', () => {
  expect(after([0, 500], [5, 250])).toBe('steady');
  expect(after([0, 250], [5, 500])).toBe('steady');
  expect(after([0, 250], [5, 90])).toBe('approaching');
  expect(after([0, 80], [5, 250])).toBe('leaving');
});

test('each nearby user keeps the distances of the last minute and a trend of their own', () => {
  const user = (id: string, feet: number) => ({
    user_id: id,
    display_name: id,
    distance_feet: feet,
    dogs: [],
  });
  const first = followUsers([], [user('sam', 90), user('ada', 20)], 1000);
  const second = followUsers(first, [user('sam', 60), user('ada', 20)], 4000);
  expect(second.map(({ user_id, trend }) => [user_id, trend])).toEqual([
    ['sam', 'approaching'],
    ['ada', 'steady'],
  ]);
  const [sam] = followUsers(second, [user('sam', 60)], 63_000);
  expect(sam?.distances).toEqual([
    { feet: 60, at: 4000 },
    { feet: 60, at: 63_000 },
  ]);
});

test('distances from before the clock was set back do not count', () => {
  const [sam] = followUsers(
    [
      {
        user_id: 's',
        display_name: 's',
        distance_feet: 90,
        dogs: [],
        trend: 'steady',
        distances: [{ feet: 90, at: 9000 }],
      },
    ],
    [{ user_id: 's', display_name: 's', distance_feet: 30, dogs: [] }],
    5000,
  );
  expect(sam).toMatchObject({ trend: 'steady', distances: [{ feet: 30, at: 5000 }] });
});
