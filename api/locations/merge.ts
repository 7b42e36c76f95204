import { isDuplicate, type Database } from '../database.ts';
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
  for await (const { _id } of locationVisits.find(of, { projection: { _id: 1 } })) {
    try {
      await locationVisits.updateOne({ _id }, there);
    } catch (error) {
      // On that day this person was at both: it is one visit.
      if (!isDuplicate(error)) throw error;
      await locationVisits.deleteOne({ _id });
    }
  }
  await recount(database, into);
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
