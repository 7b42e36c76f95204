import type { Db, Filter } from 'mongodb';
import type { Hazard } from '#shared/hazards/contract.ts';
import { DENIALS_TO_HIDE, REPORTS_TO_HIDE } from '#shared/hazards/rules.ts';
import { notFound } from '../http/http-error.ts';
import { placeOf } from '../locations/store.ts';
import { roundedTime } from '#shared/rounded-time.ts';
import { hazards, type HazardRow } from './collections.ts';

/** Exact times would say when somebody was at the place. */
const ROUNDED_MINUTES = 10;

/** Matches the hazards that are shown now. */
export const currentHazards = (): Filter<HazardRow> => ({
  expires_at: { $gt: new Date() },
  is_hidden: false,
  is_removed: { $ne: true },
});

/** Returns the fields that everyone may see: without who reported it. */
export const publicFieldsOf = (row: HazardRow) => ({
  id: row._id,
  kind: row.kind,
  description: row.description,
  ...placeOf(row),
  reported_at: roundedTime(row.reported_at, ROUNDED_MINUTES).toISOString(),
  expires_at: roundedTime(row.expires_at, ROUNDED_MINUTES).toISOString(),
  confirmed_count: row.confirmed_user_ids.length,
  denied_count: row.denied_user_ids.length,
});

/** Returns a hazard as one person may see it. */
export const presentHazard = (row: HazardRow, userId: string): Hazard => ({
  ...publicFieldsOf(row),
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

const size = (field: string) => ({ $size: `$${field}` });
/** The stage of an update that hides a hazard if its votes or reports say so. */
export const hideIfRefuted = {
  $set: {
    is_hidden: {
      $or: [
        {
          $gte: [
            { $subtract: [size('denied_user_ids'), size('confirmed_user_ids')] },
            DENIALS_TO_HIDE,
          ],
        },
        { $gte: [size('reported_user_ids'), REPORTS_TO_HIDE] },
      ],
    },
  },
};
