import type { Db } from 'mongodb';
import { visitDay } from '#shared/locations/rules.ts';
import { isDuplicate } from '../database.ts';
import { confirmPlace } from './remove-location.ts';
import { addToSums } from './location-stats.ts';
import { type VisitRow, locationVisits } from './collections.ts';

type Visit = Omit<VisitRow, 'day'>;

/**
 * Records that somebody was at a place. Each person has one visit a day there, which is said again to rate it or to
 * note something; of all ratings of a person that of the latest day counts, in whatever order they come. The sums come first: what breaks off is found by the sweep.
 * @throws Refusal 404 when the place was removed meanwhile
 */
export async function recordVisit(db: Db, visit: Visit): Promise<VisitRow> {
  const { location_id, user_id, rating } = visit;
  const day = visitDay(visit.visit_date);
  const today = await locationVisits(db).findOne({ location_id, user_id, day });
  if (today) return sayAgain(db, today, visit);

  const more = { visit_count: 1, ...ratingMore(rating, day, await lastRated(db, visit)) };
  await addToSums(db, location_id, more);
  try {
    await locationVisits(db).insertOne({ ...visit, day });
    return await confirmed(db, { ...visit, day }, more);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  // Another device of the same person was quicker.
  await addToSums(db, location_id, negative(more));
  const first = await locationVisits(db).findOne({ location_id, user_id, day });
  if (!first) throw new Error('the visit disappeared');
  return sayAgain(db, first, visit);
}

/** @throws Refusal 404 when the place was removed before the visit was there, which is taken back then */
async function confirmed(
  db: Db,
  visit: VisitRow,
  more: ReturnType<typeof ratingMore> & { visit_count: number },
): Promise<VisitRow> {
  const { _id, location_id, user_id } = visit;
  try {
    await confirmPlace(db, location_id, user_id);
    return visit;
  } catch (error) {
    await locationVisits(db).deleteOne({ _id });
    await addToSums(db, location_id, negative(more));
    throw error;
  }
}

async function sayAgain(db: Db, today: VisitRow, visit: Visit): Promise<VisitRow> {
  const said = {
    rating: visit.rating ?? today.rating,
    notes: visit.notes ?? today.notes,
    latitude: visit.latitude ?? today.latitude,
    longitude: visit.longitude ?? today.longitude,
  };
  const more = ratingMore(visit.rating, today.day, await lastRated(db, visit));
  if (more.rating_sum !== 0 || more.rating_count !== 0)
    await addToSums(db, today.location_id, more);
  await locationVisits(db).updateOne({ _id: today._id }, { $set: said });
  await confirmPlace(db, today.location_id, today.user_id);
  return { ...today, ...said };
}

type Rated = Pick<VisitRow, 'rating' | 'day'>;

/** What a rating of a day adds to the sums in place of the one that counts: nothing when that is of a later day. */
const ratingMore = (rating: number | null, day: string, last: Rated | null) =>
  rating === null || (last && last.day > day)
    ? { rating_sum: 0, rating_count: 0 }
    : { rating_sum: rating - (last?.rating ?? 0), rating_count: last ? 0 : 1 };

const negative = <T extends Record<string, number>>(sums: T): T =>
  Object.fromEntries(Object.entries(sums).map(([name, value]) => [name, -value])) as T;

/** The visit at which somebody rated a place last; null when they never did. */
export const lastRated = (
  db: Db,
  { location_id, user_id }: Pick<VisitRow, 'location_id' | 'user_id'>,
): Promise<VisitRow | null> =>
  locationVisits(db).findOne(
    { location_id, user_id, rating: { $ne: null } },
    { sort: { day: -1 } },
  );
