import type { Db } from 'mongodb';
import type { z } from 'zod';
import type { advertisementAnalytics } from '#shared/ads/admin-contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { HOUSE_ID, adClicks } from './collections.ts';

type Analytics = z.infer<typeof advertisementAnalytics.answer>;

const TOP = 10;
const RECENT = 20;

/** The user, or the visitor of the day if not signed in. */
const person = { $ifNull: ['$user_id', '$who'] };

type Count = { count: number }[];
interface Facets {
  total: Count;
  people: Count;
  ads: Count;
  day: Count;
  top: Analytics['topAds'];
  notCounted: Analytics['notCounted'];
}

/** Analytics of clicks on house ads. Clicks that do not count are summed up by reason. */
export async function clickAnalytics(db: Db, now: Date): Promise<Analytics> {
  const house = { ad_id: HOUSE_ID };
  const counts = { $match: { doubt: null } };
  const distinct = (field: unknown) => [counts, { $group: { _id: field } }, { $count: 'count' }];
  const [facets] = await adClicks(db)
    .aggregate<Facets>([
      { $match: house },
      {
        $facet: {
          total: [counts, { $count: 'count' }],
          people: distinct(person),
          ads: distinct('$ad_id'),
          day: [
            { $match: { doubt: null, clicked_at: { $gt: new Date(now.getTime() - DAY_MS) } } },
            { $count: 'count' },
          ],
          top: [
            counts,
            { $sort: { clicked_at: 1 } },
            {
              $group: {
                _id: { ad: '$ad_id', person },
                clicks: { $sum: 1 },
                title: { $last: '$ad_title' },
                at: { $last: '$clicked_at' },
              },
            },
            { $sort: { at: 1 } },
            {
              $group: {
                _id: '$_id.ad',
                ad_title: { $last: '$title' },
                click_count: { $sum: '$clicks' },
                unique_clicks: { $sum: 1 },
              },
            },
            { $sort: { click_count: -1, _id: 1 } },
            { $limit: TOP },
            { $set: { ad_id: '$_id' } },
          ],
          notCounted: [
            { $match: { doubt: { $ne: null } } },
            { $group: { _id: '$doubt', clicks: { $sum: 1 } } },
            { $sort: { clicks: -1, _id: 1 } },
            { $set: { reason: '$_id' } },
          ],
        },
      },
    ])
    .toArray();
  const recent = await adClicks(db)
    .find({ ...house, doubt: null })
    .sort({ clicked_at: -1 })
    .limit(RECENT)
    .toArray();
  return {
    stats: {
      total_clicks: facets?.total[0]?.count ?? 0,
      unique_users: facets?.people[0]?.count ?? 0,
      clicks_last_24h: facets?.day[0]?.count ?? 0,
      ads_clicked: facets?.ads[0]?.count ?? 0,
    },
    topAds: facets?.top ?? [],
    recentClicks: recent.map(({ ad_title, ad_url, clicked_at }) => ({
      ad_title,
      ad_url,
      clicked_at: clicked_at.toISOString(),
    })),
    notCounted: facets?.notCounted ?? [],
  };
}
