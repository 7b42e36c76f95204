import { z } from 'zod';
import { sponsoredBusiness } from '../advertisers/business-types.ts';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { latitude, longitude } from '../place.ts';
import {
  LOCATION_ADDRESS_MAX,
  LOCATION_DESCRIPTION_MAX,
  LOCATION_NAME_MAX,
  LOCATIONS_LIMIT,
  REPORT_DESCRIPTION_MAX,
  SEARCH_RADIUS,
  TIP_CONTENT_MAX,
  TIP_TITLE_MAX,
  VISIT_NOTES_MAX,
} from './rules.ts';
import {
  alternatives,
  foundLocation,
  locationTip,
  locationType,
  placeFeature,
  readLocation,
  tipType,
  walkLocation,
} from './schemas.ts';

const { id } = idParams.shape;
const degrees = (range: z.ZodNumber) => z.string().min(1).transform(Number).pipe(range);
const miles = z
  .string()
  .min(1)
  .transform(Number)
  .pipe(z.number().min(SEARCH_RADIUS.min).max(SEARCH_RADIUS.max));
const anyType = z.enum(['', 'all']).transform(() => undefined);
const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((word) => word === 'true');

/** Lists places around a point, nearest first. `radius` and `type` take precedence over their older names. */
export const searchLocations = endpoint('GET', '/locations/search', {
  access: 'member',
  query: z
    .object({
      latitude: degrees(latitude),
      longitude: degrees(longitude),
      radius: miles.optional(),
      radius_miles: miles.optional(),
      type: z.union([anyType, locationType]).optional(),
      location_type: z.union([anyType, locationType]).optional(),
      /** Divided by commas: only places that have all of them. */
      features: z
        .string()
        .max(200)
        .default('')
        .transform((names) => names.split(',').filter(Boolean))
        .pipe(z.array(placeFeature).max(placeFeature.options.length)),
      include_tips: flag,
      include_ads: flag,
      limit: z.coerce.number().int().min(1).max(LOCATIONS_LIMIT.max).default(LOCATIONS_LIMIT.usual),
      /** `next_cursor` of the answer before it. */
      cursor: z.string().max(4_000).optional(),
    })
    .transform(({ radius, radius_miles, type, location_type, ...rest }) => ({
      ...rest,
      radius_miles: radius ?? radius_miles ?? SEARCH_RADIUS.usual,
      location_type: type ?? location_type,
    })),
  answer: z.object({
    locations: z.array(foundLocation),
    advertisements: z.array(sponsoredBusiness),
    /** Null when there are no more. */
    next_cursor: z.string().nullable(),
    /** Null unless the search found nothing. */
    alternatives: alternatives.nullable().default(null),
  }),
  failure: 'Failed to search locations',
});

export const getLocation = endpoint('GET', '/locations/:id', {
  access: 'member',
  params: idParams,
  answer: z.object({ location: readLocation }),
  failure: 'Failed to load the location',
});

const words = (max: number) => z.string().trim().max(max);
const needed = (max: number) => z.string().trim().min(1, 'Required').max(max);
/** Forms send empty fields as '' or null. */
const noWords = (max: number) => words(max).nullish();

const details = {
  name: needed(LOCATION_NAME_MAX),
  description: noWords(LOCATION_DESCRIPTION_MAX),
  latitude,
  longitude,
  address: noWords(LOCATION_ADDRESS_MAX),
  location_type: locationType.default('park'),
  leash_required: z.boolean().default(false),
  parking_available: z.boolean().default(false),
  water_available: z.boolean().default(false),
  restrooms_available: z.boolean().default(false),
  // Left out by apps of earlier releases: then it stays as it is.
  off_leash: z.boolean().optional(),
  fenced: z.boolean().optional(),
  lit: z.boolean().optional(),
  is_public: z.boolean().default(true),
};
export const locationFields = z.object(details);
export type LocationFields = z.input<typeof locationFields>;

/** The code of a 409: such a place is there already. `fields.candidates` has the ids, divided by spaces. */
export const SIMILAR_LOCATION = 'similar_location';

