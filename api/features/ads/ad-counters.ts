import type { Collection, Filter, Db } from 'mongodb';
import { databaseTrouble } from '#shared/server/database-errors.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
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
const SETTLED_MS = MINUTE_MS;
/** How many days an advertiser sees. */
const DAYS_SHOWN = 30;
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

interface DaySum extends Counts {
  date: string;
}

/** As `sum`, with the days in UTC. */
async function sumByDay(db: Db, time: { $gt: Date; $lte: Date }): Promise<Map<AdId, DaySum[]>> {
  const group = (collection: Pick<Collection, 'aggregate'>, at: string) =>
    collection
      .aggregate<{ _id: { ad: AdId; date: string }; events: number }>([
        { $match: { doubt: null, [at]: time } },
        {
          $group: {
            _id: { ad: '$ad_id', date: { $dateToString: { date: `$${at}`, format: '%Y-%m-%d' } } },
            events: { $sum: 1 },
          },
        },
      ])
      .toArray();
  const sums = new Map<AdId, DaySum[]>();
  const add = (kind: keyof Counts, { ad, date }: { ad: AdId; date: string }, events: number) => {
    const ofAd = sums.get(ad) ?? [];
    sums.set(ad, ofAd);
    let day = ofAd.find((each) => each.date === date);
    if (!day) ofAd.push((day = { date, impressions: 0, clicks: 0 }));
    day[kind] = events;
  };
  for (const { _id, events } of await group(adImpressions(db), 'at'))
    add('impressions', _id, events);
  for (const { _id, events } of await group(adClicks(db), 'clicked_at')) add('clicks', _id, events);
  return sums;
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The days to remove when a row is counted. An ad without views for as long keeps some, which nobody reads. */
const oldDays = (now: Date): string[] =>
  Array.from({ length: DAYS_SHOWN }, (_, day) =>
    dateOf(now.getTime() - (DAYS_SHOWN + 1 + day) * DAY_MS),
  );

/**
 * The counted days of the last `DAYS_SHOWN`, oldest first.
 * @param isRounded for listings: in tens, without today, and without days of fewer: that there was a view at all tells somebody was near
 */
export function daysOf(
  { days = {} }: CountedRow,
  now: Date,
  { isRounded }: { isRounded: boolean },
): DaySum[] {
  const first = dateOf(now.getTime() - DAYS_SHOWN * DAY_MS);
  const today = dateOf(now.getTime());
  return Object.entries(days)
    .filter(([date]) => date > first && !(isRounded && date >= today))
    .map(([date, { impressions = 0, clicks = 0 }]) => ({
      date,
      impressions: isRounded ? roundDown(impressions) : impressions,
      clicks: isRounded ? roundDown(clicks) : clicks,
    }))
    .filter(({ impressions, clicks }) => impressions > 0 || clicks > 0)
    .toSorted((a, b) => a.date.localeCompare(b.date));
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
  const old = oldDays(now);
  const $unset = Object.fromEntries(old.map((day) => [`days.${day}` as const, '' as const]));
  const add = async (_id: AdId, ofDays: DaySum[]): Promise<void> => {
    const total = (kind: keyof Counts) => ofDays.reduce((all, each) => all + each[kind], 0);
    const $inc = { impressions: total('impressions'), clicks: total('clicks') };
    const $set = { counted_until: to };
    const due = { counted_until: { $lt: to } };
    // MongoDB refuses an update that adds to a day and removes it.
    const kept = ofDays.filter(({ date }) => !old.includes(date));
    const byDay = Object.fromEntries(
      kept.flatMap(({ date, impressions, clicks }) => [
        [`days.${date}.impressions` as const, impressions],
        [`days.${date}.clicks` as const, clicks],
      ]),
    );
    const update = { $inc: { ...$inc, ...byDay }, $set, $unset };
    if (typeof _id === 'number') await advertisementBookings(db).updateOne({ _id, ...due }, update);
    else if (isListingId(_id)) await businessListings(db).updateOne({ _id, ...due }, update);
    else await advertisements(db).updateOne({ _id, ...due }, { $inc, $set });
  };
  for (const [id, ofDays] of await sumByDay(db, { $gt: from, $lte: to }))
    await add(id, ofDays).catch((error: unknown) => {
      if (databaseTrouble(error)) throw error;
      // Of an ad that MongoDB refuses, this interval stays uncounted: otherwise, nothing of any ad would be counted any more.
      failed.push(error);
    });
  await adCounting(db).updateOne({ _id: ROW, to }, { $set: { from: to } });
  if (failed.length > 0) throw failed[0];
}

/** Views of a listing are shown in steps of this, because one near a home is seen by few. */
const LISTING_STEP = 10;

const roundDown = (count: number): number =>
  Math.max(0, Math.floor(count / LISTING_STEP) * LISTING_STEP);

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
  return new Map(
    [...counts].map(([id, { impressions, clicks }]) => [
      id,
      { impressions: roundDown(impressions), clicks: roundDown(clicks) },
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
