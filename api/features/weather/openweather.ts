import { z } from 'zod';
import type { Place } from '#shared/place.ts';
import { milesOf } from '#shared/place.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import type { WeatherHour } from '#shared/weather/contract.ts';
import { HOURS_AHEAD, UNKNOWN_CONDITION, worstCondition } from '#shared/weather/rules.ts';
import { fetchJson } from '../../platform/http/fetch-json.ts';
import { lenient, lenientList } from '../../platform/http/lenient-fields.ts';
import { ProviderFailure } from '../../platform/http/provider-failure.ts';
import { airQualityIndex } from './air-quality.ts';
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
const sky = lenientList(z.object({ icon: text }));
const oneCall = z.object({
  current: lenient(z.object({ uvi: value })),
  hourly: lenientList(z.object({ dt: value, temp: value, pop: value, weather: sky })),
});
/** Every three hours. */
const forecast = z.object({
  list: lenientList(
    z.object({ dt: value, main: lenient(z.object({ temp: value })), pop: value, weather: sky }),
  ),
});
/** Beyond it, a date has no text. */
const TIME_MAX_SECONDS = 8e12;
const STEPS_AHEAD = HOURS_AHEAD / 3;

interface Ahead {
  dt?: number | null;
  temp?: number | null;
  pop?: number | null;
  weather: readonly { icon?: string | null }[];
}
const percentOf = (pop: number | null | undefined) => (pop == null ? null : Math.round(pop * 100));

const hoursOf = (ahead: readonly Ahead[]): WeatherHour[] =>
  ahead.slice(0, HOURS_AHEAD).flatMap(({ dt, temp, pop, weather }) =>
    dt == null || Math.abs(dt) > TIME_MAX_SECONDS
      ? []
      : {
          at: new Date(dt * 1_000).toISOString(),
          temperature_f: temp ?? null,
          precipitation_chance: percentOf(pop),
          weather_icon: weather[0]?.icon ?? '',
        },
  );

/** How long One Call, a separate subscription, isn’t tried after it was denied. */
const UNSUBSCRIBED_MS = HOUR_MS;
/** How long it isn’t tried after another failure, unless it says so itself. */
const FAILED_MS = MINUTE_MS;

/** The weather from OpenWeather. */
export function openWeather({ key, url }: { key: string; url: string }): WeatherProvider {
  let pausedUntil = 0;

  function ask<S extends z.ZodType>(
    schema: S,
    path: string,
    { latitude, longitude }: Place,
    { signal, more = {} }: { signal: AbortSignal; more?: Record<string, string> },
  ) {
    const address = new URL(url + path);
    const query = { lat: String(latitude), lon: String(longitude), ...more, appid: key };
    address.search = new URLSearchParams(query).toString();
    return fetchJson(schema, address, { signal });
  }

  /** Returns the chance of rain, 0 to 1, and the UV index; null if unknown; and the next hours. All are optional. */
  async function outlook(place: Place, signal: AbortSignal) {
    if (Date.now() >= pausedUntil)
      try {
        const exclude = { exclude: 'minutely,daily,alerts', units: 'imperial' };
        const { current: now, hourly } = await ask(oneCall, '/data/3.0/onecall', place, {
          signal,
          more: exclude,
        });
        return { pop: hourly[0]?.pop ?? null, uvi: now?.uvi ?? null, hours: hoursOf(hourly) };
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error;
        const isDenied = error.status === 401 || error.status === 403;
        pausedUntil = Date.now() + (isDenied ? UNSUBSCRIBED_MS : (error.retryAfterMs ?? FAILED_MS));
      }
    const list = await ask(forecast, '/data/2.5/forecast', place, {
      signal,
      more: {
        cnt: String(STEPS_AHEAD),
        units: 'imperial',
      },
    }).then(
      (ahead) => ahead.list,
      () => [],
    );
    const hours = hoursOf(list.map(({ main, ...step }) => ({ ...step, temp: main?.temp ?? null })));
    return { pop: list[0]?.pop ?? null, uvi: null, hours };
  }

  return {
    async read(place, signal) {
      const [now, ahead, polluted] = await Promise.all([
        ask(current, '/data/2.5/weather', place, { signal, more: { units: 'imperial' } }),
        outlook(place, signal),
        // The air quality is optional.
        ask(air, '/data/2.5/air_pollution', place, { signal }).catch(() => null),
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
        precipitation_chance: percentOf(ahead.pop),
        uv_index: ahead.uvi,
        air_quality_index: components ? airQualityIndex(components) : null,
        hours: ahead.hours,
      });
    },
  };
}
