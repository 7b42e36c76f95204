import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { imageUpload } from '../files/contract.ts';
import { idParams } from '../form-fields.ts';
import { latitude, longitude } from '../place.ts';
import {
  HAZARD_DESCRIPTION_MAX,
  HAZARD_KINDS,
  HAZARD_RADIUS,
  LOST_DOG_CONTACT_MAX,
  LOST_DOG_NAME_MAX,
} from './rules.ts';

export const hazardKind = z.enum(HAZARD_KINDS);

/** A hazard or a lost dog as one person sees it. Who reported it isn't shown. */
const hazard = z.object({
  id: z.string(),
  kind: hazardKind,
  description: z.string(),
  /** Of a lost dog; null if unknown. */
  dog_name: z.string().nullable().default(null),
  /** How to reach whoever looks for a lost dog, such as a phone number, as they entered it; null if they didn't. */
  contact: z.string().nullable().default(null),
  image_key: z.string().nullable().default(null),
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
  // Of lost dogs only.
  dog_name: z.string().trim().max(LOST_DOG_NAME_MAX).optional(),
  contact: z.string().trim().max(LOST_DOG_CONTACT_MAX).optional(),
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

/**
 * Adds a photo to a hazard that the caller reported, instead of the one before. It is stored without its metadata. 409 once an admin restored
 * the hazard.
 */
export const uploadHazardPhoto = endpoint('POST', '/hazards/:id/photo', {
  access: 'member',
  params: idParams,
  upload: imageUpload,
  answer: z.object({ hazard }),
  failure: 'Failed to upload image',
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

/** Reports a hazard's text or photo as inappropriate. It is hidden once enough people do. */
export const reportHazard = endpoint('POST', '/hazards/:id/report', {
  access: 'member',
  params: idParams,
  failure: 'Failed to send the report',
});

/** An event: a hazard was reported near the listener. */
export const hazardEvent = z.object({ type: z.literal('hazard'), hazard });
