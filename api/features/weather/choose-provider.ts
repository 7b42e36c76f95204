import type { Env } from '../../platform/env.ts';
import { openMeteo } from './open-meteo.ts';
import { openWeather } from './openweather.ts';
import type { WeatherProvider } from './provider.ts';
import { createSandboxWeather } from './sandbox.ts';

/** Returns whether the weather is simulated: only if the sandbox is allowed. */
export const isSandboxWeather = (env: Env): boolean =>
  env.hasSandbox && !env.OPENWEATHER_API_KEY && !env.OPEN_METEO_API_KEY && !env.OPEN_METEO_KEYLESS;

/** Returns the configured provider; null if weather is off. */
export function chooseWeather(env: Env): WeatherProvider | null {
  if (env.OPENWEATHER_API_KEY)
    return openWeather({ key: env.OPENWEATHER_API_KEY, url: env.OPENWEATHER_URL });
  const key = env.OPEN_METEO_API_KEY ?? null;
  if (key || env.OPEN_METEO_KEYLESS) {
    const host = key ? 'customer-' : '';
    return openMeteo({
      key,
      url: env.OPEN_METEO_URL ?? `https://${host}api.open-meteo.com`,
      airUrl: env.OPEN_METEO_AIR_URL ?? `https://${host}air-quality-api.open-meteo.com`,
    });
  }
  return isSandboxWeather(env) ? createSandboxWeather : null;
}
