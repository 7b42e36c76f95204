import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cadenceStep, POLL_SECONDS, RADIUS_METERS, shownFeet } from '#shared/proximity/rules.ts';

test('distances are rounded up to steps of ten feet and never 0', () => {
  expect([0, 0.1, 3.048, 3.05, 15.24, RADIUS_METERS].map(shownFeet)).toEqual([
    10, 10, 10, 20, 50, 100,
  ]);
});

test('a person within the radius is never shown beyond it', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: RADIUS_METERS, noNaN: true }), (meters) => {
      const feet = shownFeet(meters);
      expect([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]).toContain(feet);
      expect(feet * 0.3048).toBeGreaterThanOrEqual(meters - 1e-5);
    }),
  );
});

test('the reporting interval is one of few steps and never longer than needed', () => {
  fc.assert(
    fc.property(fc.double({ min: -100, max: 1000, noNaN: true }), (seconds) => {
      const step = cadenceStep(seconds);
      expect([1, 2, 5, 10, 20, POLL_SECONDS]).toContain(step);
      expect(step).toBeLessThanOrEqual(Math.max(1, seconds));
    }),
  );
});
