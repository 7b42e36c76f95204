import type { Place } from '../place.ts';

/** How long a reading is fresh, for everyone in the same cell. */
export const FRESH_MINUTES = 10;
/** The number of decimals of a cell: about 110 m from south to north. */
const CELL_DECIMALS = 3;

/** The hours that a reading has at most. */
export const HOURS_AHEAD = 12;

/** How often the weather card, and the dashboard's notice, ask again. */
export const CARD_REFRESH_MINUTES = 15;
export const DASHBOARD_REFRESH_MINUTES = 10;

const TOO_COLD_F = 20;
const COLD_F = 32;
const WARM_F = 75;
const TOO_HOT_F = 85;
const WINDY_MPH = 25;
const RAINY_PERCENT = 70;
const UV_HIGH = 6;
const UV_EXTREME = 8;
const AIR_UNHEALTHY = 101;
const AIR_VERY_UNHEALTHY = 151;

/** Rounds a place, so that it names a cell instead of a point. @param decimals of a degree */
export function cellOf({ latitude, longitude }: Place, decimals = CELL_DECIMALS): Place {
  // Adding zero turns -0 into 0.
  const round = (degrees: number) => Number(degrees.toFixed(decimals)) + 0;
  return { latitude: round(latitude), longitude: round(longitude) };
}

/** The name of a cell, the same for every place in it. */
export function cellKey(place: Place, decimals = CELL_DECIMALS): string {
  const { latitude, longitude } = cellOf(place, decimals);
  return `${latitude.toFixed(decimals)},${longitude.toFixed(decimals)}`;
}

/** Worst last. */
export type Safety = 'safe' | 'caution' | 'unsafe';

const UNSAFE = /\b(thunderstorms?|smoke|dust|sand|ash|squalls?|tornado(es)?)\b/i;
const CAUTION = /\b(rain|drizzle|snow|sleet|mist|fog|haze)\b/i;
const SAFE = /\b(clear|clouds?|cloudy|overcast)\b/i;

/** The group and the words of weather of which only values are known, or not even these. */
export const UNKNOWN_CONDITION = {
  weather_condition: 'Unknown',
  weather_description: 'unknown conditions',
} as const;

const SAFETY_ORDER: readonly Safety[] = ['safe', 'caution', 'unsafe'];

/** Returns the condition in which a walk is least safe, of those that hold at once; undefined without any. */
export const worstCondition = <C>(
  conditions: readonly C[],
  wordsOf: (condition: C) => string,
): C | undefined => {
  const danger = (condition: C) => SAFETY_ORDER.indexOf(safetyOfCondition(wordsOf(condition)));
  return conditions.toSorted((a, b) => danger(b) - danger(a))[0];
};

/**
 * Returns how safe a walk is by the kind of weather alone; 'caution' for unknown kinds.
 * @param words as providers name it, such as 'shower rain' or 'Thunderstorm'
 */
export function safetyOfCondition(words: string): Safety {
  if (UNSAFE.test(words)) return 'unsafe';
  if (CAUTION.test(words)) return 'caution';
  return SAFE.test(words) ? 'safe' : 'caution';
}

/** What decides whether a walk is safe; null if unknown. */
export interface Measured {
  temperature_f: number | null;
  wind_speed_mph: number | null;
  precipitation_chance: number | null;
  uv_index: number | null;
  air_quality_index: number | null;
  weather_condition: string;
  weather_description: string;
}

export interface Assessment {
  safety: Safety;
  is_dog_walking_safe: boolean;
  /** Warnings, the reasons why a walk is unsafe first. */
  safety_warnings: string[];
}

interface Finding {
  safety: 'caution' | 'unsafe';
  words: string;
}

/** Judges how safe it is to walk a dog, and says why not. */
export function assess(measured: Measured): Assessment {
  const findings = [
    temperature(measured.temperature_f),
    condition(measured),
    air(measured.air_quality_index),
    wind(measured.wind_speed_mph),
    rain(measured.precipitation_chance),
    sun(measured.uv_index),
  ].filter((finding) => finding !== null);
  const isUnsafe = ({ safety }: Finding) => safety === 'unsafe';
  const worst: Safety = findings.some(isUnsafe)
    ? 'unsafe'
    : findings.length > 0
      ? 'caution'
      : 'safe';
  return {
    safety: worst,
    is_dog_walking_safe: worst !== 'unsafe',
    safety_warnings: findings
      .toSorted((a, b) => Number(isUnsafe(b)) - Number(isUnsafe(a)))
      .map(({ words }) => words),
  };
}

const unsafe = (words: string): Finding => ({ safety: 'unsafe', words });
const caution = (words: string): Finding => ({ safety: 'caution', words });

function temperature(fahrenheit: number | null): Finding | null {
  if (fahrenheit === null)
    return caution('We don’t know the temperature: feel it outside before you go.');
  if (fahrenheit <= TOO_COLD_F)
    return unsafe('Dangerous cold: keep outings to a few minutes, with paws and ears protected.');
  if (fahrenheit >= TOO_HOT_F)
    return unsafe('Dangerous heat: pavement burns paws. Wait for the cool of the day.');
  if (fahrenheit <= COLD_F)
    return caution('Freezing: watch for ice and salt, and keep the walk short.');
  if (fahrenheit >= WARM_F)
    return caution('Warm: bring water, find shade, and feel the pavement with your hand.');
  return null;
}

function condition({ weather_condition, weather_description }: Measured): Finding | null {
  if (weather_condition === UNKNOWN_CONDITION.weather_condition)
    return caution('We don’t know the conditions: look outside before you go.');
  const safety = safetyOfCondition(`${weather_condition} ${weather_description}`);
  if (safety === 'unsafe') return unsafe(`Don’t walk in this weather: ${weather_description}.`);
  if (safety === 'caution') return caution(`Take care: ${weather_description}.`);
  return null;
}

function air(index: number | null): Finding | null {
  if (index === null || index < AIR_UNHEALTHY) return null;
  return index >= AIR_VERY_UNHEALTHY
    ? unsafe(`Very unhealthy air (index ${index}): stay inside.`)
    : caution(`Unhealthy air (index ${index}): keep the walk short and slow.`);
}

const wind = (mph: number | null): Finding | null =>
  mph !== null && mph >= WINDY_MPH
    ? caution('Strong wind: keep away from trees, and keep nervous dogs leashed.')
    : null;

const rain = (percent: number | null): Finding | null =>
  percent !== null && percent >= RAINY_PERCENT
    ? caution('Rain is likely: bring a towel and something bright.')
    : null;

function sun(index: number | null): Finding | null {
  if (index === null || index < UV_HIGH) return null;
  return index >= UV_EXTREME
    ? caution('Extreme sun: stay in the shade, and shield light noses and ears.')
    : caution('High sun: find shade at midday.');
}
