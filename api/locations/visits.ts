import { visitDay } from '#shared/locations/rules.ts';
import { isDuplicate, type Database } from '../database.ts';
import { addToSums } from './sums.ts';
import type { VisitRow } from './rows.ts';

type Places = Pick<Database, 'locations' | 'locationVisits'>;
type Visit = Omit<VisitRow, 'day'>;

/**
 * Records that somebody was at a place. Each person has one visit a day there, which is said again to rate it or to
 * note something; of all ratings of a person the latest counts. The sums come first: what breaks off is found by the sweep.
 */
export async function recordVisit(database: Places, visit: Visit): Promise<VisitRow> {
  const { locationVisits } = database;
  const { location_id, user_id, rating } = visit;
  const day = visitDay(visit.visit_date);
  const today = await locationVisits.findOne({ location_id, user_id, day });
  if (today) return sayAgain(database, today, visit);

  const more = { visit_count: 1, ...ratingMore(rating, await lastRating(database, visit)) };
  await addToSums(database, location_id, more);
  try {
    await locationVisits.insertOne({ ...visit, day });
    return { ...visit, day };
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  // Another device of the same person was quicker.
  await addToSums(database, location_id, negative(more));
  const first = await locationVisits.findOne({ location_id, user_id, day });
  if (!first) throw new Error('a visit was there and is gone');
  return sayAgain(database, first, visit);
}

async function sayAgain(database: Places, today: VisitRow, visit: Visit): Promise<VisitRow> {
  const said = {
    rating: visit.rating ?? today.rating,
    notes: visit.notes ?? today.notes,
    latitude: visit.latitude ?? today.latitude,
    longitude: visit.longitude ?? today.longitude,
  };
  const before = await lastRating(database, visit);
  if (visit.rating !== null && visit.rating !== before)
    await addToSums(database, today.location_id, ratingMore(visit.rating, before));
  await database.locationVisits.updateOne({ _id: today._id }, { $set: said });
  return { ...today, ...said };
}

/** What a new rating adds to the sums in place of the one before it. */
const ratingMore = (rating: number | null, before: number | null) =>
  rating === null
    ? { rating_sum: 0, rating_count: 0 }
    : { rating_sum: rating - (before ?? 0), rating_count: before === null ? 1 : 0 };

const negative = <T extends Record<string, number>>(sums: T): T =>
  Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, -value])) as T;

/** What somebody gave a place last; null when nothing. */
export async function lastRating(
  { locationVisits }: Pick<Database, 'locationVisits'>,
  { location_id, user_id }: Pick<VisitRow, 'location_id' | 'user_id'>,
): Promise<number | null> {
  const rated = { location_id, user_id, rating: { $ne: null } };
  const last = await locationVisits.findOne(rated, { sort: { day: -1 } });
  return last?.rating ?? null;
}
