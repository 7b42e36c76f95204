// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest';
import { leashPlaceAt, rememberLeashPlaces } from '../../client/features/proximity/leash-places.ts';

const METERS_PER_DEGREE = 111_320;
/** A place in meters north of the owner. */
const place = (id: string, meters: number, leash_required = true) => ({
  id,
  name: id,
  latitude: meters / METERS_PER_DEGREE,
  longitude: 0,
  leash_required,
});
const here = { latitude: 0, longitude: 0 };

afterEach(() => {
  localStorage.clear();
  dispatchEvent(new Event('storage'));
});

test('the nearest known place that requires leashes counts, if it is near', () => {
  rememberLeashPlaces('ann', [place('far', 310), place('dog park', 5, false)]);
  expect(leashPlaceAt('ann', here)).toBe(null);
  rememberLeashPlaces('ann', [place('lake', 290), place('elm', -200)]);
  expect(leashPlaceAt('ann', here)).toBe('elm');
  expect(leashPlaceAt('bob', here)).toBe(null);
});

test('known places survive a restart, and a place may stop requiring leashes', () => {
  rememberLeashPlaces('ann', [place('elm', 10)]);
  // Another tab has searched.
  dispatchEvent(new Event('storage'));
  expect(leashPlaceAt('ann', here)).toBe('elm');
  rememberLeashPlaces('ann', [place('elm', 10, false)]);
  expect(leashPlaceAt('ann', here)).toBe(null);
});
