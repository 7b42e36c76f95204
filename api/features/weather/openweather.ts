import { z } from 'zod';
import type { Place } from '#shared/place.ts';
import { milesOf } from '#shared/place.ts';
import { UNKNOWN_CONDITION, worstCondition } from '#shared/weather/rules.ts';
import { lenient, lenientList } from '../../platform/http/lenient-fields.ts';
import { airQualityIndex } from './air-quality.ts';
import { fetchJson } from '../../platform/http/fetch-json.ts';
import { ProviderFailure } from '../../platform/http/provider-failure.ts';
import { assertKnown, type WeatherProvider } from './provider.ts';

const value = lenient(z.number());
const text = lenient(z.string());
const current = z.object({
  weather: lenientList(z.object({ main: z.string().min(1), description: text, icon: text })),
  main: lenient(z.object({ temp: value, feels_like: value, humidity: value })),
  wind: lenient(z.object({ speed: value, deg: value })),
  visibility: value,
});
const air = z.object({
  list: lenientList(
    z.object({
      components: z.object({
        pm2_5: value,
        pm10: value,
        o3: value,
        no2: value,
        so2: value,
        co: value,
      }),
    }),
  ),
});
const chances = lenientList(z.object({ pop: value }));
const oneCall = z.object({ current: lenient(z.object({ uvi: value })), hourly: chances });
const forecast = z.object({ list: chances });

/** How long One Call, a separate subscription, isn’t tried after it was denied. */
const UNSUBSCRIBED_MS = 60 * 60_000;
/** How long it isn’t tried after another failure, unless it says so itself. */
const FAILED_MS = 60_000;

/** The weather from OpenWeather. */
export function openWeather({ key, url }: { key: string; url: string }): WeatherProvider {
  let pausedUntil = 0;

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

  /** Returns the chance of rain, 0 to 1, and the UV index; null if unknown. Both are optional. */
  async function outlook(place: Place, signal: AbortSignal) {
    if (Date.now() >= pausedUntil)
      try {
        const exclude = { exclude: 'minutely,daily,alerts' };
        const { current: now, hourly } = await ask(
          oneCall,
          '/data/3.0/onecall',
          place,
          signal,
          exclude,
        );
        return { pop: hourly[0]?.pop ?? null, uvi: now?.uvi ?? null };
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        const isDenied = error.status === 401 || error.status === 403;
        pausedUntil = Date.now() + (isDenied ? UNSUBSCRIBED_MS : (error.retryAfterMs ?? FAILED_MS));
      }
    const list = await ask(forecast, '/data/2.5/forecast', place, signal, { cnt: '1' }).then(
      (ahead) => ahead.list,
      () => [],
    );
    return { pop: list[0]?.pop ?? null, uvi: null };
  }

  return {
    async read(place, signal) {
      const [now, ahead, polluted] = await Promise.all([
        ask(current, '/data/2.5/weather', place, signal, { units: 'imperial' }),
        outlook(place, signal),
        // The air quality is optional.
        ask(air, '/data/2.5/air_pollution', place, signal).catch(() => null),
      ]);
      // There may be several, such as mist and a thunderstorm.
      const worst = worstCondition(now.weather, ({ main, description }) =>
        [main, description].join(' '),
      );
      const components = polluted?.list[0]?.components;
      return assertKnown({
        temperature_f: now.main?.temp ?? null,
        feels_like_f: now.main?.feels_like ?? null,
        weather_icon: worst?.icon ?? '',
        ...(worst
          ? {
              weather_condition: worst.main,
              weather_description: worst.description || worst.main.toLowerCase(),
            }
          : UNKNOWN_CONDITION),
        humidity: now.main?.humidity ?? null,
        wind_speed_mph: now.wind?.speed ?? null,
        wind_direction: now.wind?.deg ?? null,
        visibility_miles: now.visibility == null ? null : milesOf(now.visibility),
        precipitation_chance: ahead.pop === null ? null : Math.round(ahead.pop * 100),
        uv_index: ahead.uvi,
        air_quality_index: components ? airQualityIndex(components) : null,
      });
    },
  };
}
