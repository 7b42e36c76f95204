import { z } from 'zod';
import { emergencyAlert, serverTime } from '../alerts/contract.ts';
import { endpoint } from '../endpoint.ts';
import { latitude, longitude } from '../place.ts';

const NO_PLACE = 'Location coordinates required';
const coordinate = (range: z.ZodNumber) => z.number({ error: NO_PLACE }).pipe(range);

const weatherHour = z.object({
  at: z.iso.datetime(),
  temperature_f: z.number().nullable(),
  /** Percent, 0 to 100. */
  precipitation_chance: z.number().nullable(),
  /** As in the reading. */
  weather_icon: z.string(),
});
export type WeatherHour = z.infer<typeof weatherHour>;

/** A weather reading of one cell. Values that the provider doesn't know are null. */
export const weather = z.object({
  id: z.string(),
  /** The caller; stored readings don't have it. */
  user_id: z.string(),
  /** The cell, rounded to 3 decimals. */
  latitude,
  longitude,
  temperature_f: z.number().nullable(),
  temperature_c: z.number().nullable(),
  feels_like_f: z.number().nullable(),
  feels_like_c: z.number().nullable(),
  /** In OpenWeather's names, such as `10d`; empty if unknown. */
  weather_icon: z.string(),
  /** The group, such as `Rain`. */
  weather_condition: z.string(),
  /** In words, such as `shower rain`. */
  weather_description: z.string(),
  /** Percent, 0 to 100; so is `precipitation_chance`. */
  humidity: z.number().nullable(),
  wind_speed_mph: z.number().nullable(),
  /** Where the wind comes from, in degrees from north. */
  wind_direction: z.number().nullable(),
  visibility_miles: z.number().nullable(),
  precipitation_chance: z.number().nullable(),
  uv_index: z.number().nullable(),
  /** The EPA's, 0 to 500. */
  air_quality_index: z.number().nullable(),
  is_dog_walking_safe: z.boolean(),
  safety_warnings: z.array(z.string()),
  /** The next hours, as far as the provider knows them. */
  hours: z.array(weatherHour).optional(),
  retrieved_at: z.iso.datetime(),
});
export type Weather = z.infer<typeof weather>;

export const readWeather = endpoint('POST', '/weather', {
  access: 'member',
  body: z.object(
    {
      latitude: coordinate(latitude),
      longitude: coordinate(longitude),
      /** Asks the provider although a reading is fresh; limited. */
      refresh: z.boolean().optional(),
    },
    { error: NO_PLACE },
  ),
  /** Without `alerts` if they could not be read. */
  answer: z.object({
    weather,
    alerts: z.array(emergencyAlert).optional(),
    server_time: serverTime,
  }),
  failure: 'Failed to fetch weather data',
});
