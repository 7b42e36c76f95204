import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { latitude, longitude } from '../place.ts';

export const TITLE_MAX = 200;
export const DESCRIPTION_MAX = 1000;
export const INSTRUCTIONS_MAX = 500;
export const RADIUS_MIN_MILES = 0.1;
export const RADIUS_MAX_MILES = 100;
export const RADIUS_DEFAULT_MILES = 10;

export const alertType = z.enum([
  'weather',
  'air_quality',
  'public_safety',
  'natural_disaster',
  'other',
]);
export type AlertType = z.infer<typeof alertType>;

export const severity = z.enum(['minor', 'moderate', 'severe', 'extreme']);
export type Severity = z.infer<typeof severity>;

const issuedAlert = z.object({
  id: z.string(),
  /** What its issuer calls it; an update of the same alert may call it anew. */
  alert_id: z.string(),
  alert_type: alertType,
  severity,
  title: z.string(),
  description: z.string(),
  instructions: z.string().nullable(),
  affected_latitude: latitude,
  affected_longitude: longitude,
  radius_miles: z.number(),
  starts_at: z.iso.datetime(),
  /** Null: until it is deactivated. */
  expires_at: z.iso.datetime().nullable(),
  is_active: z.boolean(),
});

/** An alert as one person has it. */
export const emergencyAlert = issuedAlert.extend({
  /** That person. */
  user_id: z.string(),
  is_acknowledged: z.boolean(),
  acknowledged_at: z.iso.datetime().nullable(),
});
export type EmergencyAlert = z.infer<typeof emergencyAlert>;

/** An alert as admins have it. */
export const adminAlert = issuedAlert.extend({
  /** From an admin, or from the US National Weather Service. */
  source: z.enum(['admin', 'nws']),
  created_at: z.iso.datetime(),
});
export type AdminAlert = z.infer<typeof adminAlert>;

const id = z.object({ id: z.string().min(1).max(64) });
const degrees = (range: z.ZodNumber) => z.string().min(1).transform(Number).pipe(range);

export const listAlerts = endpoint({
  method: 'GET',
  path: '/emergency-alerts',
  access: 'member',
  query: z.object({ latitude: degrees(latitude), longitude: degrees(longitude) }),
  answer: z.object({ alerts: z.array(emergencyAlert) }),
  failure: 'Unable to load emergency alerts',
});

export const acknowledgeAlert = endpoint({
  method: 'POST',
  path: '/emergency-alerts/:id/acknowledge',
  access: 'member',
  params: id,
  answer: z.object({ acknowledged_at: z.iso.datetime() }),
  failure: 'Failed to acknowledge alert',
});

export const listAdminAlerts = endpoint({
  method: 'GET',
  path: '/admin/emergency-alerts',
  access: 'admin',
  answer: z.object({ alerts: z.array(adminAlert) }),
  failure: 'Unable to load emergency alerts',
});

/** Empty form fields arrive as '' and mean 'none'. */
const emptyToNull = (value: unknown) => (value === '' ? null : value);
const time = z.preprocess(
  emptyToNull,
  z.iso.datetime({ offset: true, local: true }).nullable().optional(),
);

export const createAlert = endpoint({
  method: 'POST',
  path: '/admin/emergency-alerts',
  access: 'admin',
  body: z
    .object({
      /** Made up when blank. */
      alert_id: z.preprocess(emptyToNull, z.string().trim().max(200).nullable().optional()),
      alert_type: alertType,
      severity,
      title: z.string().trim().min(1, 'Required').max(TITLE_MAX),
      description: z.string().trim().min(1, 'Required').max(DESCRIPTION_MAX),
      instructions: z.preprocess(
        emptyToNull,
        z.string().trim().max(INSTRUCTIONS_MAX).nullable().optional(),
      ),
      affected_latitude: latitude,
      affected_longitude: longitude,
      /** To a tenth of a mile. */
      radius_miles: z
        .number()
        .min(RADIUS_MIN_MILES)
        .max(RADIUS_MAX_MILES)
        .transform((miles) => Math.round(miles * 10) / 10)
        .default(RADIUS_DEFAULT_MILES),
      /** Left out: now. */
      starts_at: time,
      expires_at: time,
    })
    .refine(
      ({ starts_at, expires_at }) => {
        const start = starts_at ? Date.parse(starts_at) : Date.now();
        return !expires_at || Date.parse(expires_at) > start;
      },
      { path: ['expires_at'] },
    ),
  answer: z.object({ alert: adminAlert }),
  failure: 'Failed to create alert',
});

export const deactivateAlert = endpoint({
  method: 'POST',
  path: '/admin/emergency-alerts/:id/deactivate',
  access: 'admin',
  params: id,
  answer: z.object({ alert: adminAlert }),
  failure: 'Failed to deactivate alert',
});

/** An event: an alert holds where the listener is, or became graver. */
export const alertEvent = z.object({ type: z.literal('alert'), alert: emergencyAlert });

/** An event: an alert does not concern the listener any more: it is over, or was acknowledged elsewhere. */
export const alertOverEvent = z.object({ type: z.literal('alert_over'), id: z.string() });
