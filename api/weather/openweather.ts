import { z } from 'zod';
import type { Place } from '#shared/place.ts';
import { airQualityIndex } from './air-quality.ts';
import { fetchJson } from './fetch-json.ts';
import { milesOf } from '#shared/place.ts';
import { ProviderFailure, type WeatherProvider } from './provider.ts';

const current = z.object({
  weather: z.tuple(
    [z.object({ main: z.string(), description: z.string(), icon: z.string() })],
    z.unknown(),
  ),
  main: z.object({ temp: z.number(), feels_like: z.number(), humidity: z.number() }),
  wind: z.object({ speed: z.number(), deg: z.number().optional() }),
  visibility: z.number().optional(),
});
const air = z.object({
  list: z.tuple(
    [
      z.object({
        components: z.object({
          pm2_5: z.number().optional(),
          pm10: z.number().optional(),
          o3: z.number().optional(),
          no2: z.number().optional(),
          so2: z.number().optional(),
          co: z.number().optional(),
        }),
      }),
    ],
    z.unknown(),
  ),
});
const chance = z.tuple([z.object({ pop: z.number() })], z.unknown());
const oneCall = z.object({ current: z.object({ uvi: z.number().optional() }), hourly: chance });
const forecast = z.object({ list: chance });

/** How long One Call, a separate subscription, isn’t tried after it was denied. */
const UNSUBSCRIBED_MS = 60 * 60_000;

/** The weather from OpenWeather. */
export function openWeather({ key, url }: { key: string; url: string }): WeatherProvider {
  let unsubscribedUntil = 0;

  function ask<S extends z.ZodType>(
    schema: S,
    path: string,
    { latitude, longitude }: Place,
    signal: AbortSignal,
    more: Record<string, string> = {},
  ) {
    const address = new URL(url + path);
    const query = { lat: String(latitude), lon: String(longitude), ...more, appid: key };
    address.search = new URLSearchParams(query).toString();
    return fetchJson(schema, address, { signal });
  }

  /** Returns the chance of rain, 0 to 1, and the UV index if known. */
  async function outlook(place: Place, signal: AbortSignal) {
    if (Date.now() >= unsubscribedUntil)
      try {
        const exclude = { exclude: 'minutely,daily,alerts' };
        const { current: now, hourly } = await ask(
          oneCall,
          '/data/3.0/onecall',
          place,
          signal,
          exclude,
        );
        return { pop: hourly[0].pop, uvi: now.uvi ?? null };
      } catch (error) {
        const status = error instanceof ProviderFailure ? error.status : null;
        if (status !== 401 && status !== 403) throw error;
        unsubscribedUntil = Date.now() + UNSUBSCRIBED_MS;
      }
    const { list } = await ask(forecast, '/data/2.5/forecast', place, signal, { cnt: '1' });
    return { pop: list[0].pop, uvi: null };
  }

  return {
    async read(place, signal) {
      const [now, ahead, polluted] = await Promise.all([
        ask(current, '/data/2.5/weather', place, signal, { units: 'imperial' }),
        outlook(place, signal),
        // The air quality is optional.
        ask(air, '/data/2.5/air_pollution', place, signal).catch(() => null),
      ]);
      const [{ main, description, icon }] = now.weather;
      return {
        temperature_f: now.main.temp,
        feels_like_f: now.main.feels_like,
        weather_icon: icon,
        weather_condition: main,
        weather_description: description,
        humidity: now.main.humidity,
        wind_speed_mph: now.wind.speed,
        wind_direction: now.wind.deg ?? null,
        visibility_miles: now.visibility === undefined ? null : milesOf(now.visibility),
        precipitation_chance: Math.round(ahead.pop * 100),
        uv_index: ahead.uvi,
        air_quality_index: polluted && airQualityIndex(polluted.list[0].components),
      };
    },
  };
}
