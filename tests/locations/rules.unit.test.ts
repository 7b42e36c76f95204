import { assert, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { milesOf } from '#shared/place.ts';
import { isSimilarName, isSimilarPlace, SAME_PLACE_METERS } from '#shared/locations/rules.ts';

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
