import type { Database } from '../database.ts';
import type { LocationSums } from './collections.ts';

type Places = Pick<Database, 'locations' | 'locationTips' | 'locationVisits' | 'locationReports'>;

/** More than are shown: some may be by people whom the reader has blocked. */
export const TIPS_KEPT = 10;

/** Before a write that changes what sums are made of: should it break off, the sweep adds up anew. */
export const uncheck = (): { is_checked: false; changed_at: Date } => ({
  is_checked: false,
  changed_at: new Date(),
});

/** Adds to the sums of a place, in one atomic step. */
export async function addToSums(
  { locations }: Pick<Database, 'locations'>,
  id: string,
  more: Partial<Pick<LocationSums, 'visit_count' | 'rating_sum' | 'rating_count'>>,
): Promise<void> {
  await locations.updateOne({ _id: id }, { $inc: { ...more, changes: 1 }, $set: uncheck() });
}

const readable = (location_id: string) => ({ location_id, is_public: true, is_active: true });

async function chosenTips(
  { locationTips }: Places,
  id: string,
): Promise<Pick<LocationSums, 'tips' | 'tip_count'>> {
  const [tips, tip_count] = await Promise.all([
    locationTips
      .find(readable(id), { projection: { helpful_user_ids: 0, version: 0 } })
      .sort({ is_helpful_count: -1, created_at: -1, _id: 1 })
      .limit(TIPS_KEPT)
      .toArray(),
    locationTips.countDocuments(readable(id)),
  ]);
  return { tips, tip_count };
}

const openReports = ({ locationReports }: Places, location_id: string): Promise<number> =>
  locationReports.countDocuments({ location_id, status: 'pending' });

/** After a report, or a decision about one. */
export async function countReports(database: Places, id: string): Promise<void> {
  const open_reports = await openReports(database, id);
  await database.locations.updateOne(
    { _id: id },
    { $set: { open_reports, ...uncheck() }, $inc: { changes: 1 } },
  );
}

/** After a change of its tips: chooses those that are kept on the row. Of several at once the last one wins. */
export async function chooseTips(database: Places, id: string): Promise<void> {
  const { locations } = database;
  const turn = await locations.findOneAndUpdate(
    { _id: id },
    { $inc: { tips_turn: 1, changes: 1 }, $set: uncheck() },
    { returnDocument: 'after', projection: { tips_turn: 1 } },
  );
  if (!turn) return;
  const chosen = await chosenTips(database, id);
  await locations.updateOne({ _id: id, tips_turn: turn.tips_turn }, { $set: chosen });
}

async function addUp(database: Places, id: string): Promise<LocationSums> {
  const { locationVisits } = database;
  const [visit_count, [ratings], chosen, open_reports] = await Promise.all([
    locationVisits.countDocuments({ location_id: id }),
    locationVisits
      .aggregate<{ rating_sum: number; rating_count: number }>([
        { $match: { location_id: id, rating: { $ne: null } } },
        { $sort: { day: 1 } },
        { $group: { _id: '$user_id', rating: { $last: '$rating' } } },
        { $group: { _id: null, rating_sum: { $sum: '$rating' }, rating_count: { $sum: 1 } } },
      ])
      .toArray(),
    chosenTips(database, id),
    openReports(database, id),
  ]);
  return {
    visit_count,
    open_reports,
    rating_sum: ratings?.rating_sum ?? 0,
    rating_count: ratings?.rating_count ?? 0,
    ...chosen,
  };
}

/** Whether anything of a merged place did not follow it yet. */
async function hasRest({ locationTips, locationVisits, locationReports }: Places, id: string) {
  const of = { location_id: id };
  const rest = await Promise.all([
    locationTips.findOne(of),
    locationVisits.findOne(of),
    locationReports.findOne(of),
  ]);
  return rest.some(Boolean);
}

/**
 * Adds a place's sums up anew, from what they are made of; does nothing when something comes in between. A merged place is
 * looked at again until nothing is left of it.
 */
export async function recount(database: Places, id: string): Promise<void> {
  const { locations } = database;
  const row = await locations.findOne({ _id: id }, { projection: { changes: 1, merged_into: 1 } });
  if (!row) return;
  const sums = await addUp(database, id);
  const is_checked = row.merged_into === null || !(await hasRest(database, id));
  await locations.updateOne({ _id: id, changes: row.changes }, { $set: { ...sums, is_checked } });
}
