import { z } from 'zod';
import { latitude, longitude } from '../place.ts';

export const locationType = z.enum(['park', 'trail', 'beach', 'urban', 'forest', 'lake', 'other']);
export type LocationType = z.infer<typeof locationType>;

/** What a search can ask for. The name is the field of a place that it needs. */
export const placeFeature = z.enum([
  'off_leash',
  'fenced',
  'water_available',
  'parking_available',
  'lit',
]);
export type PlaceFeature = z.infer<typeof placeFeature>;

export const tipType = z.enum([
  'general',
  'food',
  'bathroom',
  'lodging',
  'parking',
  'safety',
  'activity',
  'veterinary',
  'other',
]);
export type TipType = z.infer<typeof tipType>;

export const locationTip = z.object({
  id: z.string(),
  location_id: z.string(),
  /** Null when the author left, or a block is between them and the reader. */
  creator_user_id: z.string().nullable(),
  /** Their name, in answers to members; null if it isn't known. */
  author_name: z.string().nullable().default(null),
  tip_type: tipType,
  title: z.string(),
  content: z.string(),
  is_helpful_count: z.number().int(),
  is_public: z.boolean(),
  is_active: z.boolean(),
  created_at: z.iso.datetime(),
});
export type LocationTip = z.infer<typeof locationTip>;

export const walkLocation = z.object({
  id: z.string(),
  creator_user_id: z.string().nullable(),
  name: z.string(),
  description: z.string(),
  latitude,
  longitude,
  address: z.string(),
  location_type: locationType,
  leash_required: z.boolean(),
  parking_available: z.boolean(),
  water_available: z.boolean(),
  restrooms_available: z.boolean(),
  /** Dogs may run free. */
  off_leash: z.boolean().default(false),
  fenced: z.boolean().default(false),
  /** At night. */
  lit: z.boolean().default(false),
  /** In OpenStreetMap's notation; null if unknown. */
  opening_hours: z.string().nullable().default(null),
  /** Such as `way/123`; null for a place that a member added. Whoever shows it names OpenStreetMap (decision 170). */
  osm_id: z.string().nullable().default(null),
  is_public: z.boolean(),
  is_active: z.boolean(),
  visit_count: z.number().int(),
  /** The average of each person's latest rating, to a tenth; null without ratings. */
  average_rating: z.number().nullable(),
  /** The number of public tips. */
  tip_count: z.number().int(),
});
export type WalkLocation = z.infer<typeof walkLocation>;

export const foundLocation = walkLocation.extend({
  /** From where it was searched. */
  distance_miles: z.number(),
  /** Of the newest photo; null without one. */
  image_key: z.string().nullable().default(null),
  /** The most helpful first, `TIPS_SHOWN` at most. */
  tips: z.array(locationTip),
});
export type FoundLocation = z.infer<typeof foundLocation>;

/** What there is instead of the places of an empty search. */
export const alternatives = z.object({
  /** Types that were not searched for, within the same radius; the most frequent first. */
  types: z.array(z.object({ location_type: locationType, count: z.number().int() })),
  /** The smallest suggested radius with a place of the searched type, in miles; null if there is none. */
  wider_radius_miles: z.number().nullable(),
});
export type Alternatives = z.infer<typeof alternatives>;

/** A tip as one person reads it. */
const readTip = locationTip.extend({
  /** Whether the reader found it helpful. */
  is_helpful: z.boolean(),
});
export type ReadTip = z.infer<typeof readTip>;

/** A photo of a place, served from `/api/files/{image_key}`. */
export const locationPhoto = z.object({
  id: z.string(),
  image_key: z.string(),
  creator_user_id: z.string(),
  /** Null if it isn't known. */
  author_name: z.string().nullable(),
  created_at: z.iso.datetime(),
});
export type LocationPhoto = z.infer<typeof locationPhoto>;

/** A place as one person reads it. */
export const readLocation = walkLocation.extend({
  /** Most helpful first, including the reader's own private ones, at most `TIPS_MAX`. */
  tips: z.array(readTip),
  /** The newest first, `PHOTOS_SHOWN` at most. */
  photos: z.array(locationPhoto).default([]),
  /** The reader's latest rating. */
  own_rating: z.number().int().nullable(),
  /** Whether anyone but its creator visited it or left a tip: then it stays when the creator leaves. */
  is_used_by_others: z.boolean(),
});
export type ReadLocation = z.infer<typeof readLocation>;
