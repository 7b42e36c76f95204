import { z } from 'zod';
import { bulkItems, bulkOutcome, paged, paging, search, version } from '../admin/paging.ts';
import { tableExport } from '../admin/table-export.ts';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { locationFields, locationReportType, tipFields } from './contract.ts';
import { locationTip, locationType, tipType, walkLocation } from './schemas.ts';

const reason = z.string().trim().max(500).nullish();

/** A place as admins have it. */
export const adminLocation = walkLocation.extend({
  /** The place that it turned out to be. */
  merged_into: z.string().nullable(),
  /** On it or on its tips, and not decided yet. */
  open_reports: z.number().int(),
  created_at: z.iso.datetime(),
  version,
});
export type AdminLocation = z.infer<typeof adminLocation>;

export const adminTip = locationTip.extend({ version });
export type AdminTip = z.infer<typeof adminTip>;

export const locationReport = z.object({
  id: z.string(),
  /** Null: the place itself. */
  tip_id: z.string().nullable(),
  report_type: locationReportType,
  description: z.string().nullable(),
  created_at: z.iso.datetime(),
});
export type LocationReport = z.infer<typeof locationReport>;

const wanted = {
  search,
  status: z.enum(['shown', 'hidden', 'merged', 'reported']).optional(),
  sort: z.enum(['newest', 'oldest', 'most_reported']).default('newest'),
};

/** Lists all public places, also hidden ones. Admins don't see private places. */
export const listAdminLocations = endpoint('GET', '/admin/locations', {
  access: 'admin',
  query: z.object({ ...paging, ...wanted }),
  answer: z.object({ locations: z.array(adminLocation), ...paged }),
  failure: 'Failed to load locations',
});

/** The list as a table for a spreadsheet. */
export const exportAdminLocations = tableExport(
  '/admin/locations/export',
  wanted,
  listAdminLocations.failure,
);

/** Returns a place with its tips, its open reports, and places nearby that may be the same. */
export const getAdminLocation = endpoint('GET', '/admin/locations/:id', {
  access: 'admin',
  params: idParams,
  answer: z.object({
    location: adminLocation,
    tips: z.array(adminTip),
    reports: z.array(locationReport),
    near: z.array(z.object({ id: z.string(), name: z.string(), meters: z.number().int() })),
  }),
  failure: 'Failed to load the location',
});

/** Hides a place from everyone, or shows it again. Hiding it settles its reports. */
export const changeAdminLocation = endpoint('PUT', '/admin/locations/:id', {
  access: 'admin',
  params: idParams,
  body: z.object({ is_active: z.boolean(), version: version.optional(), reason }),
  answer: z.object({ location: adminLocation }),
  failure: 'Failed to change the location',
});

/** What an admin may correct in a place: all that is shown of it. Fields left out stay. */
export const locationTexts = z.object({
  ...locationFields.omit({ is_public: true }).partial().shape,
  // Without the defaults of a new place.
  location_type: locationType.optional(),
  leash_required: z.boolean().optional(),
  parking_available: z.boolean().optional(),
  water_available: z.boolean().optional(),
  restrooms_available: z.boolean().optional(),
});

/** Corrects a place. Latitude and longitude are sent together. */
export const editAdminLocation = endpoint('PUT', '/admin/locations/:id/texts', {
  access: 'admin',
  params: idParams,
  body: locationTexts
    .extend({ version: version.optional() })
    .refine((place) => (place.latitude === undefined) === (place.longitude === undefined), {
      error: 'Enter both coordinates',
      path: ['latitude'],
    }),
  answer: z.object({ location: adminLocation }),
  failure: 'Failed to save the location',
});

export const changeAdminLocations = endpoint('POST', '/admin/locations/bulk', {
  access: 'admin',
  requiresRecentSignIn: true,
  body: z.object({ items: bulkItems, is_active: z.boolean() }),
  answer: bulkOutcome,
  failure: 'Failed to change the locations',
});

/** Hides a tip from everyone, or shows it again. Hiding it settles its reports. */
export const changeAdminTip = endpoint('PUT', '/admin/location-tips/:id', {
  access: 'admin',
  params: idParams,
  body: z.object({ is_active: z.boolean(), version: version.optional(), reason }),
  answer: z.object({ tip: adminTip }),
  failure: 'Failed to change the tip',
});

/** What an admin may correct in a tip. Fields left out stay. */
export const tipTexts = z.object({
  tip_type: tipType.optional(),
  title: tipFields.shape.title.optional(),
  content: tipFields.shape.content.optional(),
});

/** Corrects a public tip. Its author stays, and isn't notified. */
export const editAdminTip = endpoint('PUT', '/admin/location-tips/:id/texts', {
  access: 'admin',
  params: idParams,
  body: tipTexts.extend({ version: version.optional() }),
  answer: z.object({ tip: adminTip }),
  failure: 'Failed to save the tip',
});

/** Nothing is wrong with a place and its tips: all open reports are settled. */
export const dismissLocationReports = endpoint('POST', '/admin/locations/:id/dismiss-reports', {
  access: 'admin',
  params: idParams,
  body: z.object({ reason }),
  answer: z.object({ location: adminLocation }),
  failure: 'Failed to dismiss the reports',
});

/** Merges a place into another: moves its tips and visits, and redirects its id. */
export const mergeLocations = endpoint('POST', '/admin/locations/:id/merge', {
  access: 'admin',
  params: idParams,
  body: z.object({ into_id: z.string().min(1).max(64) }),
  answer: z.object({ location: adminLocation }),
  failure: 'Failed to merge the locations',
});
