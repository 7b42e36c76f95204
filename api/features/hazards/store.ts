import type { Db, Filter } from 'mongodb';
import type { Hazard } from '#shared/hazards/contract.ts';
import {
  DENIALS_TO_HIDE,
  REPORTS_TO_HIDE,
  ROUNDED_MINUTES,
  VOTE_METERS,
} from '#shared/hazards/rules.ts';
import { notFound } from '#shared/http/http-error.ts';
import { metersBetween } from '#shared/place.ts';
import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import { roundedTime } from '#shared/rounded-time.ts';
import { placeOf } from '../locations/store.ts';
import { positions } from '../proximity/collections.ts';
import { hazards, type HazardRow } from './collections.ts';

/** Matches the hazards that are shown now. */
export const currentHazards = (): Filter<HazardRow> => ({
  expires_at: { $gt: new Date() },
  is_hidden: false,
  is_removed: { $ne: true },
});

/** Counts the votes that count: of people who were near the hazard. */
function countNearby({ nearby_user_ids = [] }: HazardRow, voters: readonly string[]): number {
  const nearby = new Set(nearby_user_ids);
  return voters.filter((id) => nearby.has(id)).length;
}

/**
 * Returns the owner id of a hazard's photo. It is no person's: whom a block keeps from a picture would learn whose it is (decision 337).
 */
export const photoOwner = (hazardId: string): string => `hazard:${hazardId}`;

type Content = Pick<Hazard, 'description' | 'dog_name' | 'contact' | 'image_key'>;

/** Returns what its author wrote and showed. */
export const contentOf = (row: HazardRow): Content => ({
  description: row.description,
  dog_name: row.dog_name ?? null,
  contact: row.contact ?? null,
  image_key: row.image_key ?? null,
});

const NO_CONTENT: Content = {
  description: '',
  dog_name: null,
  contact: null,
  image_key: null,
};

/** Returns the content as members see it: of poison, reports hide the content alone, because the warning may be true. */
export const shownContent = (row: HazardRow): Content =>
  row.kind === 'poison' && !row.is_approved && row.reported_user_ids.length >= REPORTS_TO_HIDE
    ? NO_CONTENT
    : contentOf(row);

/** Returns the fields that everyone may see, without the content and the place. */
export const commonFieldsOf = (row: HazardRow) => ({
  id: row._id,
  kind: row.kind,
  reported_at: roundedTime(row.reported_at, ROUNDED_MINUTES).toISOString(),
  expires_at: roundedTime(row.expires_at, ROUNDED_MINUTES).toISOString(),
  confirmed_count: countNearby(row, row.confirmed_user_ids),
  denied_count: countNearby(row, row.denied_user_ids),
});

/** Returns a hazard as one person may see it. */
export const presentHazard = (row: HazardRow, userId: string): Hazard => ({
  ...commonFieldsOf(row),
  ...shownContent(row),
  ...placeOf(row),
  own_vote: row.confirmed_user_ids.includes(userId)
    ? 'confirmed'
    : row.denied_user_ids.includes(userId)
      ? 'denied'
      : null,
  is_own: row.creator_user_id === userId,
});

/** @throws HttpError 404 for an expired or hidden one, too */
export async function findHazard(db: Db, id: string): Promise<HazardRow> {
  const row = await hazards(db).findOne({ _id: id, ...currentHazards() });
  if (!row) throw notFound('Hazard');
  return row;
}

const countOf = (field: string) => ({
  $size: { $setIntersection: [`$${field}`, { $ifNull: ['$nearby_user_ids', []] }] },
});
const DENIALS = Object.entries(DENIALS_TO_HIDE).reduce<unknown>(
  (others, [kind, denials]) => ({ $cond: [{ $eq: ['$kind', kind] }, denials, others] }),
  Math.max(...Object.values(DENIALS_TO_HIDE)),
);
/** The stage of an update that hides a hazard if its votes or reports say so. */
export const hideIfRefuted = {
  $set: {
    is_hidden: {
      $and: [
        { $ne: ['$is_approved', true] },
        {
          $or: [
            {
              $gte: [
                { $subtract: [countOf('denied_user_ids'), countOf('confirmed_user_ids')] },
                DENIALS,
              ],
            },
            {
              $and: [
                { $ne: ['$kind', 'poison'] },
                { $gte: [{ $size: '$reported_user_ids' }, REPORTS_TO_HIDE] },
              ],
            },
          ],
        },
      ],
    },
  },
};

/** Whether a user is near a hazard, by the position that they share now. */
export async function isNear(db: Db, row: HazardRow, userId: string): Promise<boolean> {
  const position = await positions(db).findOne({
    _id: userId,
    at: { $gt: new Date(Date.now() - STALE_SECONDS * 1000) },
    is_ineligible: { $exists: false },
  });
  return (
    position !== null &&
    metersBetween(placeOf({ point: position.location }), placeOf(row)) <= VOTE_METERS
  );
}
