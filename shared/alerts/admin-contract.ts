import { z } from 'zod';
import { paged, paging, search } from '../admin/paging.ts';
import { tableExport } from '../admin/table-export.ts';
import { endpoint, HEAVY_READ } from '../endpoint.ts';
import { idParams, orNone, timeOrNone } from '../form-fields.ts';
import { latitude, longitude } from '../place.ts';
import { alertType, issuedAlert, severity } from './contract.ts';
import {
  DESCRIPTION_MAX,
  INSTRUCTIONS_MAX,
  RADIUS_MAX_MILES,
  RADIUS_MIN_MILES,
  TITLE_MAX,
} from './rules.ts';

/** An alert as admins have it. */
export const adminAlert = issuedAlert.extend({
  /** From an admin, or from the US National Weather Service. */
  source: z.enum(['admin', 'nws']),
  /** The nearest town, such as 'Eugene, Oregon, United States'; null far from any, and outside the list. */
  near: z.string().nullable().default(null),
  created_at: z.iso.datetime(),
});
export type AdminAlert = z.infer<typeof adminAlert>;

const wanted = {
  search,
  status: z.enum(['active', 'over']).optional(),
  severity: severity.optional(),
  source: z.enum(['admin', 'nws']).optional(),
  sort: z.enum(['newest', 'oldest']).default('newest'),
};

export const listAdminAlerts = endpoint('GET', '/admin/emergency-alerts', {
  access: 'admin',
  query: z.object({ ...paging, ...wanted }),
  answer: z.object({ alerts: z.array(adminAlert), ...paged }),
  failure: 'Unable to load emergency alerts',
});

/** The list as a table for a spreadsheet. */
export const exportAlerts = tableExport(
  '/admin/emergency-alerts/export',
  wanted,
  'Unable to load emergency alerts',
);

export const createAlert = endpoint('POST', '/admin/emergency-alerts', {
  access: 'admin',
  body: z
    .object({
      /** Made up when blank. */
      alert_id: orNone(z.string().trim().max(200)).optional(),
      alert_type: alertType,
      severity,
      title: z.string().trim().min(1, 'Required').max(TITLE_MAX),
      description: z.string().trim().min(1, 'Required').max(DESCRIPTION_MAX),
      instructions: orNone(z.string().trim().max(INSTRUCTIONS_MAX)).optional(),
      affected_latitude: latitude,
      affected_longitude: longitude,
      /** To a tenth of a mile. */
      radius_miles: z
        .number()
        .min(RADIUS_MIN_MILES)
        .max(RADIUS_MAX_MILES)
        .transform((miles) => Math.round(miles * 10) / 10),
      /** Left out: now. */
      starts_at: timeOrNone.optional(),
      expires_at: timeOrNone.optional(),
    })
    .refine(
      ({ starts_at, expires_at }) => {
        const start = starts_at ? Date.parse(starts_at) : 0;
        // An alert that has ended would reach no one.
        return !expires_at || Date.parse(expires_at) > Math.max(start, Date.now());
      },
      { path: ['expires_at'] },
    ),
  answer: z.object({ alert: adminAlert }),
  failure: 'Failed to create alert',
});

/**
 * About how many people an alert would reach now: those who share their location in `countedArea`, which covers the area. In tens,
 * and 0 for fewer than ten. An admin can compare many areas, and one person may make a ten full: this then tells only that they are in
 * one of two circles of some miles and not in the other.
 */
export const getAlertReach = endpoint('GET', '/admin/emergency-alerts/reach', {
  limit: HEAVY_READ,
  access: 'admin',
  query: z.object({
    latitude: z.coerce.number().pipe(latitude),
    longitude: z.coerce.number().pipe(longitude),
    radius_miles: z.coerce.number().min(RADIUS_MIN_MILES).max(RADIUS_MAX_MILES),
  }),
  answer: z.object({ people: z.number().int() }),
  failure: 'Failed to count the people in the area',
});

export const deactivateAlert = endpoint('POST', '/admin/emergency-alerts/:id/deactivate', {
  access: 'admin',
  params: idParams,
  answer: z.object({ alert: adminAlert }),
  failure: 'Failed to deactivate alert',
});
