import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { VISIT_NOTES_MAX } from './rules.ts';

/** The maximum number of visits in the list; the export of a person's data has all. */
export const VISITS_MAX = 200;

/** A visit as the visitor has it. */
const ownVisit = z.object({
  id: z.string(),
  location_id: z.string(),
  /** Null when the place is no longer shown to the visitor. */
  location_name: z.string().nullable(),
  visit_date: z.iso.datetime(),
  notes: z.string().nullable(),
});
export type OwnVisit = z.infer<typeof ownVisit>;

/** Lists the caller's visits, the latest first, `VISITS_MAX` at most. */
export const listVisits = endpoint('GET', '/location-visits', {
  access: 'member',
  answer: z.object({ visits: z.array(ownVisit) }),
  failure: 'Failed to load your visits',
});

/** Changes the notes of the caller's visit; null removes them. */
export const updateVisit = endpoint('PUT', '/location-visits/:id', {
  access: 'member',
  params: idParams,
  body: z.object({ notes: z.string().trim().max(VISIT_NOTES_MAX).nullable() }),
  answer: z.object({ visit: ownVisit }),
  failure: 'Failed to save your notes',
});

/** Removes the caller's visit. A rating of that day stays. */
export const deleteVisit = endpoint('DELETE', '/location-visits/:id', {
  access: 'member',
  params: idParams,
  failure: 'Failed to remove the visit',
});

/** Takes back the caller's visit of this day, if there is one. A rating of that day stays. */
export const undoVisit = endpoint('DELETE', '/locations/:id/visit', {
  access: 'member',
  params: idParams,
  failure: 'Failed to remove the visit',
});

/** Rates a place without recording a visit. Of each person's ratings, the latest counts. */
export const rateLocation = endpoint('PUT', '/locations/:id/rating', {
  access: 'member',
  params: idParams,
  body: z.object({ rating: z.number().int().min(1).max(5) }),
  answer: z.object({ average_rating: z.number().nullable() }),
  failure: 'Failed to save your rating',
});

/** Takes back the caller's ratings of a place. Visits and their notes stay. Without a rating, nothing changes. */
export const withdrawRating = endpoint('DELETE', '/locations/:id/rating', {
  access: 'member',
  params: idParams,
  answer: z.object({ average_rating: z.number().nullable() }),
  failure: 'Failed to remove your rating',
});
