import { z } from 'zod';
import { optional } from '../env-fields.ts';

/** A provider’s base URL without a trailing slash; tests use an emulator. */
const address = (usual: string) =>
  optional.transform((url) => (url ?? usual).replace(/\/$/, '')).pipe(z.url());

/** Variables of weather and emergency alerts. */
export const weatherVariables = {
  OPENWEATHER_API_KEY: optional.describe('Weather from OpenWeather'),
  OPENWEATHER_URL: address('https://api.openweathermap.org').describe('Its base URL'),
  OPEN_METEO_API_KEY: optional.describe(
    'Weather from Open-Meteo, used without a key of OpenWeather',
  ),
  OPEN_METEO_KEYLESS: z
    .enum(['true', 'false', ''])
    .optional()
    .transform((value) => value === 'true')
    .describe('`true`: Open-Meteo without a key, which it allows for non-commercial use only'),
  OPEN_METEO_URL: optional.meta({ description: 'Its base URL', usually: 'depends on the key' }),
  OPEN_METEO_AIR_URL: optional.meta({
    description: 'Its base URL for air quality',
    usually: 'depends on the key',
  }),
  WEATHER_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .positive()
    .default(8_000)
    .describe('Timeout of weather and alert providers'),
  NWS_USER_AGENT: optional.describe(
    'User-Agent with a contact for the US National Weather Service; without, its alerts are off',
  ),
  NWS_URL: address('https://api.weather.gov').describe('Its base URL'),
};
