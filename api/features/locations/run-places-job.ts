import type { Db } from 'mongodb';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import { clearDue, deleteDue } from '../../platform/retention.ts';
import { runClaimsJob } from './claims.ts';
import { locations, locationReports, locationVisits } from './collections.ts';
import { recount } from './location-stats.ts';
import { moveAll } from './merge.ts';
import { removeLocationData, showImportedBehind } from './remove-location.ts';

/** Requests in progress are finished by then. */
const QUIET_MS = MINUTE_MS;
/** Coordinates of visits: stored as long as encounters. */
const COORDINATES_DAYS = 30;
/** As long as the moderation log. */
const REPORT_DAYS = 180;

/**
 * Repairs what a crash between two writes left inconsistent: recounts changed places, moves the rest of merged ones,
 * deletes the rest of removed ones, and shows what was hidden behind private ones.
 */
export async function runPlacesJob(db: Db): Promise<void> {
  await runClaimsJob(db);
  // All of them: if the first ones fail each time, they keep no others from being repaired.
  const changed = locations(db).find(
    { is_checked: false, changed_at: { $lt: new Date(Date.now() - QUIET_MS) } },
    { projection: { merged_into: 1, is_removed: 1, is_public: 1 } },
  );
  await forEachIsolated(changed, async ({ _id, merged_into, is_removed, is_public }) => {
    if (is_removed) return removeLocationData(db, _id);
    if (merged_into !== null) await moveAll(db, _id, merged_into);
    else if (!is_public) await showImportedBehind(db, _id);
    await recount(db, _id);
  });
}

/** Clears the coordinates of old visits, and deletes reports that were decided long ago. */
export async function runOldVisitsJob(db: Db): Promise<void> {
  const before = (days: number) => ({ $lt: new Date(Date.now() - days * DAY_MS) });
  await clearDue(
    locationVisits(db),
    { latitude: { $gte: -90 }, visit_date: before(COORDINATES_DAYS) },
    { $set: { latitude: null, longitude: null } },
  );
  await deleteDue(locationReports(db), { resolved_at: before(REPORT_DAYS) });
}
