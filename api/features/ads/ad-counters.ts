import { DAY_MS } from '#shared/time.ts';
import type { Collection, Filter, Db } from 'mongodb';
import {
  isListingId,
  type AdId,
  type CountedRow,
  adCounting,
  adImpressions,
  adClicks,
  advertisements,
  advertisementBookings,
  businessListings,
} from './collections.ts';
import { databaseTrouble } from '#shared/server/database-errors.ts';

/**
 * Views and clicks of ads. Each event is one insert, so that no request waits for an ad's row. Periodically, new events are
 * added to the rows, each exactly once: the bounds of a run are stored first, and `counted_until` prevents a row from
 * being updated twice when a run is repeated.
 */

export interface Counts {
  impressions: number;
  clicks: number;
}

/** Events are stored at most this long after their time. */
const SETTLED_MS = 60_000;
const ROW = 'ads' as const;
const NEVER = new Date(0);

/** The counters of a new ad. */
export const uncounted = (): CountedRow => ({ impressions: 0, clicks: 0, counted_until: NEVER });

interface Sum extends Counts {
  _id: AdId;
}

/** Sums up counted events by ad. */
async function sum(
  db: Db,
  time: { $gt: Date; $lte?: Date },
  which: Filter<{ ad_id: AdId }> = {},
): Promise<Sum[]> {
  const group = (collection: Pick<Collection, 'aggregate'>, at: string) =>
    collection
      .aggregate<{ _id: AdId; events: number }>([
        { $match: { ...which, doubt: null, [at]: time } },
        { $group: { _id: '$ad_id', events: { $sum: 1 } } },
      ])
      .toArray();
  const sums = new Map<AdId, Sum>();
  const sumOf = (id: AdId) => {
    const known = sums.get(id) ?? { _id: id, impressions: 0, clicks: 0 };
    sums.set(id, known);
    return known;
  };
  for (const { _id, events } of await group(adImpressions(db), 'at'))
    sumOf(_id).impressions = events;
  for (const { _id, events } of await group(adClicks(db), 'clicked_at')) sumOf(_id).clicks = events;
  return [...sums.values()];
}

/** Adds new events to the ads' rows. Several servers may run it at the same time. */
export async function addUp(db: Db, now: Date): Promise<void> {
  const settled = new Date(now.getTime() - SETTLED_MS);
  await adCounting(db).updateOne(
    { _id: ROW },
    { $setOnInsert: { from: NEVER, to: NEVER } },
    { upsert: true },
  );
  // After an interrupted run, its bounds are used again.
  await adCounting(db).updateOne(
    { _id: ROW, $expr: { $eq: ['$from', '$to'] }, to: { $lt: settled } },
    [{ $set: { to: settled } }],
  );
  const bounds = await adCounting(db).findOne({ _id: ROW });
  if (!bounds || bounds.from >= bounds.to) return;
  const { from, to } = bounds;
  const failed: unknown[] = [];
  const add = async ({ _id, impressions, clicks }: Sum): Promise<void> => {
    const update = { $inc: { impressions, clicks }, $set: { counted_until: to } };
    const due = { counted_until: { $lt: to } };
    if (typeof _id === 'number') await advertisementBookings(db).updateOne({ _id, ...due }, update);
    else if (isListingId(_id)) await businessListings(db).updateOne({ _id, ...due }, update);
    else await advertisements(db).updateOne({ _id, ...due }, update);
  };
  for (const each of await sum(db, { $gt: from, $lte: to }))
    await add(each).catch((error: unknown) => {
      if (databaseTrouble(error)) throw error;
      // Of an ad that MongoDB refuses, this interval stays uncounted: otherwise, nothing of any ad would be counted any more.
      failed.push(error);
    });
  await adCounting(db).updateOne({ _id: ROW, to }, { $set: { from: to } });
  if (failed.length > 0) throw failed[0];
}

/** Views of a listing are shown in steps of this, because one near a home is seen by few. */
const LISTING_STEP = 10;

/** The counts of listings as their advertisers see them: until the day began (UTC), and in tens. */
export async function roundedCountsOf(
  db: Db,
  rows: (CountedRow & { _id: AdId })[],
  now: Date,
): Promise<Map<AdId, Counts>> {
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const [counts, later] = await Promise.all([
    countsOf(db, rows),
    sum(db, { $gt: today }, { ad_id: { $in: rows.map((row) => row._id) } }),
  ]);
  for (const { _id, impressions, clicks } of later) {
    const total = counts.get(_id);
    if (!total) continue;
    total.impressions -= impressions;
    total.clicks -= clicks;
  }
  const round = (count: number) => Math.max(0, Math.floor(count / LISTING_STEP) * LISTING_STEP);
  return new Map(
    [...counts].map(([id, { impressions, clicks }]) => [
      id,
      { impressions: round(impressions), clicks: round(clicks) },
    ]),
  );
}

/** The counts of these ads, including events that are not added to their rows yet. */
export async function countsOf(
  db: Db,
  rows: (CountedRow & { _id: AdId })[],
): Promise<Map<AdId, Counts>> {
  const bounds = await adCounting(db).findOne({ _id: ROW });
  const { from, to } = bounds ?? { from: NEVER, to: NEVER };
  const which = { ad_id: { $in: rows.map((row) => row._id) } };
  const byId = (sums: Sum[]) => new Map(sums.map((each) => [each._id, each]));
  const adding = byId(await sum(db, { $gt: from, $lte: to }, which));
  const later = byId(await sum(db, { $gt: to }, which));
  return new Map(
    rows.map(({ _id, impressions, clicks, counted_until }) => {
      const open = [counted_until < to ? adding.get(_id) : undefined, later.get(_id)];
      const total = { impressions, clicks };
      for (const each of open) {
        total.impressions += each?.impressions ?? 0;
        total.clicks += each?.clicks ?? 0;
      }
      return [_id, total];
    }),
  );
}
