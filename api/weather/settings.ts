import { z } from 'zod';
import { optional } from '../env-fields.ts';

/** A provider’s base URL without a trailing slash; tests use an emulator. */
const address = (usual: string) =>
  optional.transform((url) => (url ?? usual).replace(/\/$/, '')).pipe(z.url());

/** Variables of weather and emergency alerts. */
export const weatherVariables = {
  OPENWEATHER_API_KEY: optional,
  OPENWEATHER_URL: address('https://api.openweathermap.org'),
  OPEN_METEO_API_KEY: optional,
  /** Open-Meteo without a key, which its terms allow for non-commercial use only. */
  OPEN_METEO_KEYLESS: z
    .enum(['true', 'false', ''])
    .optional()
    .transform((value) => value === 'true'),
  /** Empty: the default with or without a key. */
  OPEN_METEO_URL: optional,
  OPEN_METEO_AIR_URL: optional,
  /** Timeout of weather and alert providers. */
  WEATHER_TIMEOUT_MS: z.coerce.number().int().positive().default(8_000),
  /**
   * The User-Agent for the US National Weather Service, which requires one; empty turns its alerts off.
   */
  NWS_USER_AGENT: optional,
  NWS_URL: address('https://api.weather.gov'),
};
