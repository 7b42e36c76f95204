import { expect, test } from 'vitest';
import type { Place } from '#shared/place.ts';
import { gazetteer } from '../../api/features/geocoder/gazetteer.ts';

const find = async (query: string, limit = 5, near: Place | null = null) =>
  (await gazetteer()).search(query, limit, near);

test('finds the largest town of a name first', async () => {
  const [first] = await find('Portland');
  expect(first).toMatchObject({ name: 'Portland', detail: 'Oregon, United States' });
  expect(first?.latitude).toBeCloseTo(45.52, 1);
  expect(first?.longitude).toBeCloseTo(-122.68, 1);
});

test('finds a town around the caller before larger ones of its name', async () => {
  const salem = { latitude: 44.94, longitude: -123.03 };
  expect((await find('Springfield'))[0]?.detail).not.toBe('Oregon, United States');
  expect((await find('Springfield', 5, salem))[0]?.detail).toBe('Oregon, United States');
  // One that is not around stays where it is.
  const farAway = { latitude: -45, longitude: 10 };
  expect(await find('Springfield', 5, farAway)).toEqual(await find('Springfield'));
});

test.each([
  ['Springfield, IL', 'Illinois, United States'],
  ['springfield illinois', 'Illinois, United States'],
  ['Springfield MA usa', 'Massachusetts, United States'],
  ['Paris, Texas', 'Texas, United States'],
  ['Paris, France', 'Île-de-France, France'],
  ['london uk', 'England, United Kingdom'],
])('narrows a town down by region and country: %s', async (query, detail) => {
  const [first] = await find(query);
  expect(first?.detail).toBe(detail);
});

test('finds towns by the beginning of their name, without accents', async () => {
  expect((await find('San Franc'))[0]?.name).toBe('San Francisco');
  expect((await find('Zurich'))[0]?.name).toBe('Zürich');
  expect((await find('St Louis'))[0]?.name).toBe('St. Louis');
});

test('puts a town with exactly this name before larger ones that begin with it', async () => {
  const names = (await find('York', 10)).map(({ name }) => name);
  expect(names[0]).toBe('York');
});

test.each(['Xyzzyville', '!!!', 'Springfield, Mars'])(
  'finds nothing for a text that names no town: %s',
  async (query) => {
    expect(await find(query)).toEqual([]);
  },
);
