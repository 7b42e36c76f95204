import type { Units } from '#shared/units.ts';
import type { Weather } from '#shared/weather/contract.ts';
import type { Safety } from '#shared/weather/rules.ts';

/** Short labels of the safety levels. */
export const SAFETY_WORDS: Record<Safety, string> = {
  safe: 'Good for a walk',
  caution: 'Take care on your walk',
  unsafe: 'Not safe for walking',
};

const whole = (value: number) => String(Math.round(value));

/** Formats a value; 'unknown' if the provider doesn’t know it. */
const known = (value: number | null, format: (value: number) => string): string =>
  value === null ? 'unknown' : format(value);

/** Returns the values of a reading with their names. */
export const readings = (
  reading: Weather,
  units: Units,
): readonly (readonly [name: string, value: string])[] => [
  ['Rain', known(reading.precipitation_chance, (percent) => `${whole(percent)}%`)],
  ['Wind', known(reading.wind_speed_mph, units.wind)],
  ['Humidity', known(reading.humidity, (percent) => `${whole(percent)}%`)],
  ['Visibility', known(reading.visibility_miles, units.visibility)],
  ['UV index', known(reading.uv_index, whole)],
  ['Air quality', known(reading.air_quality_index, whole)],
];
