import type { Db } from 'mongodb';
import type { Placement } from '#shared/ads/contract.ts';
import { REACH_DAYS_MIN, REACH_LISTINGS_MIN } from '#shared/advertisers/reach-contract.ts';
import { SLOT_HOURS } from '#shared/advertisers/rules.ts';
import { DAY_MS, HOUR_MS } from '#shared/time.ts';
import { countsOf } from '../../ads/ad-counters.ts';
import { businessListings, viewHours } from '../../ads/collections.ts';
import { listingsThatAre } from '../../ads/status-filters.ts';
import { REACH_DAYS } from './view-hours.ts';

export interface Reach {
  low: number;
  high: number;
}

/** Enough listings for a range, without reading all of a large installation. */
const LISTINGS_READ = 200;

/** Returns the quartiles, rounded: half of the values are between them. */
function quartiles(values: readonly number[]): Reach {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.round(share * (sorted.length - 1))] ?? 0);
  return { low: at(0.25), high: at(0.75) };
}

/**
 * Estimates the views of a timed ad from those of its placement in the same hours of each of the last thirty days. Days on which
 * the placement showed no ad at all don't count.
 * @returns null without enough days
 */
export async function timedReach(
  db: Db,
  placement: Placement,
  start: Date,
  now: Date,
): Promise<Reach | null> {
  const from = now.getTime() - REACH_DAYS * DAY_MS;
  const rows = await viewHours(db)
    .find({ hour: { $gte: new Date(from) } })
    .toArray();
  const byHour = new Map(rows.map((row) => [row.hour.getTime(), row[placement]]));
  const hourOfDay = Math.floor((start.getTime() % DAY_MS) / HOUR_MS) * HOUR_MS;
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const sums: number[] = [];
  for (let day = 1; day <= REACH_DAYS; day++) {
    const midnight = today - day * DAY_MS;
    const viewsIn = (begin: number, hours: number) =>
      Array.from({ length: hours }, (_, hour) => byHour.get(begin + hour * HOUR_MS) ?? 0).reduce(
        (sum, views) => sum + views,
        0,
      );
    if (viewsIn(midnight, 24) > 0) sums.push(viewsIn(midnight + hourOfDay, SLOT_HOURS));
  }
  return sums.length < REACH_DAYS_MIN ? null : quartiles(sums);
}

/**
 * Estimates the views of a listing in thirty days from listings that have run for a week or longer.
 * @returns null without enough listings
 */
export async function listingReach(db: Db, now: Date): Promise<Reach | null> {
  const rows = await businessListings(db)
    .find(listingsThatAre('active', now))
    .limit(LISTINGS_READ)
    .toArray();
  const counts = await countsOf(db, rows);
  const views = rows.flatMap(({ _id, created_at }) => {
    const days = (now.getTime() - created_at.getTime()) / DAY_MS;
    return days < REACH_DAYS_MIN ? [] : [((counts.get(_id)?.impressions ?? 0) / days) * REACH_DAYS];
  });
  return views.length < REACH_LISTINGS_MIN ? null : quartiles(views);
}
