import type { Db } from 'mongodb';
import { unavailable, notFound } from '#shared/http/http-error.ts';
import {
  type LocationRow,
  locationTips,
  locationVisits,
  locationReports,
  locationPhotos,
  locations,
} from './collections.ts';
import { underLease, whenDecided, withLease } from './lease.ts';
import { uncheck } from './location-stats.ts';
import { moveAll } from './merge.ts';
import { mergedInto } from './store.ts';

const ATTEMPTS = 5;

/**
 * Returns whether anyone except its creator visited a place, left a tip or a photo, or created a place that was merged into it; of an
 * imported place, also whether somebody corrected it.
 */
export async function isUsedByOthers(
  db: Db,
  { _id, creator_user_id, correction }: LocationRow,
): Promise<boolean> {
  if (Object.keys(correction?.facts ?? {}).length > 0) return true;
  const location_id = _id;
  const others = { $ne: creator_user_id };
  const [tip, visit, photo, merged] = await Promise.all([
    locationTips(db).findOne({ location_id, creator_user_id: others }),
    locationVisits(db).findOne({ location_id, user_id: { $ne: creator_user_id ?? '' } }),
    locationPhotos(db).findOne({ location_id, creator_user_id: { $ne: creator_user_id ?? '' } }),
    locations(db).findOne({
      ...mergedInto(_id),
      creator_user_id: others,
      imported: { $exists: false },
    }),
  ]);
  return [tip, visit, photo, merged].some((found) => found !== null);
}

/** The same, under a lease: waits for merges into it, and moves their data first. */
export async function isUsedByOthersForSure(db: Db, row: LocationRow): Promise<boolean> {
  for await (const { _id } of locations(db).find({ 'lease.into': row._id }))
    await whenDecided(db, _id);
  for await (const { _id } of locations(db).find(mergedInto(row._id)))
    await moveAll(db, _id, row._id);
  return isUsedByOthers(db, row);
}

/**
 * Confirms a write about a place: the place exists and the user may see it. Follows a merge.
 * @throws HttpError 404 when it doesn’t exist; 503 when that isn’t decided in time
 */
export async function confirmPlace(db: Db, id: string, userId: string): Promise<void> {
  const row = await whenDecided(db, id);
  if (!row) throw notFound('Location');
  if (row.merged_into !== null) return moveAll(db, id, row.merged_into);
  if (!row.is_public && row.creator_user_id !== userId) throw notFound('Location');
}

/**
 * Removes its creator from a place: it stays without a creator if others use it or a place that was merged into it;
 * otherwise it is removed with its data.
 * @returns whether it was removed
 * @throws HttpError 503 when others keep changing it
 */
export async function leaveLocation(db: Db, { _id }: Pick<LocationRow, '_id'>): Promise<boolean> {
  const withoutCreator = { creator_user_id: null };
  const removed = {
    is_removed: true as const,
    is_active: false,
    is_public: false,
    ...withoutCreator,
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await whenDecided(db, _id);
    if (!row) return true;
    if (row.merged_into !== null) {
      await locations(db).updateOne({ _id }, { $set: withoutCreator });
      return false;
    }
    const isRemoved = await withLease(db, _id, null, async (leased) => {
      const stays = leased.is_public && (await isUsedByOthersForSure(db, leased));
      const $set = stays ? withoutCreator : { ...removed, ...uncheck() };
      const { matchedCount } = await locations(db).updateOne(
        // A correction doesn't wait for the lease.
        { ...underLease(leased), 'correction.at': leased.correction?.at ?? null },
        { $set, $unset: { lease: '' } },
      );
      return matchedCount === 0 ? null : !stays;
    });
    if (isRemoved) await removeLocationData(db, _id);
    if (isRemoved !== null) return isRemoved;
  }
  throw unavailable('locations');
}

/** Shows the same place in OpenStreetMap again that was hidden behind one that others no longer see. May be repeated. */
export async function showImportedBehind(db: Db, id: string): Promise<void> {
  await locations(db).updateMany(
    { ...mergedInto(id), imported: { $exists: true } },
    { $set: { merged_into: null, is_active: true, ...uncheck() } },
  );
}

/** Deletes a removed place with its data. May be repeated. */
export async function removeLocationData(db: Db, id: string): Promise<void> {
  await showImportedBehind(db, id);
  // Places of others would have prevented the removal.
  const merged = await locations(db).distinct('_id', mergedInto(id));
  const of = { location_id: { $in: [id, ...merged] } };
  await Promise.all([
    locationTips(db).deleteMany(of),
    locationVisits(db).deleteMany(of),
    locationReports(db).deleteMany(of),
    // Their images are unused then, and deleted later.
    locationPhotos(db).deleteMany(of),
  ]);
  await locations(db).deleteMany({ _id: { $in: merged } });
  await locations(db).deleteOne({ _id: id });
}
