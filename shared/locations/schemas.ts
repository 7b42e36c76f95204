import { z } from 'zod';
import { latitude, longitude } from '../place.ts';

export const LOCATION_NAME_MAX = 100;
export const LOCATION_DESCRIPTION_MAX = 500;
export const LOCATION_ADDRESS_MAX = 200;
export const TIP_TITLE_MAX = 100;
export const TIP_CONTENT_MAX = 1000;
export const VISIT_NOTES_MAX = 500;
export const REPORT_DESCRIPTION_MAX = 500;
/** In miles. The page offers whole miles from 1. */
export const SEARCH_RADIUS = { min: 0.1, shortest: 1, max: 100, usual: 10 };
/** So many tips come with a place that is found, and are shown of it at first. */
export const TIPS_SHOWN = 5;
export const LOCATIONS_LIMIT = { usual: 20, max: 50 };
/** So many tips of one place are shown in all, the most helpful first. */
export const TIPS_MAX = 100;

export const locationType = z.enum(['park', 'trail', 'beach', 'urban', 'forest', 'lake', 'other']);
export type LocationType = z.infer<typeof locationType>;

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
  /** Null when its author is gone, or is kept apart from the reader by a block. */
  creator_user_id: z.string().nullable(),
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
  is_public: z.boolean(),
  is_active: z.boolean(),
  visit_count: z.number().int(),
  /** Of each person's latest rating, to a tenth; null when nobody rated. */
  average_rating: z.number().nullable(),
  /** Of the tips that everybody may read. */
  tip_count: z.number().int(),
});
export type WalkLocation = z.infer<typeof walkLocation>;

export const foundLocation = walkLocation.extend({
  /** From where it was searched. */
  distance_miles: z.number(),
  /** The most helpful first, `TIPS_SHOWN` at most. */
  tips: z.array(locationTip),
});
export type FoundLocation = z.infer<typeof foundLocation>;

/** A tip as one person reads it. */
const readTip = locationTip.extend({
  /** Whether the reader found it helpful. */
  is_helpful: z.boolean(),
});
export type ReadTip = z.infer<typeof readTip>;

/** A place as one person reads it. */
export const readLocation = walkLocation.extend({
  /** The most helpful first, with the reader's own that nobody else may read, `TIPS_MAX` at most. */
  tips: z.array(readTip),
  /** What the reader gave last. */
  own_rating: z.number().int().nullable(),
  /** Whether anybody but the one who made it went there or left a tip: then it stays when that one leaves. */
  is_used_by_others: z.boolean(),
});
export type ReadLocation = z.infer<typeof readLocation>;
