import type { Db } from 'mongodb';
import { locationVisits, locationReports } from './collections.ts';
import { DAY_MS } from '#shared/time.ts';
import { clearDue, deleteDue } from '../../platform/retention.ts';

/** Coordinates of visits: stored as long as encounters. */
const COORDINATES_DAYS = 30;
/** As long as the moderation log. */
const REPORT_DAYS = 180;

/** Clears the coordinates of old visits, and deletes reports that were decided long ago. */
export async function sweepOldVisits(db: Db): Promise<void> {
  const before = (days: number) => ({ $lt: new Date(Date.now() - days * DAY_MS) });
  await clearDue(
    locationVisits(db),
    { latitude: { $gte: -90 }, visit_date: before(COORDINATES_DAYS) },
    { $set: { latitude: null, longitude: null } },
  );
  await deleteDue(locationReports(db), { resolved_at: before(REPORT_DAYS) });
}
