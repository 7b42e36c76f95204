import { describe, expect, test } from 'vitest';
import type { Charity } from '#shared/charities/contract.ts';
import { countWords, raisedWords } from '#shared/charities/rules.ts';
import { sorted } from '../../client/features/charities/filter-and-sort.ts';

test.each([
  [0, '$0+ raised'],
  [49, '$0+ raised'],
  [50, '$1+ raised'],
  [124_950, '$1,250+ raised'],
])('formats %i cents as %s', (cents, words) => expect(raisedWords(cents)).toBe(words));

test.each([
  [0, 'Showing 0 verified charities'],
  [1, 'Showing 1 verified charity'],
  [2, 'Showing 2 verified charities'],
])('counts %i charities as %s', (count, words) => expect(countWords(count)).toBe(words));

test('a capped count shows a plus sign', () =>
  expect(countWords(1000, true)).toBe('Showing 1,000+ verified charities'));

describe('the offline list of charities', () => {
  const charity = (charity_name: string, donation_count: number, created_at: string, city = '') =>
    ({ charity_name, donation_count, created_at, city, state: null }) as Charity;
  const list = [
    charity('Warm Noses', 3, '2026-01-03', 'New Haven'),
    charity('amber paws', 1, '2026-01-01'),
    charity('Zeal for Paws', 9, '2026-01-02'),
  ];
  const names = (search: string, sort: 'name' | 'donations' | 'recent') =>
    sorted(list, search, sort).map((each) => each.charity_name);

  test('sorts offline charities by name, donations, and date', () => {
    expect(names('', 'name')).toEqual(['amber paws', 'Warm Noses', 'Zeal for Paws']);
    expect(names('', 'donations')).toEqual(['Zeal for Paws', 'Warm Noses', 'amber paws']);
    expect(names('', 'recent')).toEqual(['Warm Noses', 'Zeal for Paws', 'amber paws']);
  });

  test('searches offline charities by word prefixes', () => {
    expect(names('paw', 'name')).toEqual(['amber paws', 'Zeal for Paws']);
    expect(names('PAW z', 'name')).toEqual(['Zeal for Paws']);
    expect(names('haven', 'name')).toEqual(['Warm Noses']);
    expect(names('aws', 'name')).toEqual([]);
  });
});
