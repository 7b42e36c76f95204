import type { Db } from 'mongodb';
import { setTimeout as wait } from 'node:timers/promises';
import { isDuplicate } from '../database.ts';
import { HttpError } from '../http/http-error.ts';
import { underLease, whenDecided, withLease } from './lease.ts';
import {
  type VisitRow,
  locationVisits as locationVisitsRows,
  locations,
  locationTips,
  locationReports,
} from './collections.ts';
import { mergedInto } from './store.ts';
import { recount, uncheck } from './location-stats.ts';

/** Takes all that is of a merged place to the one that it is. May be repeated. */
export async function moveAll(db: Db, from: string, into: string): Promise<void> {
  const of = { location_id: from };
  const there = { $set: { location_id: into } };
  await locations(db).updateOne({ _id: into }, { $inc: { changes: 1 }, $set: uncheck() });
  await locationTips(db).updateMany(of, there);
  await locationReports(db).updateMany(of, there);
  for await (const visit of locationVisitsRows(db).find(of)) {
    try {
      await locationVisitsRows(db).updateOne({ _id: visit._id }, there);
    } catch (error) {
      // On that day this person was at both: it is one visit.
      if (!isDuplicate(error)) throw error;
      await joinVisits(locationVisitsRows(db), visit, into);
    }
  }
  await recount(db, into);
}

/** Of two visits of one day what was said of only one stays said; of both, by whoever came later. May be repeated. */
async function joinVisits(
  locationVisits: ReturnType<typeof locationVisitsRows>,
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

const ATTEMPTS = 4;
/** Two who merge two places into each other get out of each other's way. */
const PAUSE_MAX_MS = 80;

export const cannotMerge = (): HttpError => new HttpError(409, 'These locations can’t be merged');

/**
 * Makes one place of two: from then on the first is the second, for whoever knows it by its id too. May be repeated.
 * @throws Refusal 409 when one of them is not there any more, or was merged into another
 */
export async function mergePlaces(db: Db, from: string, into: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [source] = await Promise.all([whenDecided(db, from), whenDecided(db, into)]);
    if (source?.merged_into === into || (await markMerged(db, from, into)))
      return finishMerge(db, from, into);
    if (!source || source.merged_into !== null) throw cannotMerge();
    await wait(Math.random() * PAUSE_MAX_MS);
  }
  throw cannotMerge();
}

/**
 * Marks a place as merged, as long as the other one is not about to be merged or removed: with the lease of the first, so that
 * whoever takes the lease of the second one meanwhile sees it.
 * @returns whether it was done
 * @throws Refusal 409 when the other one cannot be merged into
 */
async function markMerged(db: Db, from: string, into: string): Promise<boolean> {
  const isMarked = await withLease(db, from, into, async (leased) => {
    const target = await locations(db).findOne({ _id: into });
    const isThere = target && !target.is_removed && target.merged_into === null;
    if (!isThere || !target.is_active || !target.is_public) throw cannotMerge();
    if (target.lease) return false;
    const { matchedCount } = await locations(db).updateOne(underLease(leased), {
      $set: { merged_into: into, is_active: false, ...uncheck() },
      $inc: { changes: 1, version: 1 },
      $unset: { lease: '' },
    });
    return matchedCount === 1;
  });
  return isMarked === true;
}

async function finishMerge(db: Db, from: string, into: string): Promise<void> {
  await locations(db).updateMany(mergedInto(from), {
    $set: { merged_into: into, ...uncheck() },
  });
  await moveAll(db, from, into);
  await recount(db, from);
}
