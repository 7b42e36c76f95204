import type { Db } from 'mongodb';
import { locations } from './collections.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import { sweepClaims } from './claims.ts';
import { removeLocationData } from './remove-location.ts';
import { moveAll } from './merge.ts';
import { recount } from './location-stats.ts';

/** Requests in progress are finished by then. */
const QUIET_MS = 60_000;

/**
 * Repairs what a crash between two writes left inconsistent: recounts changed places, moves the rest of merged ones,
 * and deletes the rest of removed ones.
 */
export async function sweepPlaces(db: Db): Promise<void> {
  await sweepClaims(db);
  // All of them: if the first ones fail each time, they keep no others from being repaired.
  const changed = locations(db).find(
    { is_checked: false, changed_at: { $lt: new Date(Date.now() - QUIET_MS) } },
    { projection: { merged_into: 1, is_removed: 1 } },
  );
  await forEachIsolated(changed, async ({ _id, merged_into, is_removed }) => {
    if (is_removed) return removeLocationData(db, _id);
    if (merged_into !== null) await moveAll(db, _id, merged_into);
    await recount(db, _id);
  });
}
