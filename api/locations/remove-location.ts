import type { Database } from '../database.ts';
import { unavailable } from '../http/http-error.ts';
import { underLease, whenDecided, withLease } from './lease.ts';
import { moveAll } from './merge.ts';
import type { LocationRow } from './collections.ts';
import { mergedInto, noSuchLocation } from './store.ts';
import { uncheck } from './location-stats.ts';

type Places = Pick<Database, 'locations' | 'locationTips' | 'locationVisits' | 'locationReports'>;

const ATTEMPTS = 5;

/** Whether anybody but its creator went to a place, left a tip there, or knows it by another one that was merged into it. */
export async function isUsedByOthers(
  { locations, locationTips, locationVisits }: Omit<Places, 'locationReports'>,
  { _id, creator_user_id }: LocationRow,
): Promise<boolean> {
  const location_id = _id;
  const others = { $ne: creator_user_id };
  const [tip, visit, merged] = await Promise.all([
    locationTips.findOne({ location_id, creator_user_id: others }),
    locationVisits.findOne({ location_id, user_id: { $ne: creator_user_id ?? '' } }),
    locations.findOne({ ...mergedInto(_id), creator_user_id: others }),
  ]);
  return tip !== null || visit !== null || merged !== null;
}

/** The same, under a lease: waits for what is being merged into it, and takes over what that has. */
export async function isUsedByOthersForSure(database: Places, row: LocationRow): Promise<boolean> {
  const { locations } = database;
  for await (const { _id } of locations.find({ 'lease.into': row._id }))
    await whenDecided(database, _id);
  for await (const { _id } of locations.find(mergedInto(row._id)))
    await moveAll(database, _id, row._id);
  return isUsedByOthers(database, row);
}

/**
 * Confirms that what was just written about a place is kept: the place is there, and whoever wrote may see it. Follows a merge.
 * @throws Refusal 404 when it is not; 503 when that is not decided for long
 */
export async function confirmPlace(database: Places, id: string, userId: string): Promise<void> {
  const row = await whenDecided(database, id);
  if (!row) throw noSuchLocation();
  if (row.merged_into !== null) return moveAll(database, id, row.merged_into);
  if (!row.is_public && row.creator_user_id !== userId) throw noSuchLocation();
}

/**
 * Its creator leaves a place: when others use it, or know by it what it was merged into, it stays for them and is nobody's; else it
 * is removed with all that is of it.
 * @returns whether it was removed
 * @throws Refusal 503 when others change it all the time
 */
export async function leaveLocation(
  database: Places,
  { _id }: Pick<LocationRow, '_id'>,
): Promise<boolean> {
  const { locations } = database;
  const nobodys = { creator_user_id: null };
  const removed = { is_removed: true as const, is_active: false, is_public: false, ...nobodys };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await whenDecided(database, _id);
    if (!row) return true;
    if (row.merged_into !== null) {
      await locations.updateOne({ _id }, { $set: nobodys });
      return false;
    }
    const isRemoved = await withLease(database, _id, null, async (leased) => {
      const stays = leased.is_public && (await isUsedByOthersForSure(database, leased));
      const $set = stays ? nobodys : { ...removed, ...uncheck() };
      const { matchedCount } = await locations.updateOne(underLease(leased), {
        $set,
        $unset: { lease: '' },
      });
      return matchedCount === 0 ? null : !stays;
    });
    if (isRemoved) await removeRest(database, _id);
    if (isRemoved !== null) return isRemoved;
  }
  throw unavailable('locations');
}

/** Deletes a removed place with all that is of it. May be repeated. */
export async function removeRest(database: Places, id: string): Promise<void> {
  const { locations } = database;
  // Those of others would have kept it.
  const merged = await locations.distinct('_id', mergedInto(id));
  const of = { location_id: { $in: [id, ...merged] } };
  await Promise.all([
    database.locationTips.deleteMany(of),
    database.locationVisits.deleteMany(of),
    database.locationReports.deleteMany(of),
  ]);
  await locations.deleteMany({ _id: { $in: merged } });
  await locations.deleteOne({ _id: id });
}
