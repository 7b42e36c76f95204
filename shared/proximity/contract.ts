import { z } from 'zod';
import { soundType } from '../dogs/contract.ts';
import { endpoint } from '../endpoint.ts';
import { latitude, longitude } from '../place.ts';
import { ALERT_RADIUS } from '../settings/rules.ts';

export const nearbyUser = z.object({
  user_id: z.string(),
  display_name: z.string(),
  /** Within 100 ft in steps of 10; beyond it the edge of a band, 250 or 500, or the caller's radius (decision 230). */
  distance_feet: z.number(),
  dogs: z.array(
    z.object({ name: z.string(), sound_type: soundType, image_key: z.string().nullable() }),
  ),
});
export type NearbyUser = z.infer<typeof nearbyUser>;

/**
 * By what a report that the air held back is known: one with a lower number than another of the same tracker moves nobody.
 * `device`: a random name that a tracker takes at each start; `sequence`: counts what it sends. Both may be left out.
 */
const reportOrder = z.object({
  device: z.string().min(1).max(64).optional(),
  sequence: z.number().int().nonnegative().optional(),
});
export type ReportOrder = z.infer<typeof reportOrder>;

export const positionReport = reportOrder.extend({
  latitude,
  longitude,
  /** Meters per second and degrees from north, as the device's geolocation gives them; optional. */
  speed: z.number().nullable().optional(),
  heading: z.number().nullable().optional(),
  /** Radius of the fix in meters. */
  accuracy: z.number().nonnegative().nullable().optional(),
  /** How old the fix will be, in seconds, when its sender hears what comes of it: its age when it is sent, and what the line takes there and back. */
  age_seconds: z.number().min(0).max(60).optional(),
  /** Within how far this person wants to be told of others; 100 ft when it is left out. */
  radius_feet: z.number().min(ALERT_RADIUS.min).max(ALERT_RADIUS.max).optional(),
});
export type PositionReport = z.infer<typeof positionReport>;

export const locationAnswer = z.object({
  nearbyUsers: z.array(nearbyUser),
  /** When to report again, in whole seconds: 30 when nobody is near, fewer as somebody gets close. */
  next_update_seconds: z.number().int(),
  /** True when neither this position nor one of the last half minute is good enough: this person is warned of nobody. */
  is_too_rough: z.literal(true).optional(),
  /** True while this position is so far from the last one that it must be confirmed first: this person is warned of nobody. */
  is_unconfirmed: z.literal(true).optional(),
});
export type LocationAnswer = z.infer<typeof locationAnswer>;

export const reportLocation = endpoint({
  method: 'POST',
  path: '/location',
  access: 'member',
  isOfTheMoment: true,
  body: positionReport,
  answer: locationAnswer,
  failure: 'Failed to update location',
});

export const dropLocation = endpoint({
  method: 'DELETE',
  path: '/location',
  access: 'member',
  isOfTheMoment: true,
  query: reportOrder.extend({ sequence: z.coerce.number().int().nonnegative().optional() }),
  answer: z.object({}),
  failure: 'Failed to update location',
});

/** An event: somebody came within the radius. */
export const encounterEvent = z.object({
  type: z.literal('encounter'),
  id: z.string(),
  triggered_at: z.iso.datetime(),
  user: nearbyUser,
});

/** An event: report again within so many seconds, because somebody is getting close. */
export const cadenceEvent = z.object({
  type: z.literal('cadence'),
  next_update_seconds: z.number().int(),
});
