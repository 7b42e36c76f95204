import { expect, test } from 'vitest';
import { DEFAULT_TAB, TABS } from '../../client/app/admin/tabs.ts';

test('the admin panel has the tabs of the specification in its order, and opens access codes', () => {
  const specified = [
    'access-codes',
    'advertisements',
    'donations',
    'advertisers',
    'charities',
    'weather-alerts',
  ];
  const values = TABS.map(({ value }) => value);
  expect(values.filter((value) => specified.includes(value))).toEqual(specified);
  expect(values[0]).toBe('overview');
  expect(DEFAULT_TAB).toBe('access-codes');
});
