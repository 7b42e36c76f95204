import type { Database } from '../database.ts';
import type { LocationRow } from './rows.ts';

type Places = Pick<Database, 'locations' | 'locationTips' | 'locationVisits' | 'locationReports'>;

/** Whether anybody but its creator went to a place, or left a tip there. */
export async function isUsedByOthers(
  { locationTips, locationVisits }: Pick<Database, 'locationTips' | 'locationVisits'>,
  { _id, creator_user_id }: LocationRow,
): Promise<boolean> {
  const location_id = _id;
  const [tip, visit] = await Promise.all([
    locationTips.findOne({ location_id, creator_user_id: { $ne: creator_user_id } }),
    locationVisits.findOne({ location_id, user_id: { $ne: creator_user_id ?? '' } }),
  ]);
  return tip !== null || visit !== null;
}

/**
 * Its creator leaves a place: when others use it, or know by it what it was merged into, it stays for them and is nobody's; else it goes with all that is of it.
 * @returns whether it went
 */
export async function leaveLocation(database: Places, row: LocationRow): Promise<boolean> {
  const { locations } = database;
  if (row.merged_into !== null || (row.is_public && (await isUsedByOthers(database, row)))) {
    await locations.updateOne({ _id: row._id }, { $set: { creator_user_id: null } });
    return false;
  }
  const of = { location_id: row._id };
  await Promise.all([
    database.locationTips.deleteMany(of),
    database.locationVisits.deleteMany(of),
    database.locationReports.deleteMany(of),
  ]);
  await locations.deleteOne({ _id: row._id });
  return true;
}
