import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { airQualityIndex } from '../../api/features/weather/air-quality.ts';

test.each([
  [0, 0],
  [9.0, 50],
  [9.05, 50],
  [9.1, 51],
  [35.4, 100],
  [35.5, 101],
  [55.4, 150],
  [125.4, 200],
  [225.4, 300],
  [325.4, 500],
  [999, 500],
])('%f µg/m³ of PM2.5 is an index of %i', (pm2_5, index) =>
  expect(airQualityIndex({ pm2_5 })).toBe(index),
);

test('computes the index of gases, and of ozone over eight hours or one hour', () => {
  const micrograms = (ppm: number) => (ppm * 48 * 1000) / 24.45;
  expect(airQualityIndex({ o3: micrograms(0.054) })).toBe(50);
  expect(airQualityIndex({ o3: micrograms(0.07) })).toBe(100);
  expect(airQualityIndex({ o3: micrograms(0.105) })).toBe(200);
  expect(airQualityIndex({ o3: micrograms(0.404) })).toBe(300);
  expect(airQualityIndex({ no2: (100 * 46.0055) / 24.45 })).toBe(100);
  expect(airQualityIndex({ so2: (75 * 64.066) / 24.45 })).toBe(100);
  expect(airQualityIndex({ co: (9.4 * 28.01 * 1000) / 24.45 })).toBe(100);
  expect(airQualityIndex({ pm10: 154 })).toBe(100);
});

test('the worst pollutant sets the index, and no measurement gives none', () => {
  expect(airQualityIndex({ pm2_5: 5, pm10: 400 })).toBe(airQualityIndex({ pm10: 400 }));
  expect(airQualityIndex({})).toBeNull();
  expect(airQualityIndex({ pm2_5: -1, o3: Number.NaN })).toBeNull();
});

test.each(['pm2_5', 'pm10', 'o3', 'no2', 'so2', 'co'] as const)(
  'more %s never lowers the index, which stays between 0 and 500',
  (pollutant) =>
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 60_000, noNaN: true }),
        fc.double({ min: 0, max: 60_000, noNaN: true }),
        (one, other) => {
          const [less, more] = [Math.min(one, other), Math.max(one, other)];
          const low = airQualityIndex({ [pollutant]: less }) ?? -1;
          const high = airQualityIndex({ [pollutant]: more }) ?? -1;
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high).toBeGreaterThanOrEqual(low);
          expect(high).toBeLessThanOrEqual(500);
        },
      ),
    ),
);
