import type { Db } from 'mongodb';
import { adPayments, advertisers } from './collections.ts';
import type { AdminListing, AdminTimedAd } from '#shared/advertisers/admin-contract.ts';
import { bookingStatus, listingStatus } from '#shared/ads/rules.ts';
import { countsOf } from '../ads/ad-counters.ts';
import type { AdId, BookingRow, ListingRow } from '../ads/collections.ts';
import { pictureUrl } from '../files/public-owner.ts';
import { REMAINING_CENTS } from '../payments/collections.ts';
import type { AdContent } from './reviews/review-state.ts';

/** Ads as their advertisers and admins see them, with their counts and what was paid for them. */
export function presentAds(db: Db) {
  async function about(rows: (BookingRow | ListingRow)[]) {
    const ids = rows.map(({ _id }) => _id);
    const owners = [...new Set(rows.map(({ advertiser_id }) => advertiser_id))];
    const [counts, spent, companies] = await Promise.all([
      countsOf(db, rows),
      adPayments(db)
        .aggregate<{ _id: AdId; cents: number }>([
          { $match: { advertisement_id: { $in: ids }, payment_status: 'completed' } },
          { $group: { _id: '$advertisement_id', cents: { $sum: REMAINING_CENTS } } },
        ])
        .toArray(),
      advertisers(db)
        .find({ _id: { $in: owners } }, { projection: { company_name: 1 } })
        .toArray(),
    ]);
    const cents = new Map(spent.map((each) => [each._id, each.cents]));
    const names = new Map(companies.map(({ _id, company_name }) => [_id, company_name]));
    return (row: BookingRow | ListingRow) => ({
      ...(counts.get(row._id) ?? { impressions: 0, clicks: 0 }),
      advertiser_id: row.advertiser_id,
      company_name: names.get(row.advertiser_id) ?? '',
      description: row.description,
      image_url: pictureUrl(row.image_key),
      spent_cents: cents.get(row._id) ?? 0,
      created_at: row.created_at.toISOString(),
      taken_down_at: row.taken_down_at?.toISOString() ?? null,
      taken_down_reason: row.taken_down_reason ?? null,
      version: row.version ?? 0,
      review: row.review
        ? {
            of: row.review.of,
            state: row.review.state,
            reason: row.review.reason,
            is_pending_approval: Boolean(row.pending_approval ?? row.proposed_content),
          }
        : null,
      proposed: proposedWords(row.proposed_content),
    });
  }

  return {
    async timed(rows: BookingRow[], now: Date): Promise<AdminTimedAd[]> {
      const common = await about(rows);
      return rows.map((row) => ({
        id: row._id,
        ...common(row),
        title: row.title,
        target_url: row.target_url,
        placement: row.placement,
        status: bookingStatus(row, now),
        cost_cents: row.cost_cents,
        scheduled_start_at: row.scheduled_start_at.toISOString(),
        scheduled_end_at: row.scheduled_end_at.toISOString(),
        duration_hours: row.duration_hours,
      }));
    },
    async listings(rows: ListingRow[], now: Date): Promise<AdminListing[]> {
      const common = await about(rows);
      return rows.map((row) => ({
        id: row._id,
        ...common(row),
        business_name: row.business_name,
        business_type: row.business_type,
        latitude: row.place.coordinates[1],
        longitude: row.place.coordinates[0],
        address: row.address,
        phone: row.phone,
        website_url: row.website_url,
        search_radius_miles: row.search_radius_miles,
        status: listingStatus(row, now),
        monthly_cost_cents: row.monthly_cost_cents,
        subscription_start_date: row.subscription_start_date?.toISOString() ?? null,
        subscription_end_date: row.subscription_end_date?.toISOString() ?? null,
        next_period: row.paid.length,
      }));
    },
  };
}

/** A proposed change without its picture, which is seen by its address alone. */
function proposedWords(content: AdContent | undefined): Record<string, string | null> | null {
  if (!content) return null;
  const { image_key: _, ...words } = content;
  return words;
}
