import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { latitude, longitude } from '../place.ts';
import { HAZARD_KINDS, HAZARD_DESCRIPTION_MAX, HAZARD_RADIUS } from './rules.ts';

export const hazardKind = z.enum(HAZARD_KINDS);

/** A hazard or a lost dog as one person sees it. Who reported it isn't shown. */
const hazard = z.object({
  id: z.string(),
  kind: hazardKind,
  description: z.string(),
  latitude,
  longitude,
  /** When it was seen. */
  reported_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  confirmed_count: z.number().int(),
  denied_count: z.number().int(),
  /** The reader's vote; null without one. */
  own_vote: z.enum(['confirmed', 'denied']).nullable(),
  /** Whether the reader reported it. */
  is_own: z.boolean(),
});
export type Hazard = z.infer<typeof hazard>;

const degrees = (range: z.ZodNumber) => z.string().min(1).transform(Number).pipe(range);

/** Current hazards around a point, nearest first. */
export const listHazards = endpoint('GET', '/hazards', {
  access: 'member',
  query: z.object({
    latitude: degrees(latitude),
    longitude: degrees(longitude),
    radius_miles: z.coerce.number().min(0.1).max(HAZARD_RADIUS.max).default(HAZARD_RADIUS.usual),
  }),
  answer: z.object({ hazards: z.array(hazard) }),
  failure: 'Failed to load hazards',
});

export const hazardFields = z.object({
  kind: hazardKind,
  description: z.string().trim().max(HAZARD_DESCRIPTION_MAX).default(''),
  latitude,
  longitude,
});
export type HazardFields = z.input<typeof hazardFields>;

/** Reports a hazard, and notifies people who are walking nearby. It may have waited on the device. */
export const createHazard = endpoint('POST', '/hazards', {
  access: 'member',
  body: hazardFields,
  answer: z.object({ hazard }),
  failure: 'Failed to report the hazard',
});

/** Says whether a hazard is still there; one vote a person, which can be changed. */
export const voteOnHazard = endpoint('POST', '/hazards/:id/vote', {
  access: 'member',
  params: idParams,
  body: z.object({ is_there: z.boolean() }),
  answer: z.object({ hazard }),
  failure: 'Failed to save your vote',
});

/** Removes a hazard that the caller reported. */
export const deleteHazard = endpoint('DELETE', '/hazards/:id', {
  access: 'member',
  params: idParams,
  failure: 'Failed to remove the hazard',
});

/** Reports a hazard's text as inappropriate. It is hidden once enough people do. */
export const reportHazard = endpoint('POST', '/hazards/:id/report', {
  access: 'member',
  params: idParams,
  failure: 'Failed to send the report',
});

/** An event: a hazard was reported near the listener. */
export const hazardEvent = z.object({ type: z.literal('hazard'), hazard });
