import { bookingStatus } from '#shared/ads/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import type { Services } from '../../platform/services.ts';
import { countsOf, roundedCountsOf } from '../ads/ad-counters.ts';
import { advertisementBookings, businessListings } from '../ads/collections.ts';
import { type AdvertiserRow, advertisers } from './collections.ts';
import { expiredEmail, finishedEmail, liveEmail } from './email-templates.ts';
import type { AdvertiserEmails } from './emails.ts';

/** By then, the last views and clicks are counted. */
const COUNTED_MS = 2 * MINUTE_MS;

/**
 * Emails advertisers once when an ad went live or finished, or a listing ended. Skips emails that are outdated because no
 * server was running.
 */
export async function sendLifecycleEmails(
  { db }: Pick<Services, 'db'>,
  emails: AdvertiserEmails,
  now: Date,
): Promise<void> {
  const advertiserOf = (id: string): Promise<AdvertiserRow | null> =>
    advertisers(db).findOne({ _id: id });
  const settled = new Date(now.getTime() - COUNTED_MS);

  const shown = { payment_status: 'completed' as const, taken_down_at: null };
  const paid = { ...shown, cancelled_at: null };
  const begun = { ...paid, scheduled_start_at: { $lte: now }, notified: { $ne: 'live' } };
  for await (const ad of advertisementBookings(db).find(begun)) {
    const advertiser = await advertiserOf(ad.advertiser_id);
    if (advertiser && bookingStatus(ad, now) === 'active')
      await emails.send(`live ${ad._id}`, advertiser, liveEmail(ad, advertiser.time_zone));
    await advertisementBookings(db).updateOne({ _id: ad._id }, { $addToSet: { notified: 'live' } });
  }

  const ended = { ...paid, scheduled_end_at: { $lte: settled }, notified: { $ne: 'finished' } };
  for await (const ad of advertisementBookings(db).find(ended)) {
    const advertiser = await advertiserOf(ad.advertiser_id);
    const counts = (await countsOf(db, [ad])).get(ad._id);
    if (advertiser && counts)
      await emails.send(`finished ${ad._id}`, advertiser, finishedEmail(ad, counts));
    await advertisementBookings(db).updateOne(
      { _id: ad._id },
      { $addToSet: { notified: 'finished' } },
    );
  }

  const expired = {
    ...shown,
    subscription_end_date: { $lte: settled },
    $expr: {
      $not: [
        {
          $in: [
            { $concat: ['ended ', { $toString: { $size: '$paid' } }] },
            { $ifNull: ['$notified', []] },
          ],
        },
      ],
    },
  };
  for await (const ad of businessListings(db).find(expired)) {
    // Once for each renewal.
    const notified = `ended ${ad.paid.length}`;
    const advertiser = await advertiserOf(ad.advertiser_id);
    const counts = (await roundedCountsOf(db, [ad], now)).get(ad._id);
    if (advertiser && counts)
      await emails.send(`${notified} ${ad._id}`, advertiser, expiredEmail(ad, counts));
    await businessListings(db).updateOne({ _id: ad._id }, { $addToSet: { notified } });
  }
}