/** A place that looks like one which is there is refused with its candidates, unless `confirm_new`. */
export const createLocation = endpoint('POST', '/locations', {
  access: 'member',
  body: locationFields.extend({ confirm_new: z.boolean().default(false) }),
  answer: z.object({ location: walkLocation }),
  failure: 'Failed to create location',
});

/** Replaces a place of the caller, or one from OpenStreetMap, with the form's values. */
export const updateLocation = endpoint('PUT', '/locations/:id', {
  access: 'member',
  params: idParams,
  body: locationFields,
  answer: z.object({ location: walkLocation }),
  failure: 'Failed to save the location',
});

/** Removes the caller's place. If others use it, it stays without its creator. */
export const deleteLocation = endpoint('DELETE', '/locations/:id', {
  access: 'member',
  params: idParams,
  answer: z.object({ is_removed: z.boolean() }),
  failure: 'Failed to remove the location',
});

export const tipFields = z.object({
  tip_type: tipType.default('general'),
  title: needed(TIP_TITLE_MAX),
  content: needed(TIP_CONTENT_MAX),
  is_public: z.boolean().default(true),
});
export type TipFields = z.input<typeof tipFields>;

export const createTip = endpoint('POST', '/location-tips', {
  access: 'member',
  body: tipFields.extend({ location_id: id }),
  answer: z.object({ tip: locationTip }),
  failure: 'Failed to create tip',
});

export const updateTip = endpoint('PUT', '/location-tips/:id', {
  access: 'member',
  params: idParams,
  body: tipFields,
  answer: z.object({ tip: locationTip }),
  failure: 'Failed to save the tip',
});

export const deleteTip = endpoint('DELETE', '/location-tips/:id', {
  access: 'member',
  params: idParams,
  failure: 'Failed to remove the tip',
});

/** Each person counts once. Users can't vote for their own tips. */
export const voteForTip = endpoint('POST', '/location-tips/:id/helpful', {
  access: 'member',
  params: idParams,
  body: z.object({ is_helpful: z.boolean() }),
  answer: z.object({ is_helpful_count: z.number().int() }),
  failure: 'Failed to save your vote',
});

/** The code of a 409: the given position is too far from the place for a visit. */
export const NOT_THERE = 'not_there';

/**
 * Records a visit. Each user has one visit per place and day; another one on that day changes its rating and notes. A position that is given
 * must be within `VISIT_METERS` of the place.
 */
export const createVisit = endpoint('POST', '/location-visits', {
  access: 'member',
  body: z.object({
    location_id: id,
    rating: z.number().int().min(1).max(5).nullish(),
    notes: noWords(VISIT_NOTES_MAX),
    latitude: latitude.nullish(),
    longitude: longitude.nullish(),
  }),
  answer: z.object({
    visit: z.object({
      id: z.string(),
      location_id: z.string(),
      user_id: z.string(),
      visit_date: z.iso.datetime(),
      rating: z.number().int().nullable(),
      notes: z.string().nullable(),
      latitude: latitude.nullable(),
      longitude: longitude.nullable(),
    }),
  }),
  failure: 'Failed to record visit',
});

export const locationReportType = z.enum([
  'wrong_place',
  'wrong_details',
  'duplicate',
  'inappropriate',
  'spam',
  'other',
]);
export type LocationReportType = z.infer<typeof locationReportType>;

/** Says that a place, or a tip of it, is wrong. Again by the same person, it takes the place of the first. */
export const reportProblem = endpoint('POST', '/location-reports', {
  access: 'member',
  body: z.object({
    location_id: id,
    /** Left out: the place itself. */
    tip_id: id.nullish(),
    report_type: locationReportType,
    description: noWords(REPORT_DESCRIPTION_MAX),
  }),
  failure: 'Failed to send the report',
});

/** Returns the source of the map tiles; null if none is configured. */
export const getMapTiles = endpoint('GET', '/locations/map-tiles', {
  // Advertisers place their business on a map before they have an account.
  access: 'public',
  answer: z.object({
    tiles: z
      .object({
        /** With {z}, {x} and {y}. */
        url: z.string(),
        attribution: z.string(),
        attribution_url: z.string().nullable(),
      })
      .nullable(),
  }),
  failure: 'Failed to load the map',
});
