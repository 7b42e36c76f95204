import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { latitude, longitude } from '../place.ts';

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

/** The fields of an alert that everyone sees. */
export const issuedAlert = z.object({
  id: z.string(),
  /** The issuer's id; an update of the same alert may have another one. */
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

/** The server's time, by which a device with a wrong clock computes ages and ends. */
export const serverTime = z.iso.datetime().optional();

const degrees = (range: z.ZodNumber) => z.string().min(1).transform(Number).pipe(range);

export const listAlerts = endpoint('GET', '/emergency-alerts', {
  isAtStart: true,
  access: 'member',
  query: z.object({ latitude: degrees(latitude), longitude: degrees(longitude) }),
  answer: z.object({ alerts: z.array(emergencyAlert), server_time: serverTime }),
  failure: 'Unable to load emergency alerts',
});

export const acknowledgeAlert = endpoint('POST', '/emergency-alerts/:id/acknowledge', {
  access: 'member',
  params: idParams,
  /** The severity that the user saw, because it may have increased since. Default: the current one. */
  body: z.object({ severity: severity.optional() }).optional(),
  answer: z.object({ acknowledged_at: z.iso.datetime() }),
  failure: 'Failed to acknowledge alert',
});

/** An event: an alert holds where the listener is, or became graver. */
export const alertEvent = z.object({ type: z.literal('alert'), alert: emergencyAlert });

/** An event: an alert does not concern the listener any more: it is over, or was acknowledged elsewhere. */
export const alertOverEvent = z.object({ type: z.literal('alert_over'), id: z.string() });
