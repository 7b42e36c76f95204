import { z } from 'zod';
import { METERS_PER_FOOT, milesOf } from '#shared/place.ts';
import type { WeatherHour } from '#shared/weather/contract.ts';
import { HOURS_AHEAD, UNKNOWN_CONDITION } from '#shared/weather/rules.ts';
import { fetchJson } from '../../platform/http/fetch-json.ts';
import { lenient } from '../../platform/http/lenient-fields.ts';
import { assertKnown, type WeatherProvider } from './provider.ts';

const CURRENT = [
  'temperature_2m',
  'apparent_temperature',
  'relative_humidity_2m',
  'weather_code',
  'wind_speed_10m',
  'wind_direction_10m',
  'visibility',
  'precipitation_probability',
  'uv_index',
  'is_day',
] as const;

const value = lenient(z.number());
const HOURLY = ['temperature_2m', 'precipitation_probability', 'weather_code', 'is_day'] as const;
const values = lenient(z.array(z.number().nullable()));
const hourly = z.object({
  /** In UTC, without a zone: “2026-11-28T16:00”. */
  time: z.array(z.string()),
  temperature_2m: values,
  precipitation_probability: values,
  weather_code: values,
  is_day: values,
});

const forecast = z.object({
  current_units: lenient(z.object({ visibility: lenient(z.string()) })),
  current: z.object({
    temperature_2m: value,
    apparent_temperature: value,
    relative_humidity_2m: value,
    weather_code: value,
    wind_speed_10m: value,
    wind_direction_10m: value,
    visibility: value,
    precipitation_probability: value,
    uv_index: value,
    is_day: value,
  }),
  // The hours are optional.
  hourly: lenient(hourly),
});
const air = z.object({ current: z.object({ us_aqi: value }) });

/** WMO codes as OpenWeather’s groups, descriptions, and icons (without their d or n). */
const WMO: Record<number, readonly [condition: string, description: string, icon: string]> = {
  0: ['Clear', 'clear sky', '01'],
  1: ['Clouds', 'few clouds', '02'],
  2: ['Clouds', 'scattered clouds', '03'],
  3: ['Clouds', 'overcast clouds', '04'],
  45: ['Fog', 'fog', '50'],
  48: ['Fog', 'freezing fog', '50'],
  51: ['Drizzle', 'light drizzle', '09'],
  53: ['Drizzle', 'drizzle', '09'],
  55: ['Drizzle', 'heavy drizzle', '09'],
  56: ['Drizzle', 'light freezing drizzle', '09'],
  57: ['Drizzle', 'freezing drizzle', '09'],
  61: ['Rain', 'light rain', '10'],
  63: ['Rain', 'moderate rain', '10'],
  65: ['Rain', 'heavy rain', '10'],
  66: ['Rain', 'light freezing rain', '13'],
  67: ['Rain', 'freezing rain', '13'],
  71: ['Snow', 'light snow', '13'],
  73: ['Snow', 'snow', '13'],
  75: ['Snow', 'heavy snow', '13'],
  77: ['Snow', 'snow grains', '13'],
  80: ['Rain', 'light shower rain', '09'],
  81: ['Rain', 'shower rain', '09'],
  82: ['Rain', 'heavy shower rain', '09'],
  85: ['Snow', 'light shower snow', '13'],
  86: ['Snow', 'heavy shower snow', '13'],
  95: ['Thunderstorm', 'thunderstorm', '11'],
  96: ['Thunderstorm', 'thunderstorm with light hail', '11'],
  99: ['Thunderstorm', 'thunderstorm with heavy hail', '11'],
};

function iconOf(code: number | null | undefined, isDay: number | null | undefined): string {
  const known = code == null ? undefined : WMO[code];
  return known ? `${known[2]}${isDay === 0 ? 'n' : 'd'}` : '';
}

function hoursOf(ahead: z.output<typeof hourly> | null | undefined): WeatherHour[] {
  return (ahead?.time ?? []).slice(0, HOURS_AHEAD).flatMap((time, index) => {
    const at = new Date(`${time}Z`);
    if (Number.isNaN(at.getTime())) return [];
    return {
      at: at.toISOString(),
      temperature_f: ahead?.temperature_2m?.[index] ?? null,
      precipitation_chance: ahead?.precipitation_probability?.[index] ?? null,
      weather_icon: iconOf(ahead?.weather_code?.[index], ahead?.is_day?.[index]),
    };
  });
}

export interface OpenMeteoSettings {
  /** Null for keyless requests. */
  key: string | null;
  url: string;
  airUrl: string;
}

/** The weather from Open-Meteo. */
export function openMeteo({ key, url, airUrl }: OpenMeteoSettings): WeatherProvider {
  function address(base: string, query: Record<string, string>): URL {
    const asked = new URL(base);
    asked.search = new URLSearchParams({ ...query, ...(key ? { apikey: key } : {}) }).toString();
    return asked;
  }

  return {
    async read({ latitude, longitude }, signal) {
      const place = { latitude: String(latitude), longitude: String(longitude) };
      const wanted = {
        ...place,
        current: CURRENT.join(','),
        hourly: HOURLY.join(','),
        forecast_hours: String(HOURS_AHEAD),
        temperature_unit: 'fahrenheit',
        wind_speed_unit: 'mph',
      };
      const [{ current, current_units, hourly: ahead }, polluted] = await Promise.all([
        fetchJson(forecast, address(`${url}/v1/forecast`, wanted), { signal }),
        // The air quality is optional.
        fetchJson(air, address(`${airUrl}/v1/air-quality`, { ...place, current: 'us_aqi' }), {
          signal,
        }).catch(() => null),
      ]);
      const { weather_code, visibility } = current;
      const known = weather_code == null ? undefined : WMO[weather_code];
      const meters = current_units?.visibility === 'ft' ? METERS_PER_FOOT : 1;
      return assertKnown({
        temperature_f: current.temperature_2m ?? null,
        feels_like_f: current.apparent_temperature ?? null,
        weather_icon: iconOf(weather_code, current.is_day),
        ...(known
          ? { weather_condition: known[0], weather_description: known[1] }
          : UNKNOWN_CONDITION),
        humidity: current.relative_humidity_2m ?? null,
        wind_speed_mph: current.wind_speed_10m ?? null,
        wind_direction: current.wind_direction_10m ?? null,
        visibility_miles: visibility == null ? null : milesOf(visibility * meters),
        precipitation_chance: current.precipitation_probability ?? null,
        uv_index: current.uv_index ?? null,
        air_quality_index: polluted?.current.us_aqi ?? null,
        hours: hoursOf(ahead),
      });
    },
  };
}
