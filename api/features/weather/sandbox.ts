import { setTimeout as wait } from 'node:timers/promises';
import type { Place } from '#shared/place.ts';
import { HOUR_MS } from '#shared/time.ts';
import type { WeatherHour } from '#shared/weather/contract.ts';
import { HOURS_AHEAD } from '#shared/weather/rules.ts';
import { ProviderFailure } from '../../platform/http/provider-failure.ts';
import type { Conditions, WeatherProvider } from './provider.ts';

const MILD = {
  temperature_f: 61,
  feels_like_f: 60,
  weather_icon: '02d',
  weather_condition: 'Clouds',
  weather_description: 'few clouds',
  humidity: 55,
  wind_speed_mph: 6,
  wind_direction: 240,
  visibility_miles: 6.2,
  precipitation_chance: 10,
  uv_index: 4,
  air_quality_index: 38,
} satisfies Conditions;

type Trouble = 'refused' | 'limited' | 'late' | 'malformed';

/** Scenarios by degree of latitude, in an empty part of the ocean along `SCENARIO_LONGITUDE`. */
export const SCENARIOS = {
  '-40': {
    temperature_f: 68,
    feels_like_f: 70,
    weather_icon: '11d',
    weather_condition: 'Thunderstorm',
    weather_description: 'thunderstorm with rain',
    precipitation_chance: 95,
    wind_speed_mph: 31,
  },
  '-41': {
    temperature_f: 97,
    feels_like_f: 104,
    weather_icon: '01d',
    weather_condition: 'Clear',
    weather_description: 'clear sky',
    uv_index: 9,
    precipitation_chance: 0,
  },
  '-42': {
    temperature_f: 12,
    feels_like_f: -4,
    weather_icon: '13n',
    weather_condition: 'Snow',
    weather_description: 'snow',
    precipitation_chance: 80,
    uv_index: 0,
  },
  '-43': {
    weather_icon: '50d',
    weather_condition: 'Smoke',
    weather_description: 'smoke',
    air_quality_index: 176,
    visibility_miles: 1.1,
  },
  '-44': {
    feels_like_f: null,
    humidity: null,
    wind_speed_mph: null,
    wind_direction: null,
    visibility_miles: null,
    precipitation_chance: null,
    uv_index: null,
    air_quality_index: null,
  },
  '-45': 'limited',
  '-46': 'late',
  '-47': 'malformed',
  '-48': 'refused',
} satisfies Record<string, Partial<Conditions> | Trouble>;

export const SCENARIO_LONGITUDE = -123;

const scenarioAt = ({ latitude, longitude }: Place): Partial<Conditions> | Trouble | undefined =>
  Math.round(longitude) === SCENARIO_LONGITUDE
    ? (SCENARIOS as Record<string, Partial<Conditions> | Trouble>)[String(Math.round(latitude))]
    : undefined;

/** Varies the temperature by place, the same each time. */
const here = ({ latitude, longitude }: Place): number =>
  Math.round(Math.sin(latitude * 7.3 + longitude * 3.1) * 6);

/** Gets a degree warmer each hour, and the rain likelier. */
const hoursFrom = (now: number, temperature: number): WeatherHour[] =>
  Array.from({ length: HOURS_AHEAD }, (_, ahead) => ({
    at: new Date((Math.floor(now / HOUR_MS) + 1 + ahead) * HOUR_MS).toISOString(),
    temperature_f: temperature + ahead,
    precipitation_chance: Math.min(100, ahead * 8),
    weather_icon: ahead < 6 ? '02d' : '10d',
  }));

/** Simulates weather: mild everywhere except at the scenarios’ coordinates. */
export const createSandboxWeather: WeatherProvider = {
  async read(place, signal) {
    const scenario = scenarioAt(place);
    if (scenario === 'limited')
      throw new ProviderFailure('the sandbox provider answered 429', {
        status: 429,
        retryAfterMs: 30_000,
      });
    if (scenario === 'refused')
      throw new ProviderFailure('the sandbox provider answered 500', { status: 500 });
    if (scenario === 'malformed')
      throw new ProviderFailure('the sandbox provider sent an unexpected response');
    if (scenario === 'late') {
      await wait(600_000, undefined, { signal, ref: false }).catch(() => {});
      throw new ProviderFailure('the sandbox provider timed out');
    }
    const more = here(place);
    return {
      ...MILD,
      temperature_f: MILD.temperature_f + more,
      feels_like_f: MILD.feels_like_f + more,
      ...scenario,
      hours: hoursFrom(Date.now(), (scenario?.temperature_f ?? MILD.temperature_f) + more),
    };
  },
};
