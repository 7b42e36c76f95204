import { z } from 'zod';
import { dogCoat, dogNote, dogSize, soundType } from '../dogs/contract.ts';
import { DOGS_MAX } from '../dogs/rules.ts';
import { endpoint } from '../endpoint.ts';
import { knownMeasure, latitude, longitude } from '../place.ts';
import { ALERT_RADIUS, DOG_ID_MAX } from './rules.ts';

/** Where somebody is, seen in the direction in which the caller walks. */
const side = z.enum(['ahead', 'beside', 'behind']);

export const nearbyUser = z.object({
  user_id: z.string(),
  display_name: z.string(),
  /** In steps of 10 up to 100 ft; beyond that, the outer edge of a band: 250, 500, or the wider of the radii (decision 230). */
  distance_feet: z.number(),
  dogs: z.array(
    z.object({
      name: z.string(),
      sound_type: soundType,
      image_key: z.string().nullable(),
      size: dogSize.nullable().optional(),
      coat: dogCoat.nullable().optional(),
      notes: z.array(dogNote).optional(),
    }),
  ),
  /**
   * The user may not be identified, because one of the two walks without a name or blocked the other: the id is random, and there is no
   * name. The only dog says that one of the two has a dog that needs space; both are told the same. The distance is always a band.
   */
  is_anonymous: z.literal(true).optional(),
  /** Within 100 ft, while both walk on a known course: both are told of the other. Decision 295. */
  side: side.optional().catch(undefined),
  /** Seconds until the two are closest to each other if both go on like this, in steps of 5 to 30; while they approach. The same for both. */
  closest_in_seconds: z.number().int().optional(),
});
export type NearbyUser = z.infer<typeof nearbyUser>;

/** Identifies reports that arrive late: one with a lower number than another of the same tracker is ignored. */
export const reportOrder = z.object({
  /** A random id that a tracker chooses at each start. */
  device: z.string().min(1).max(64).optional(),
  /** Counts the reports of a tracker. */
  sequence: z.number().int().nonnegative().optional(),
});
export type ReportOrder = z.infer<typeof reportOrder>;

/** What devices state of a fix. Some state -1 for what they don't know. */
const stated = z.number().transform(knownMeasure).nullable().optional();

export const positionReport = reportOrder.extend({
  latitude,
  longitude,
  /** In meters per second, from the device's geolocation. */
  speed: stated,
  /** In degrees clockwise from north. */
  heading: stated,
  /** Radius of the 95 % confidence circle, in meters. */
  accuracy: stated,
  /** The age of the fix in seconds when the answer arrives: its age when it is sent, plus the round trip. */
  age_seconds: z.number().min(0).max(60).optional(),
  /** The user's alert radius; 100 ft by default. */
  radius_feet: z.number().min(ALERT_RADIUS.min).max(ALERT_RADIUS.max).optional(),
  /** Whether the user walks without their name: others are shown nothing of them but that a dog needs space, and so are they. */
  is_nameless: z.boolean().optional(),
  /**
   * The ids of the user's dogs that came along: both sides are warned by these only. All of them if it is missing, as in reports of earlier
   * apps. Others' ids don't count; if none of several is the user's, such as after a removal, all dogs do.
   */
  dog_ids: z.array(z.string().max(DOG_ID_MAX)).max(DOGS_MAX).optional(),
});
export type PositionReport = z.infer<typeof positionReport>;

export const locationAnswer = z.object({
  nearbyUsers: z.array(nearbyUser),
  /** Seconds until the next report: 30 when no one is near, fewer as someone approaches. */
  next_update_seconds: z.number().int(),
  /** Neither this position nor one of the last half minute is accurate enough for warnings. */
  is_too_rough: z.literal(true).optional(),
  /** The user carries another device, and left this one somewhere: it must not sound. */
  is_left_behind: z.literal(true).optional(),
  /** The position is so far from the last one that it must be confirmed before the user gets warnings. */
  is_unconfirmed: z.literal(true).optional(),
});
export type LocationAnswer = z.infer<typeof locationAnswer>;

export const reportLocation = endpoint('POST', '/location', {
  access: 'member',
  isOfTheMoment: true,
  body: positionReport,
  answer: locationAnswer,
  failure: 'Failed to update location',
});

export const dropLocation = endpoint('DELETE', '/location', {
  access: 'member',
  isOfTheMoment: true,
  query: reportOrder.extend({ sequence: z.coerce.number().int().nonnegative().optional() }),
  failure: 'Failed to update location',
});

/** What two people who meet can say to each other by one tap. Fixed, so that nothing needs to be moderated. */
export const answerPhrase = z.enum(['crossing', 'waiting', 'hello']);
export type AnswerPhrase = z.infer<typeof answerPhrase>;

/**
 * Answers somebody of whom the caller was warned: one answer per encounter, which a later one replaces. Both see it for a minute. 404 without an encounter
 * of the last minutes, across a block, and for those who are not shown by name.
 */
export const answerEncounter = endpoint('POST', '/location/answers', {
  access: 'member',
  isOfTheMoment: true,
  body: z.object({ user_id: z.string().max(64), phrase: answerPhrase }),
  failure: 'Failed to answer',
});

/** An event: somebody near answered. */
export const answerEvent = z.object({
  type: z.literal('answer'),
  user_id: z.string(),
  phrase: answerPhrase,
});

/** An event: another user came within the radius. */
export const encounterEvent = z.object({
  type: z.literal('encounter'),
  id: z.string(),
  triggered_at: z.iso.datetime(),
  user: nearbyUser,
});

/** An event: report again within this many seconds, because another user is approaching. */
export const cadenceEvent = z.object({
  type: z.literal('cadence'),
  next_update_seconds: z.number().int(),
});
