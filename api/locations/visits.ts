import { visitDay } from '#shared/locations/rules.ts';
import { isDuplicate, type Database } from '../database.ts';
import { confirmPlace } from './remove-location.ts';
import { addToSums } from './location-stats.ts';
import type { VisitRow } from './collections.ts';

type Places = Pick<Database, 'locations' | 'locationTips' | 'locationVisits' | 'locationReports'>;
type Visit = Omit<VisitRow, 'day'>;

/**
 * Records that somebody was at a place. Each person has one visit a day there, which is said again to rate it or to
 * note something; of all ratings of a person that of the latest day counts, in whatever order they come. The sums come first: what breaks off is found by the sweep.
 * @throws Refusal 404 when the place was removed meanwhile
 */
export async function recordVisit(database: Places, visit: Visit): Promise<VisitRow> {
  const { locationVisits } = database;
  const { location_id, user_id, rating } = visit;
  const day = visitDay(visit.visit_date);
  const today = await locationVisits.findOne({ location_id, user_id, day });
  if (today) return sayAgain(database, today, visit);

  const more = { visit_count: 1, ...ratingMore(rating, day, await lastRated(database, visit)) };
  await addToSums(database, location_id, more);
  try {
    await locationVisits.insertOne({ ...visit, day });
    return await confirmed(database, { ...visit, day }, more);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  // Another device of the same person was quicker.
  await addToSums(database, location_id, negative(more));
  const first = await locationVisits.findOne({ location_id, user_id, day });
  if (!first) throw new Error('a visit was there and is gone');
  return sayAgain(database, first, visit);
}

/** @throws Refusal 404 when the place was removed before the visit was there, which is taken back then */
async function confirmed(
  database: Places,
  visit: VisitRow,
  more: ReturnType<typeof ratingMore> & { visit_count: number },
): Promise<VisitRow> {
  const { _id, location_id, user_id } = visit;
  try {
    await confirmPlace(database, location_id, user_id);
    return visit;
  } catch (error) {
    await database.locationVisits.deleteOne({ _id });
    await addToSums(database, location_id, negative(more));
    throw error;
  }
}

async function sayAgain(database: Places, today: VisitRow, visit: Visit): Promise<VisitRow> {
  const said = {
    rating: visit.rating ?? today.rating,
    notes: visit.notes ?? today.notes,
    latitude: visit.latitude ?? today.latitude,
    longitude: visit.longitude ?? today.longitude,
  };
  const more = ratingMore(visit.rating, today.day, await lastRated(database, visit));
  if (more.rating_sum !== 0 || more.rating_count !== 0)
    await addToSums(database, today.location_id, more);
  await database.locationVisits.updateOne({ _id: today._id }, { $set: said });
  await confirmPlace(database, today.location_id, today.user_id);
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
  { locationVisits }: Pick<Database, 'locationVisits'>,
  { location_id, user_id }: Pick<VisitRow, 'location_id' | 'user_id'>,
): Promise<VisitRow | null> =>
  locationVisits.findOne({ location_id, user_id, rating: { $ne: null } }, { sort: { day: -1 } });
