import type { Db } from 'mongodb';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { deleteDue } from '../../../platform/retention.ts';
import {
  adImpressions,
  advertisementBookings,
  advertisements,
  isListingId,
  viewHours,
  type AdId,
} from '../../ads/collections.ts';

/** How long views of ads are stored, and so are the hours that estimates use. */
export const REACH_DAYS = 30;
/** Views are stored at most a minute after their time. */
const SETTLED_MS = 2 * MINUTE_MS;

/**
 * Counts the views of each placement in each hour that is over, once: of the last thirty days at the first run, then of each
 * new hour. Hours without views have no row, except the last one. Deletes older hours.
 */
export async function countViewHours(db: Db, now: Date): Promise<void> {
  const end = Math.floor((now.getTime() - SETTLED_MS) / HOUR_MS) * HOUR_MS;
  const first = end - REACH_DAYS * DAY_MS;
  await deleteDue(viewHours(db), { hour: { $lt: new Date(first) } });
  const newest = await viewHours(db).find().sort({ hour: -1 }).limit(1).next();
  const begin = Math.max(first, newest ? newest.hour.getTime() + HOUR_MS : first);
  if (begin < end) await countHours(db, begin, end);
}

/** @param begin the first hour @param end exclusive */
async function countHours(db: Db, begin: number, end: number): Promise<void> {
  const seen = await adImpressions(db)
    .aggregate<{ _id: { ad: AdId; hour: string }; views: number }>([
      { $match: { at: { $gte: new Date(begin), $lt: new Date(end) }, doubt: null } },
      {
        $group: {
          _id: {
            ad: '$ad_id',
            hour: { $dateToString: { date: '$at', format: '%Y-%m-%dT%H:00:00.000Z' } },
          },
          views: { $sum: 1 },
        },
      },
    ])
    .toArray();
  const placementOf = await placementsOf(db, [...new Set(seen.map(({ _id }) => _id.ad))]);
  // The last one tells the next run where to begin.
  const hours = new Map([[new Date(end - HOUR_MS).toISOString(), noViews()]]);
  for (const { _id, views } of seen) {
    const placement = placementOf.get(_id.ad);
    if (!placement) continue;
    const counts = hours.get(_id.hour) ?? noViews();
    counts[placement] += views;
    hours.set(_id.hour, counts);
  }
  // Another node may have counted them in the meantime, with the same result.
  await viewHours(db).bulkWrite(
    [...hours].map(([_id, counts]) => ({
      updateOne: {
        filter: { _id },
        update: { $set: { hour: new Date(_id), ...counts } },
        upsert: true,
      },
    })),
    { ordered: false },
  );
}

const noViews = () => ({ banner: 0, sidebar: 0, inline: 0, modal: 0 });

async function placementsOf(db: Db, ids: AdId[]) {
  const timed = ids.filter((id) => typeof id === 'number');
  const house = ids.filter((id) => typeof id === 'string' && !isListingId(id)) as string[];
  const projection = { placement: 1 } as const;
  const rows = [
    ...(timed.length > 0
      ? await advertisementBookings(db)
          .find({ _id: { $in: timed } }, { projection })
          .toArray()
      : []),
    ...(house.length > 0
      ? await advertisements(db)
          .find({ _id: { $in: house } }, { projection })
          .toArray()
      : []),
  ];
  return new Map<AdId, (typeof rows)[number]['placement']>(
    rows.map(({ _id, placement }) => [_id, placement]),
  );
}
