import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { latitude, longitude } from '../place.ts';
import { AMENITIES_RADIUS } from './rules.ts';

export const amenityKind = z.enum(['water', 'bin', 'toilets', 'parking', 'vet', 'pet_shop']);
export type AmenityKind = z.infer<typeof amenityKind>;

const degrees = (range: z.ZodNumber) => z.string().min(1).transform(Number).pipe(range);

const amenity = z.object({
  id: z.string(),
  kind: amenityKind,
  name: z.string().nullable(),
  latitude,
  longitude,
  /** In words that help somebody who walks there, such as “Bags for dog waste”; the most useful first. */
  notes: z.array(z.string()),
  phone: z.string().nullable(),
  /** As OpenStreetMap writes them: “Mo-Fr 09:00-18:00”. */
  opening_hours: z.string().nullable(),
  /** By these hours at the caller's time; null if they don't tell. */
  is_open: z.boolean().nullable(),
  /** When that changes next, by the clock there: “18:00”, or “Mon 09:00” on another day. */
  changes_at: z.string().nullable(),
});
export type Amenity = z.infer<typeof amenity>;

/** Lists what helps on a walk around a point, nearest first: water, bins, vets. All of it is from OpenStreetMap, which must be named. */
export const listAmenities = endpoint('GET', '/amenities', {
  access: 'member',
  query: z.object({
    latitude: degrees(latitude),
    longitude: degrees(longitude),
    radius: z.coerce.number().min(0.1).max(AMENITIES_RADIUS.max).default(AMENITIES_RADIUS.usual),
    /** Divided by commas. */
    kinds: z
      .string()
      .max(100)
      .transform((names) => names.split(',').filter(Boolean))
      .pipe(z.array(amenityKind).min(1).max(amenityKind.options.length)),
    /** The caller's clock, in minutes east of UTC, so that opening hours are read by it. */
    utc_offset: z.coerce.number().int().min(-840).max(840).default(0),
  }),
  answer: z.object({ amenities: z.array(amenity) }),
  failure: 'Failed to load what is around',
});
