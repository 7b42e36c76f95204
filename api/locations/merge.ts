import { isDuplicate, type Database } from '../database.ts';
import type { VisitRow } from './rows.ts';
import { recount, uncheck } from './sums.ts';

type Places = Pick<Database, 'locations' | 'locationTips' | 'locationVisits' | 'locationReports'>;

/** Takes all that is of a merged place to the one that it is. May be repeated. */
export async function moveAll(database: Places, from: string, into: string): Promise<void> {
  const { locations, locationTips, locationVisits, locationReports } = database;
  const of = { location_id: from };
  const there = { $set: { location_id: into } };
  await locations.updateOne({ _id: into }, { $inc: { changes: 1 }, $set: uncheck() });
  await locationTips.updateMany(of, there);
  await locationReports.updateMany(of, there);
  for await (const visit of locationVisits.find(of)) {
    try {
      await locationVisits.updateOne({ _id: visit._id }, there);
    } catch (error) {
      // On that day this person was at both: it is one visit.
      if (!isDuplicate(error)) throw error;
      await joinVisits(locationVisits, visit, into);
    }
  }
  await recount(database, into);
}

/** Of two visits of one day what was said of only one stays said; of both, by whoever came later. May be repeated. */
async function joinVisits(
  locationVisits: Database['locationVisits'],
  visit: VisitRow,
  into: string,
): Promise<void> {
  const { _id, user_id, day } = visit;
  const other = await locationVisits.findOne({ location_id: into, user_id, day });
  if (other) {
    const [first, last] = visit.visit_date < other.visit_date ? [visit, other] : [other, visit];
    const where = last.latitude === null ? first : last;
    const said = {
      rating: last.rating ?? first.rating,
      notes: last.notes ?? first.notes,
      latitude: where.latitude,
      longitude: where.longitude,
    };
    await locationVisits.updateOne({ _id: other._id }, { $set: said });
  }
  await locationVisits.deleteOne({ _id });
}

/** Makes one place of two: from then on the first is the second, for whoever knows it by its id too. */
export async function mergePlaces(database: Places, from: string, into: string): Promise<void> {
  await database.locations.updateOne(
    { _id: from },
    { $set: { merged_into: into, is_active: false, ...uncheck() }, $inc: { changes: 1 } },
  );
  await moveAll(database, from, into);
  await recount(database, from);
}
