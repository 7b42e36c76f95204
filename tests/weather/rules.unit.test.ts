import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assess,
  cellKey,
  cellOf,
  safetyOfCondition,
  type Measured,
} from '#shared/weather/rules.ts';

const fine: Measured = {
  temperature_f: 60,
  wind_speed_mph: 5,
  precipitation_chance: 0,
  uv_index: 2,
  air_quality_index: 30,
  weather_condition: 'Clear',
  weather_description: 'clear sky',
};
const of = (change: Partial<Measured>) => {
  const { safety, safety_warnings } = assess({ ...fine, ...change });
  return [safety, ...safety_warnings.map((words) => words.split(/[:.]/)[0])];
};

describe('safety of a walk', () => {
  test('a walk in fine weather is safe and has no warnings', () =>
    expect(assess(fine)).toEqual({
      safety: 'safe',
      is_dog_walking_safe: true,
      safety_warnings: [],
    }));

  test.each<[number, ...string[]]>([
    [20, 'unsafe', 'Dangerous cold'],
    [20.1, 'caution', 'Freezing'],
    [32, 'caution', 'Freezing'],
    [32.1, 'safe'],
    [74.9, 'safe'],
    [75, 'caution', 'Warm'],
    [84.9, 'caution', 'Warm'],
    [85, 'unsafe', 'Dangerous heat'],
  ])('assesses %f °F', (temperature_f, ...expected) =>
    expect(of({ temperature_f })).toEqual(expected),
  );

  test.each<[string, Partial<Measured>, ...string[]]>([
    ['wind below 25 mph', { wind_speed_mph: 24.9 }, 'safe'],
    ['wind of 25 mph', { wind_speed_mph: 25 }, 'caution', 'Strong wind'],
    ['a 69% chance of rain', { precipitation_chance: 69 }, 'safe'],
    ['a 70% chance of rain', { precipitation_chance: 70 }, 'caution', 'Rain is likely'],
    ['a UV index below 6', { uv_index: 5.9 }, 'safe'],
    ['a high UV index of 6', { uv_index: 6 }, 'caution', 'High sun'],
    ['a UV index below 8', { uv_index: 7.9 }, 'caution', 'High sun'],
    ['an extreme UV index of 8', { uv_index: 8 }, 'caution', 'Extreme sun'],
    ['air of 100', { air_quality_index: 100 }, 'safe'],
    ['unhealthy air of 101', { air_quality_index: 101 }, 'caution', 'Unhealthy air (index 101)'],
    ['unhealthy air of 150', { air_quality_index: 150 }, 'caution', 'Unhealthy air (index 150)'],
    [
      'very unhealthy air of 151',
      { air_quality_index: 151 },
      'unsafe',
      'Very unhealthy air (index 151)',
    ],
    [
      'what is not measured',
      { uv_index: null, air_quality_index: null, wind_speed_mph: null, precipitation_chance: null },
      'safe',
    ],
    ['an unknown temperature', { temperature_f: null }, 'caution', 'We don’t know the temperature'],
    [
      'unknown conditions',
      { weather_condition: 'Unknown', weather_description: 'unknown conditions' },
      'caution',
      'We don’t know the conditions',
    ],
  ])('assesses %s', (_what, change, ...expected) => expect(of(change)).toEqual(expected));

  test('lists the causes of unsafe weather first', () =>
    expect(of({ temperature_f: 80, air_quality_index: 160, wind_speed_mph: 30 })).toEqual([
      'unsafe',
      'Very unhealthy air (index 160)',
      'Warm',
      'Strong wind',
    ]));
});

describe('the weather condition', () => {
  test.each([
    'thunderstorm',
    'Smoke',
    'dust',
    'sand',
    'volcanic ash',
    'Squall',
    'squalls',
    'tornado',
  ])('is unsafe: %s', (words) => {
    expect(safetyOfCondition(words)).toBe('unsafe');
    expect(of({ weather_condition: words, weather_description: words })).toEqual([
      'unsafe',
      'Don’t walk in this weather',
    ]);
  });
  test.each(['shower rain', 'rain', 'light snow', 'mist', 'fog', 'haze', 'drizzle', 'frogs'])(
    'is caution: %s',
    (words) => expect(safetyOfCondition(words)).toBe('caution'),
  );
  test.each(['clear sky', 'few clouds', 'scattered clouds', 'broken clouds', 'overcast clouds'])(
    'is safe: %s',
    (words) => expect(safetyOfCondition(words)).toBe('safe'),
  );
  test('is unsafe if any of its words is', () =>
    expect(safetyOfCondition('Thunderstorm thunderstorm with light rain')).toBe('unsafe'));
});

describe('a cell', () => {
  test('rounds a place to three decimals', () => {
    expect(cellOf({ latitude: 51.50074, longitude: -0.12461 })).toEqual({
      latitude: 51.501,
      longitude: -0.125,
    });
    expect(cellKey({ latitude: -0.0001, longitude: 12 })).toBe('0.000,12.000');
  });

  test('has one key for all places in a cell', () =>
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        (latitude, longitude) => {
          const cell = cellOf({ latitude, longitude });
          expect(cellOf(cell)).toEqual(cell);
          expect(cellKey(cell)).toBe(cellKey({ latitude, longitude }));
          expect(Math.abs(cell.latitude - latitude)).toBeLessThanOrEqual(0.000501);
        },
      ),
    ));
});
