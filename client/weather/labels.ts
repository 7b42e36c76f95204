import type { Units } from '#shared/units.ts';
import type { Weather } from '#shared/weather/contract.ts';
import type { Safety } from '#shared/weather/rules.ts';
import { durationWords } from '../proximity/alerts/alert-text.ts';

/** Short labels of the safety levels. */
export const SAFETY_WORDS: Record<Safety, string> = {
  safe: 'Good for a walk',
  caution: 'Take care on your walk',
  unsafe: 'Not safe for walking',
};

const whole = (value: number) => String(Math.round(value));
const unknown = 'unknown';

/** Returns the values of a reading with their names; 'unknown' if not measured. */
export const readings = (
  reading: Weather,
  units: Units,
): readonly (readonly [name: string, value: string])[] => [
  ['Rain', `${whole(reading.precipitation_chance)}%`],
  ['Wind', units.wind(reading.wind_speed_mph)],
  ['Humidity', `${whole(reading.humidity)}%`],
  [
    'Visibility',
    reading.visibility_miles === null ? unknown : units.visibility(reading.visibility_miles),
  ],
  ['UV index', reading.uv_index === null ? unknown : whole(reading.uv_index)],
  ['Air quality', reading.air_quality_index === null ? unknown : whole(reading.air_quality_index)],
];

/** Formats an age given in milliseconds. */
export const ageWords = (age: number): string =>
  age < 60_000 ? 'just now' : `${durationWords(age)} ago`;
