import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { latitude, longitude } from '../place.ts';

export const GEOCODER_QUERY = { min: 2, max: 120 };

const geocoderResult = z.object({
  /** `place`: one of our places to walk; `town`: from our own list; `address`: from the geocoder. */
  kind: z.enum(['place', 'town', 'address']),
  /** Of a place. */
  id: z.string().nullable(),
  name: z.string(),
  /** Where it is, such as “Illinois, United States”. */
  detail: z.string(),
  latitude,
  longitude,
});
export type GeocoderResult = z.infer<typeof geocoderResult>;

/**
 * Finds places, towns and addresses by name. Visitors without access get towns only. The caller’s position isn’t needed,
 * and isn’t sent to the geocoder.
 */
export const searchGeocoder = endpoint('GET', '/geocoder/search', {
  access: 'public',
  query: z.object({
    query: z
      .string()
      .trim()
      .min(GEOCODER_QUERY.min, 'Enter at least two characters')
      .max(GEOCODER_QUERY.max),
  }),
  answer: z.object({
    results: z.array(geocoderResult),
    /** Whether addresses were searched: `off` without a geocoder, `failed` if it didn’t answer. */
    addresses: z.enum(['searched', 'failed', 'off']),
    /** The sources of the results, which must be shown. */
    attributions: z.array(z.object({ text: z.string(), url: z.url() })),
  }),
  limit: { points: 30, seconds: 60 },
  failure: 'Failed to search',
});
