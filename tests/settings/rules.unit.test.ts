import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { METERS_PER_FOOT, metersBetween } from '#shared/place.ts';
import {
  displaced,
  isQuiet,
  isSureOf,
  QUIET_RADIUS,
  type QuietPlace,
} from '#shared/settings/rules.ts';

const home: QuietPlace = {
  id: 'home',
  name: 'Home',
  latitude: 47,
  longitude: 8,
  radius_feet: 500,
};
const METERS_PER_DEGREE = 111_320;
const north = (meters: number, accuracy: number | null = 5) => ({
  latitude: home.latitude + meters / METERS_PER_DEGREE,
  longitude: home.longitude,
  accuracy,
});

test('a position in a quiet place is quiet, also within its accuracy', () => {
  expect(isQuiet(north(0), [home])).toBe(true);
  expect(isQuiet(north(152), [home])).toBe(true);
  expect(isQuiet(north(170), [home])).toBe(false);
  expect(isQuiet(north(170, 40), [home])).toBe(true);
  expect(isQuiet(north(170, null), [home])).toBe(false);
  // A very inaccurate position is not quiet.
  expect(isQuiet(north(300, 5000), [home])).toBe(false);
  expect(isQuiet(north(0), [])).toBe(false);
  expect(isQuiet(north(0), [{ ...home, latitude: 46 }, home])).toBe(true);
});

const places = fc.record({
  latitude: fc.double({ min: -85, max: 85, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});
const unit = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

test('a quiet place is created only if it surely contains the position despite its inaccuracy', () => {
  expect(isSureOf(5, QUIET_RADIUS.min)).toBe(true);
  expect(isSureOf(60, QUIET_RADIUS.min)).toBe(false);
  expect(isSureOf(100, 500)).toBe(true);
  expect(isSureOf(110, 500)).toBe(false);
  expect(isSureOf(3_000, QUIET_RADIUS.max)).toBe(false);
  fc.assert(
    fc.property(
      fc.integer({ min: QUIET_RADIUS.min, max: QUIET_RADIUS.max }),
      fc.double({ min: 0, max: 1_000, noNaN: true }),
      unit,
      (radius, accuracy, direction) => {
        fc.pre(isSureOf(accuracy, radius));
        // Both off by the maximum to the same side.
        const draws = [1, direction];
        const middle = displaced(home, radius, () => draws.shift() ?? 0);
        const meters = metersBetween(home, middle) + accuracy;
        expect(meters).toBeLessThanOrEqual(radius * METERS_PER_FOOT + 2);
      },
    ),
  );
});

test('the center of a quiet place is shifted and the place stays well inside', () => {
  fc.assert(
    fc.property(
      places,
      fc.integer({ min: QUIET_RADIUS.min, max: QUIET_RADIUS.max }),
      unit,
      unit,
      (place, radius, one, other) => {
        const draws = [one, other];
        const middle = displaced(place, radius, () => draws.shift() ?? 0);
        const meters = metersBetween(place, middle);
        expect(meters).toBeLessThan(radius * METERS_PER_FOOT * 0.35 + 1);
        expect(middle.longitude).toBeGreaterThanOrEqual(-180);
        expect(middle.longitude).toBeLessThanOrEqual(180);
      },
    ),
  );
  const middles = Array.from({ length: 200 }, () => displaced(home, 500, Math.random));
  const away = middles.map((middle) => metersBetween(home, middle));
  expect(away.filter((meters) => meters > 10).length).toBeGreaterThan(150);
  expect(new Set(middles.map(({ latitude }) => latitude)).size).toBeGreaterThan(40);
});
