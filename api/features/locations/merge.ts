import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { HttpError } from '#shared/http/http-error.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import {
  type VisitRow,
  locationVisits as locationVisitsRows,
  locations,
  locationTips,
  locationReports,
  locationPhotos,
} from './collections.ts';
import { underLease, whenDecided, withLease } from './lease.ts';
import { recount, uncheck } from './location-stats.ts';
import { mergedInto } from './store.ts';

/** Moves all data of a merged place to its target. May be repeated. */
export async function moveAll(db: Db, from: string, into: string): Promise<void> {
  const of = { location_id: from };
  const there = { $set: { location_id: into } };
  await locations(db).updateOne({ _id: into }, { $inc: { changes: 1 }, $set: uncheck() });
  await locationTips(db).updateMany(of, there);
  await locationReports(db).updateMany(of, there);
  await locationPhotos(db).updateMany(of, there);
  for await (const visit of locationVisitsRows(db).find(of)) {
    try {
      await locationVisitsRows(db).updateOne({ _id: visit._id }, there);
    } catch (error) {
      // The user visited both on that day: they become one visit.
      if (!isDuplicate(error)) throw error;
      await joinVisits(locationVisitsRows(db), visit, into);
    }
  }
  await recount(db, into);
}

/** Combines two visits of one day; the later one’s values win. May be repeated. */
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
    const isVisit = !visit.is_rating_only || !other.is_rating_only;
    await locationVisits.updateOne(
      { _id: other._id },
      { $set: said, ...(isVisit && { $unset: { is_rating_only: '' } }) },
    );
  }
  await locationVisits.deleteOne({ _id });
}

const ATTEMPTS = 4;
/** Random, so that two opposite merges don’t block each other. */
const PAUSE_MAX_MS = 80;

export const cannotMerge = (): HttpError => new HttpError(409, 'These locations can’t be merged');

/**
 * Merges one place into another, also for users who know it by its id. May be repeated.
 * @throws HttpError 409 when one of them doesn’t exist anymore or was merged into another
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
 * Marks a place as merged unless its target is being merged or removed. It holds the lease of the first place, so that
 * a concurrent lease of the target sees it.
 * @returns whether it was done
 * @throws HttpError 409 when the target can’t be merged into
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
  const target = await locations(db).findOne({ _id: into }, { projection: { merged_into: 1 } });
  // It was merged in the meantime, maybe before these data arrived there.
  if (target?.merged_into) await finishMerge(db, into, target.merged_into);
}
