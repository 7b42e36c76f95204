import type { Db } from 'mongodb';
import {
  type LocationStats,
  locations,
  locationTips,
  locationPhotos,
  locationReports,
  locationVisits,
} from './collections.ts';

/** More than are shown: some may be by people the reader blocked. */
export const MAX_STORED_TIPS = 10;

/**
 * Set before a write that affects the totals: if it is interrupted, the background job recounts them. Decision 170.
 */
export const uncheck = (): { is_checked: false; changed_at: Date } => ({
  is_checked: false,
  changed_at: new Date(),
});

/** Adds to the totals of a place, in one atomic step. */
export async function addToStats(
  db: Db,
  id: string,
  more: Partial<Pick<LocationStats, 'visit_count' | 'rating_sum' | 'rating_count'>>,
): Promise<void> {
  await locations(db).updateOne({ _id: id }, { $inc: { ...more, changes: 1 }, $set: uncheck() });
}

const readable = (location_id: string) => ({ location_id, is_public: true, is_active: true });

async function chosenTips(db: Db, id: string): Promise<Pick<LocationStats, 'tips' | 'tip_count'>> {
  const [tips, tip_count] = await Promise.all([
    locationTips(db)
      .find(readable(id), { projection: { helpful_user_ids: 0, version: 0 } })
      .sort({ is_helpful_count: -1, created_at: -1, _id: 1 })
      .limit(MAX_STORED_TIPS)
      .toArray(),
    locationTips(db).countDocuments(readable(id)),
  ]);
  return { tips, tip_count };
}

const openReports = (db: Db, location_id: string): Promise<number> =>
  locationReports(db).countDocuments({ location_id, status: 'pending' });

/** Recounts open reports, after a report or a decision. */
export async function countReports(db: Db, id: string): Promise<void> {
  const open_reports = await openReports(db, id);
  await locations(db).updateOne(
    { _id: id },
    { $set: { open_reports, ...uncheck() }, $inc: { changes: 1 } },
  );
}

/** Updates the tips in a place’s row after a change. Of concurrent updates the last one wins. */
export async function chooseTips(db: Db, id: string): Promise<void> {
  const turn = await locations(db).findOneAndUpdate(
    { _id: id },
    { $inc: { tips_turn: 1, changes: 1 }, $set: uncheck() },
    { returnDocument: 'after', projection: { tips_turn: 1 } },
  );
  if (!turn) return;
  const chosen = await chosenTips(db, id);
  await locations(db).updateOne({ _id: id, tips_turn: turn.tips_turn }, { $set: chosen });
}

async function addUp(db: Db, id: string): Promise<LocationStats> {
  const [visit_count, [ratings], chosen, open_reports] = await Promise.all([
    locationVisits(db).countDocuments({ location_id: id, is_rating_only: { $ne: true } }),
    locationVisits(db)
      .aggregate<{ rating_sum: number; rating_count: number }>([
        { $match: { location_id: id, rating: { $ne: null } } },
        { $sort: { day: 1 } },
        { $group: { _id: '$user_id', rating: { $last: '$rating' } } },
        { $group: { _id: null, rating_sum: { $sum: '$rating' }, rating_count: { $sum: 1 } } },
      ])
      .toArray(),
    chosenTips(db, id),
    openReports(db, id),
  ]);
  return {
    visit_count,
    open_reports,
    rating_sum: ratings?.rating_sum ?? 0,
    rating_count: ratings?.rating_count ?? 0,
    ...chosen,
  };
}

/** Returns whether a merged place still has data to move. */
async function hasRemainingData(db: Db, id: string) {
  const of = { location_id: id };
  const rest = await Promise.all([
    locationTips(db).findOne(of),
    locationVisits(db).findOne(of),
    locationReports(db).findOne(of),
    locationPhotos(db).findOne(of),
  ]);
  return rest.some(Boolean);
}

/**
 * Recounts a place’s totals; does nothing if they change in the meantime. A merged place is checked again until its
 * data has moved.
 */
export async function recount(db: Db, id: string): Promise<void> {
  const row = await locations(db).findOne(
    { _id: id },
    { projection: { changes: 1, merged_into: 1 } },
  );
  if (!row) return;
  const stats = await addUp(db, id);
  const is_checked = row.merged_into === null || !(await hasRemainingData(db, id));
  await locations(db).updateOne(
    { _id: id, changes: row.changes },
    { $set: { ...stats, is_checked } },
  );
}
