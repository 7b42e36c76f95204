import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { severity, type EmergencyAlert } from '#shared/alerts/contract.ts';
import { countedArea, isAffected, isSevere, shownAlerts } from '#shared/alerts/rules.ts';
import { METERS_PER_MILE, metersBetween } from '#shared/place.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();
let made = 0;
const alert = (change: Partial<EmergencyAlert> = {}): EmergencyAlert => ({
  id: `alert-${(made += 1)}`,
  alert_id: 'A',
  user_id: 'ann',
  alert_type: 'weather',
  severity: 'moderate',
  title: 'Flood Watch',
  description: 'Water.',
  instructions: null,
  affected_latitude: 40,
  affected_longitude: -74,
  radius_miles: 10,
  starts_at: at(-10),
  expires_at: at(60),
  is_active: true,
  is_acknowledged: false,
  acknowledged_at: null,
  ...change,
});

describe('the alerts that are shown', () => {
  test('shows active, unexpired, unacknowledged alerts', () => {
    const shown = alert();
    const lasting = alert({ expires_at: null });
    const hidden = [
      alert({ is_active: false }),
      alert({ is_acknowledged: true }),
      alert({ expires_at: at(0) }),
    ];
    expect(shownAlerts([...hidden, shown, lasting], NOW)).toEqual([shown, lasting]);
  });

  test('orders alerts by severity from extreme to minor, then newest first', () => {
    const severities = fc.array(
      fc.record({
        severity: fc.constantFrom(...severity.options),
        minutes: fc.integer({ min: -99, max: 0 }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(severities, (given) => {
        const alerts = given.map(({ severity: grave, minutes }) =>
          alert({ severity: grave, starts_at: at(minutes) }),
        );
        const order = ['extreme', 'severe', 'moderate', 'minor'];
        const shown = shownAlerts(alerts, NOW);
        expect(shown).toHaveLength(alerts.length);
        for (const [index, { severity: grave, starts_at }] of shown.slice(1).entries()) {
          const before = shown[index]!;
          const step = order.indexOf(grave) - order.indexOf(before.severity);
          expect(step).toBeGreaterThanOrEqual(0);
          expect(step > 0 || before.starts_at >= starts_at).toBe(true);
        }
      }),
    );
  });
});

test('counts severe and extreme alerts as severe', () =>
  expect(severity.options.filter((one) => isSevere({ severity: one }))).toEqual([
    'severe',
    'extreme',
  ]));

test('an alert applies within its radius in miles', () => {
  const circle = alert({ affected_latitude: 40, affected_longitude: -74, radius_miles: 10 });
  // A degree of latitude is 69.17 miles here.
  expect(isAffected(circle, { latitude: 40 + 9.9 / 69.17, longitude: -74 })).toBe(true);
  expect(isAffected(circle, { latitude: 40 + 10.1 / 69.17, longitude: -74 })).toBe(false);
});

describe('the circle in which people are counted', () => {
  test('is the same for areas that differ a little', () => {
    const circle = countedArea({ latitude: 44.052, longitude: -123.091 }, 10);
    expect(circle).toEqual({ place: { latitude: 44.05, longitude: -123.1 }, miles: 11 });
    for (const [latitude, longitude, miles] of [
      [44.052, -123.091, 10.1],
      [44.0521, -123.091, 10],
      [44.06, -123.105, 10.2],
    ] as const)
      expect(countedArea({ latitude, longitude }, miles)).toEqual(circle);
  });

  test('covers the area, by a few miles more', () => {
    const degrees = (max: number) => fc.double({ min: -max, max, noNaN: true });
    const miles = fc.double({ min: 0.1, max: 100, noNaN: true });
    fc.assert(
      fc.property(degrees(85), degrees(179), miles, (latitude, longitude, radius) => {
        const place = { latitude, longitude };
        const circle = countedArea(place, radius);
        expect(Number.isInteger(circle.miles)).toBe(true);
        const shift = metersBetween(place, circle.place) / METERS_PER_MILE;
        expect(circle.miles).toBeGreaterThanOrEqual(radius + shift);
        expect(circle.miles).toBeLessThan(radius + 4);
      }),
    );
  });
});
