import type { Db, Filter } from 'mongodb';
import { visitDay } from '#shared/locations/rules.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { type VisitRow, locationVisits } from './collections.ts';
import { addToStats } from './location-stats.ts';
import { confirmPlace } from './remove-location.ts';

type Visit = Omit<VisitRow, 'day'>;

/**
 * Records a visit, or a rating alone (`is_rating_only`). Each user has one row per place and day; a second visit updates its rating
 * and notes. Of all ratings of a user the latest day’s counts, in whatever order they arrive. Totals are updated first: the
 * background job repairs them after an interruption.
 * @throws HttpError 404 when the place was removed in the meantime
 */
export async function recordVisit(db: Db, visit: Visit): Promise<VisitRow> {
  const { location_id, user_id, rating } = visit;
  const day = visitDay(visit.visit_date);
  const today = await locationVisits(db).findOne({ location_id, user_id, day });
  if (today) return updateVisit(db, today, visit);

  const visit_count = visit.is_rating_only ? 0 : 1;
  const more = { visit_count, ...ratingChange(rating, day, await lastRated(db, visit)) };
  await addToStats(db, location_id, more);
  try {
    await locationVisits(db).insertOne({ ...visit, day });
    return await confirmed(db, { ...visit, day }, more);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  // Another device of the same user was faster.
  await addToStats(db, location_id, negative(more));
  const first = await locationVisits(db).findOne({ location_id, user_id, day });
  if (!first) throw new Error('the visit disappeared');
  return updateVisit(db, first, visit);
}

/**
 * @throws HttpError 404 when the place was removed before the visit was stored; the visit is undone
 */
async function confirmed(
  db: Db,
  visit: VisitRow,
  more: ReturnType<typeof ratingChange> & { visit_count: number },
): Promise<VisitRow> {
  const { _id, location_id, user_id } = visit;
  try {
    await confirmPlace(db, location_id, user_id);
    return visit;
  } catch (error) {
    await locationVisits(db).deleteOne({ _id });
    await addToStats(db, location_id, negative(more));
    throw error;
  }
}

async function updateVisit(db: Db, today: VisitRow, visit: Visit): Promise<VisitRow> {
  const said = {
    rating: visit.rating ?? today.rating,
    notes: visit.notes ?? today.notes,
    latitude: visit.latitude ?? today.latitude,
    longitude: visit.longitude ?? today.longitude,
  };
  const more = ratingChange(visit.rating, today.day, await lastRated(db, visit));
  if (more.rating_sum !== 0 || more.rating_count !== 0)
    await addToStats(db, today.location_id, more);
  await locationVisits(db).updateOne({ _id: today._id }, { $set: said });
  if (today.is_rating_only && !visit.is_rating_only) await turnIntoVisit(db, today);
  await confirmPlace(db, today.location_id, today.user_id);
  return { ...today, ...said };
}

/** Counts a day on which the user only rated as a visit; once, whatever number of requests do it. */
async function turnIntoVisit(db: Db, { _id, location_id }: VisitRow): Promise<void> {
  await addToStats(db, location_id, { visit_count: 1 });
  const { modifiedCount } = await locationVisits(db).updateOne(
    { _id, is_rating_only: true },
    { $unset: { is_rating_only: '' } },
  );
  if (modifiedCount === 0) await addToStats(db, location_id, { visit_count: -1 });
}

/** Removes a visit. A rating of that day stays. */
export async function removeVisit(db: Db, { _id, location_id }: VisitRow): Promise<void> {
  await addToStats(db, location_id, { visit_count: -1 });
  const isVisit = { _id, is_rating_only: { $ne: true as const } };
  const { deletedCount } = await locationVisits(db).deleteOne({ ...isVisit, rating: null });
  if (deletedCount === 1) return;
  const { modifiedCount } = await locationVisits(db).updateOne(isVisit, {
    $set: { is_rating_only: true, notes: null, latitude: null, longitude: null },
  });
  // Another device was faster.
  if (modifiedCount === 0) await addToStats(db, location_id, { visit_count: 1 });
}

/**
 * Takes back a user’s ratings of a place, up to this day: a later one was given since, on another device. Earlier ratings
 * don’t count, so they are removed first; otherwise one of them would take the place of the last.
 */
export async function removeRatings(
  db: Db,
  { location_id, user_id, day }: Pick<VisitRow, 'location_id' | 'user_id' | 'day'>,
): Promise<void> {
  const last = await lastRated(db, { location_id, user_id });
  if (!last) return;
  const isLater = last.day > day;
  const until = isLater ? { $lte: day } : { $lt: last.day };
  await clearRatings(db, { location_id, user_id, rating: { $ne: null }, day: until });
  if (isLater) return;
  const less = { rating_sum: -(last.rating ?? 0), rating_count: -1 };
  await addToStats(db, location_id, less);
  const cleared = await clearRatings(db, { _id: last._id, rating: last.rating });
  // Another device was faster.
  if (cleared === 0) await addToStats(db, location_id, negative(less));
}

/** @returns the number of rows that lost their rating */
async function clearRatings(db: Db, which: Filter<VisitRow>): Promise<number> {
  const { deletedCount } = await locationVisits(db).deleteMany({ ...which, is_rating_only: true });
  const { modifiedCount } = await locationVisits(db).updateMany(
    { ...which, is_rating_only: { $ne: true } },
    { $set: { rating: null } },
  );
  return deletedCount + modifiedCount;
}

type Rated = Pick<VisitRow, 'rating' | 'day'>;

/** Returns how a rating changes the totals: nothing if a later day’s rating counts. */
const ratingChange = (rating: number | null, day: string, last: Rated | null) =>
  rating === null || (last && last.day > day)
    ? { rating_sum: 0, rating_count: 0 }
    : { rating_sum: rating - (last?.rating ?? 0), rating_count: last ? 0 : 1 };

const negative = <T extends Record<string, number>>(stats: T): T =>
  Object.fromEntries(Object.entries(stats).map(([name, value]) => [name, -value])) as T;

/** Returns the user’s last rated visit of a place; null if there is none. */
export const lastRated = (
  db: Db,
  { location_id, user_id }: Pick<VisitRow, 'location_id' | 'user_id'>,
): Promise<VisitRow | null> =>
  locationVisits(db).findOne(
    { location_id, user_id, rating: { $ne: null } },
    { sort: { day: -1 } },
  );
