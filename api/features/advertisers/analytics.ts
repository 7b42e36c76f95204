import type { Db } from 'mongodb';
import type { z } from 'zod';
import { type advertiserAnalytics } from '#shared/advertisers/admin-contract.ts';
import { REVENUE_DAYS } from '#shared/advertisers/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { advertisementBookings, businessListings } from '../ads/collections.ts';
import { bookingsThatAre, listingsThatAre } from '../ads/status-filters.ts';
import { REMAINING_CENTS } from '../payments/collections.ts';
import { adPayments, advertisers } from './collections.ts';

type Analytics = z.infer<typeof advertiserAnalytics.answer>;

const dateOf = (time: Date) => time.toISOString().slice(0, 10);

/** The totals of advertisers, ads and payments. */
export async function advertiserStats(db: Db, now: Date): Promise<Analytics['stats']> {
  const [sums, pending, total, running, over, listed, ended] = await Promise.all([
    adPayments(db)
      .aggregate<{ cents: number; count: number }>([
        { $match: { payment_status: 'completed' } },
        { $group: { _id: null, cents: { $sum: REMAINING_CENTS }, count: { $sum: 1 } } },
      ])
      .toArray(),
    adPayments(db).countDocuments({ payment_status: 'pending' }),
    advertisers(db).estimatedDocumentCount(),
    advertisementBookings(db).countDocuments(bookingsThatAre('active', now)),
    advertisementBookings(db).countDocuments(bookingsThatAre('completed', now)),
    businessListings(db).countDocuments(listingsThatAre('active', now)),
    businessListings(db).countDocuments(listingsThatAre('expired', now)),
  ]);
  return {
    total_revenue_cents: sums[0]?.cents ?? 0,
    total_advertisers: total,
    active_advertisements: running + listed,
    completed_advertisements: over + ended,
    successful_payments: sums[0]?.count ?? 0,
    pending_payments: pending,
  };
}

/** Revenue without refunds on each of the last days in UTC, including days without any. */
export async function revenueByDay(
  db: Db,
  now: Date,
  count = REVENUE_DAYS,
): Promise<Analytics['revenueByDay']> {
  const midnight = new Date(dateOf(now)).getTime();
  const first = new Date(midnight - (count - 1) * DAY_MS);
  const days = await adPayments(db)
    .aggregate<{ _id: string; cents: number }>([
      { $match: { payment_status: 'completed', paid_at: { $gte: first } } },
      {
        $group: {
          _id: { $dateToString: { date: '$paid_at', format: '%Y-%m-%d' } },
          cents: { $sum: REMAINING_CENTS },
        },
      },
    ])
    .toArray();
  const cents = new Map(days.map((day) => [day._id, day.cents]));
  return Array.from({ length: count }, (_, day) => {
    const date = dateOf(new Date(first.getTime() + day * DAY_MS));
    return { date, revenue_cents: cents.get(date) ?? 0 };
  });
}
