import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { latitude, longitude } from '../place.ts';
import { GEOCODER_QUERY } from './rules.ts';

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
  /** A place from OpenStreetMap. */
  is_osm: z.boolean().default(false),
});
export type GeocoderResult = z.infer<typeof geocoderResult>;

const attributions = z.array(z.object({ text: z.string(), url: z.url() }));

const text = z
  .string()
  .trim()
  .min(GEOCODER_QUERY.min, 'Enter at least two characters')
  .max(GEOCODER_QUERY.max);

const asked = z.object({
  query: text,
  /** Around where near ones are: rounded by the caller to about a kilometer. */
  latitude: z.coerce.number().pipe(latitude).optional(),
  longitude: z.coerce.number().pipe(longitude).optional(),
});

/**
 * Suggests places and towns while somebody types, near ones first. Addresses are searched by `searchGeocoder` alone, because geocoders
 * don't allow a search at each keystroke.
 */
export const suggestGeocoder = endpoint('GET', '/geocoder/suggest', {
  access: 'public',
  query: asked,
  answer: z.object({ results: z.array(geocoderResult), attributions }),
  limit: { points: 120, seconds: 60 },
  failure: 'Failed to search',
});

/**
 * Finds places, towns and addresses by name, near ones first. Visitors without access get towns only. The caller’s position
 * isn’t sent to the geocoder.
 */
export const searchGeocoder = endpoint('GET', '/geocoder/search', {
  access: 'public',
  query: asked,
  answer: z.object({
    results: z.array(geocoderResult),
    /** Whether addresses were searched: `off` without a geocoder, `failed` if it didn’t answer. */
    addresses: z.enum(['searched', 'failed', 'off']),
    /** The sources of the results, which must be shown. */
    attributions,
  }),
  limit: { points: 30, seconds: 60 },
  failure: 'Failed to search',
});

/**
 * Says in words where a point is that somebody is about to publish: its address, if a geocoder is configured (for members), and
 * the nearest town.
 */
export const describePoint = endpoint('GET', '/geocoder/reverse', {
  access: 'public',
  query: z.object({
    latitude: z.coerce.number().pipe(latitude),
    longitude: z.coerce.number().pipe(longitude),
  }),
  answer: z.object({
    address: z.string().nullable(),
    /** Null where no town is within 60 miles. */
    town: z.object({ name: z.string(), detail: z.string(), miles: z.number() }).nullable(),
    attributions,
  }),
  limit: { points: 30, seconds: 60 },
  failure: 'Failed to find the address',
});
