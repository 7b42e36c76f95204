import { z } from 'zod';
import { fetchJson } from './fetch-json.ts';
import { METERS_PER_FOOT, milesOf } from '#shared/place.ts';
import { ProviderFailure, type WeatherProvider } from './provider.ts';

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

const forecast = z.object({
  current_units: z.object({ visibility: z.string().optional() }),
  current: z.object({
    temperature_2m: z.number(),
    apparent_temperature: z.number(),
    relative_humidity_2m: z.number(),
    weather_code: z.number().int(),
    wind_speed_10m: z.number(),
    wind_direction_10m: z.number().nullish(),
    visibility: z.number().nullish(),
    precipitation_probability: z.number(),
    uv_index: z.number().nullish(),
    is_day: z.number(),
  }),
});
const air = z.object({ current: z.object({ us_aqi: z.number().nullish() }) });

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
        temperature_unit: 'fahrenheit',
        wind_speed_unit: 'mph',
      };
      const [{ current, current_units }, polluted] = await Promise.all([
        fetchJson(forecast, address(`${url}/v1/forecast`, wanted), { signal }),
        // The air quality is optional.
        fetchJson(air, address(`${airUrl}/v1/air-quality`, { ...place, current: 'us_aqi' }), {
          signal,
        }).catch(() => null),
      ]);
      const words = WMO[current.weather_code];
      if (!words) throw new ProviderFailure(`unknown weather code ${current.weather_code}`);
      const [weather_condition, weather_description, icon] = words;
      const meters = current_units.visibility === 'ft' ? METERS_PER_FOOT : 1;
      return {
        temperature_f: current.temperature_2m,
        feels_like_f: current.apparent_temperature,
        weather_icon: `${icon}${current.is_day === 0 ? 'n' : 'd'}`,
        weather_condition,
        weather_description,
        humidity: current.relative_humidity_2m,
        wind_speed_mph: current.wind_speed_10m,
        wind_direction: current.wind_direction_10m ?? null,
        visibility_miles: current.visibility == null ? null : milesOf(current.visibility * meters),
        precipitation_chance: current.precipitation_probability,
        uv_index: current.uv_index ?? null,
        air_quality_index: polluted?.current.us_aqi ?? null,
      };
    },
  };
}
