import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { isSimilarName, isSimilarPlace, SAME_PLACE_METERS } from '#shared/locations/rules.ts';
import { locationType, tipType } from '#shared/locations/schemas.ts';
import { milesOf } from '#shared/place.ts';
import { isAt } from '../../client/features/locations/is-at.ts';
import { LOCATION_KINDS, TIP_KINDS } from '../../client/features/locations/place-types.ts';

test.each([
  ['Riverside Dog Park', 'riverside park'],
  ['Riverside', 'The Riverside Dog Park'],
  ['St. Mary’s Field', 'St Mary’s field'],
  ['Café Meadow', 'Cafe Meadow'],
  ['Golden Gate Park', 'Goldengate Park'],
  ['Dog Park', 'dog park'],
  ['Millenium Woods', 'Millennium Woods'],
])("'%s' and '%s' are similar names", (one, other) => {
  expect(isSimilarName(one, other)).toBe(true);
  expect(isSimilarName(other, one)).toBe(true);
});

test.each([
  ['Riverside Dog Park', 'Hillside Dog Park'],
  ['North Beach', 'South Beach'],
  ['Oak Trail', 'Elm Trail'],
  ['Dog Park', 'Cat Corner'],
  ['!!!', '???'],
])("'%s' and '%s' are different names", (one, other) =>
  expect(isSimilarName(one, other)).toBe(false),
);

test('similarity of names is symmetric, and each name with a letter is similar to itself', () => {
  assert(
    property(string(), string(), (one, other) => {
      expect(isSimilarName(one, other)).toBe(isSimilarName(other, one));
      expect(isSimilarName(`a${one}`, `a${one}`)).toBe(true);
    }),
  );
});

test('locations of the same name are duplicates only near each other', () => {
  const here = { latitude: 40, longitude: -75, name: 'Oak Trail' };
  const degrees = (meters: number) => meters / 111_318;
  const north = (meters: number) => ({ ...here, latitude: 40 + degrees(meters) });
  expect(isSimilarPlace(here, north(SAME_PLACE_METERS - 5))).toBe(true);
  expect(isSimilarPlace(here, north(SAME_PLACE_METERS + 5))).toBe(false);
});

test('distances are rounded to a tenth of a mile', () => {
  expect(milesOf(0)).toBe(0);
  expect(milesOf(1609.344)).toBe(1);
  expect(milesOf(2011.68)).toBe(1.3);
});

test('location and tip types are those of the specification, each with a name and an icon', () => {
  expect(locationType.options).toEqual([
    'park',
    'trail',
    'beach',
    'urban',
    'forest',
    'lake',
    'other',
  ]);
  expect(tipType.options).toEqual([
    'general',
    'food',
    'bathroom',
    'lodging',
    'parking',
    'safety',
    'activity',
    'veterinary',
    'other',
  ]);
  for (const [types, kinds] of [
    [locationType.options, LOCATION_KINDS],
    [tipType.options, TIP_KINDS],
  ] as const) {
    const shown = Object.values(kinds);
    expect(Object.keys(kinds).toSorted()).toEqual([...types].toSorted());
    expect(new Set(shown.map(({ name }) => name)).size).toBe(types.length);
    expect(new Set(shown.map(({ Icon }) => Icon)).size).toBe(types.length);
  }
});

test('an owner is at a place within 100 feet of it', () => {
  const place = { latitude: 40, longitude: -75 };
  const north = (feet: number) => ({ ...place, latitude: 40 + (feet * 0.3048) / 111_195 });
  expect(isAt(place, north(99))).toBe(true);
  expect(isAt(place, north(101))).toBe(false);
  expect(isAt(place, null)).toBe(false);
});
