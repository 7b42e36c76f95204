import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { latitude, longitude } from '../place.ts';
import { NOTE_MAX, PARTICIPANTS_MAX, PLACE_NAME_MAX, WALK_NOTICES } from './rules.ts';

const { id } = idParams.shape;

export const walkAnswer = z.enum(['yes', 'maybe', 'no']);
export type WalkAnswer = z.infer<typeof walkAnswer>;

/** A planned walk as one person sees it. */
const plannedWalk = z.object({
  id: z.string(),
  starts_at: z.iso.datetime(),
  place_name: z.string(),
  /** A place of the list of places; null for any other. */
  location_id: z.string().nullable(),
  /** Both null if the organizer set no pin. */
  latitude: latitude.nullable(),
  longitude: longitude.nullable(),
  note: z.string(),
  is_canceled: z.boolean(),
  organizer: z.object({ user_id: z.string(), name: z.string() }),
  /** Whether the reader organizes it. */
  is_own: z.boolean(),
  /** The reader's answer; null before it, and for the organizer. */
  own_answer: walkAnswer.nullable(),
  /** The invited friends of the reader, without the reader. */
  participants: z.array(
    z.object({ user_id: z.string(), name: z.string(), answer: walkAnswer.nullable() }),
  ),
  /** Invited people whom the reader isn't friends with, and how many of them are coming. */
  others: z.object({ count: z.number().int(), coming: z.number().int() }),
});
export type PlannedWalk = z.infer<typeof plannedWalk>;

/** The caller's own walks and those that friends invited them to, first to last; also those that just took place. */
export const listPlannedWalks = endpoint('GET', '/planned-walks', {
  isAtStart: true,
  access: 'member',
  answer: z.object({ planned_walks: z.array(plannedWalk) }),
  failure: 'Failed to load planned walks',
});

export const plannedWalkFields = z
  .object({
    starts_at: z.iso.datetime('Choose a date and time'),
    place_name: z.string().trim().min(1, 'Required').max(PLACE_NAME_MAX),
    location_id: id.nullish(),
    latitude: latitude.nullish(),
    longitude: longitude.nullish(),
    note: z.string().trim().max(NOTE_MAX).default(''),
    participant_ids: z
      .array(id)
      .min(1, 'Choose at least one friend')
      .max(PARTICIPANTS_MAX, `Choose ${PARTICIPANTS_MAX} friends at most`),
  })
  .refine((fields) => (fields.latitude == null) === (fields.longitude == null), {
    path: ['longitude'],
    message: 'Enter both coordinates, or neither',
  });
export type PlannedWalkFields = z.input<typeof plannedWalkFields>;

/**
 * Plans a walk and invites friends. The device makes the id, so that later calls about the walk can wait with this one for the
 * network.
 */
export const createPlannedWalk = endpoint('POST', '/planned-walks', {
  access: 'member',
  body: plannedWalkFields.safeExtend({ id: z.uuid() }),
  failure: 'Failed to plan the walk',
});

/** Replaces the fields of the caller's walk. Another time asks everyone for their answer again. */
export const updatePlannedWalk = endpoint('PUT', '/planned-walks/:id', {
  access: 'member',
  params: idParams,
  body: plannedWalkFields,
  failure: 'Failed to change the walk',
});

/** Cancels the caller's walk. */
export const cancelPlannedWalk = endpoint('DELETE', '/planned-walks/:id', {
  access: 'member',
  params: idParams,
  failure: 'Failed to cancel the walk',
});

/** Answers a friend's invitation; again to change the answer. */
export const answerPlannedWalk = endpoint('PUT', '/planned-walks/:id/answer', {
  access: 'member',
  params: idParams,
  body: z.object({
    answer: walkAnswer,
    /** The start that the answer is about: the organizer may have moved the walk since. */
    starts_at: z.iso.datetime(),
  }),
  failure: 'Failed to send your answer',
});

/** An event: something about a planned walk of the listener. */
export const plannedWalkEvent = z.object({
  type: z.literal('planned_walk'),
  /** What to announce; null to read the list again only, such as after a change by another device of the listener. */
  announced: z
    .object({
      id: z.string(),
      /** `reminder` before the start. */
      notice: z.enum([...WALK_NOTICES, 'reminder']),
      /** Of the organizer, or of who answered; none for a reminder. */
      user_id: z.string().optional(),
      /** Of the same; empty for a reminder. */
      name: z.string(),
      starts_at: z.iso.datetime(),
      /** Of the push about the same. */
      push_key: z.string().optional(),
    })
    .nullable(),
});
