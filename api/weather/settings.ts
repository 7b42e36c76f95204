import { z } from 'zod';
import { optional } from '../env-fields.ts';

/** Where a provider is, without a slash at the end; tests put an emulator there. */
const address = (usual: string) =>
  optional.transform((url) => (url ?? usual).replace(/\/$/, '')).pipe(z.url());

/** The environment's variables of weather and emergency alerts. */
export const weatherVariables = {
  OPENWEATHER_API_KEY: optional,
  OPENWEATHER_URL: address('https://api.openweathermap.org'),
  OPEN_METEO_API_KEY: optional,
  /** Open-Meteo without a key, which its terms allow for non-commercial use only. */
  OPEN_METEO_KEYLESS: z
    .enum(['true', 'false', ''])
    .optional()
    .transform((value) => value === 'true'),
  /** Empty: what belongs to having or not having a key. */
  OPEN_METEO_URL: optional,
  OPEN_METEO_AIR_URL: optional,
  /** So long a provider of weather or alerts may take. */
  WEATHER_TIMEOUT_MS: z.coerce.number().int().positive().default(8_000),
  /** Who asks the US National Weather Service, as it wants to know; empty: nobody does. */
  NWS_USER_AGENT: optional,
  NWS_URL: address('https://api.weather.gov'),
};
