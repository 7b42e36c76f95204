import type { Db } from 'mongodb';
import { bookingStatus, listingStatus } from '#shared/ads/rules.ts';
import type {
  AdminAdPayment,
  AdminListing,
  AdminTimedAd,
} from '#shared/advertisers/admin-contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { pictureUrl } from '../../platform/files/public-owner.ts';
import { countsOf, daysOf, roundedCountsOf } from '../ads/ad-counters.ts';
import {
  type AdId,
  type BookingRow,
  type ListingRow,
  advertisementBookings,
  businessListings,
} from '../ads/collections.ts';
import { providerStateOf, REMAINING_CENTS, returnedOf } from '../payments/collections.ts';
import { type AdPaymentRow, adPayments, advertisers } from './collections.ts';
import { titleOf } from './email-templates.ts';
import type { AdContent } from './reviews/review-state.ts';

/** Serializes ads for advertisers and admins, with their counts and the sum paid for them. */
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
    return <Ad extends BookingRow | ListingRow>(row: Ad) => ({
      ...row,
      ...(counts.get(row._id) ?? { impressions: 0, clicks: 0 }),
      company_name: names.get(row.advertiser_id) ?? '',
      image_url: pictureUrl(row.image_key),
      spent_cents: cents.get(row._id) ?? 0,
      created_at: row.created_at.toISOString(),
      taken_down_at: row.taken_down_at?.toISOString() ?? null,
      taken_down_reason: row.taken_down_reason ?? null,
      version: row.version ?? 0,
      review: row.review
        ? {
            ...row.review,
            is_pending_approval: Boolean(row.pending_approval ?? row.proposed_content),
          }
        : null,
      proposed: proposedTexts(row.proposed_content),
    });
  }

  return {
    async timed(rows: BookingRow[], now: Date): Promise<AdminTimedAd[]> {
      const common = await about(rows);
      return rows.map((row) => ({
        ...common(row),
        id: row._id,
        status: bookingStatus(row, now),
        days: daysOf(row, now, { isRounded: false }),
        scheduled_start_at: row.scheduled_start_at.toISOString(),
        scheduled_end_at: row.scheduled_end_at.toISOString(),
      }));
    },
    async listings(rows: ListingRow[], now: Date): Promise<AdminListing[]> {
      const [common, counts] = await Promise.all([about(rows), roundedCountsOf(db, rows, now)]);
      return rows.map((row) => ({
        ...common(row),
        ...(counts.get(row._id) ?? { impressions: 0, clicks: 0 }),
        days: daysOf(row, now, { isRounded: true }),
        id: row._id,
        latitude: row.place.coordinates[1],
        longitude: row.place.coordinates[0],
        status: listingStatus(row, now),
        subscription_start_date: row.subscription_start_date?.toISOString() ?? null,
        subscription_end_date: row.subscription_end_date?.toISOString() ?? null,
        next_period: row.paid.length,
      }));
    },
  };
}

export const adNotFound = () => new HttpError(404, 'Advertisement not found');

/** Reads and serializes one ad for admins. @throws HttpError 404 */
export function readOneAd(db: Db) {
  const present = presentAds(db);
  return {
    async timedAd(_id: number): Promise<{ advertisement: AdminTimedAd }> {
      const rows = await advertisementBookings(db).find({ _id }).toArray();
      const [advertisement] = await present.timed(rows, new Date());
      if (!advertisement) throw adNotFound();
      return { advertisement };
    },
    async listing(_id: string): Promise<{ advertisement: AdminListing }> {
      const rows = await businessListings(db).find({ _id }).toArray();
      const [advertisement] = await present.listings(rows, new Date());
      if (!advertisement) throw adNotFound();
      return { advertisement };
    },
  };
}

/** The texts of a proposed change. */
function proposedTexts(content: AdContent | undefined): Record<string, string | null> | null {
  if (!content) return null;
  const { image_key: _, ...texts } = content;
  return texts;
}

/** Serializes payments for ads, with the ads' titles and the advertisers' companies. */
export async function presentPayments(db: Db, rows: AdPaymentRow[]): Promise<AdminAdPayment[]> {
  const ids = rows.map(({ advertisement_id }) => advertisement_id);
  const owners = [...new Set(rows.map(({ advertiser_id }) => advertiser_id))];
  const [ads, listings, companies] = await Promise.all([
    advertisementBookings(db)
      .find({ _id: { $in: ids.filter((id) => typeof id === 'number') } })
      .toArray(),
    businessListings(db)
      .find({ _id: { $in: ids.filter((id) => typeof id === 'string') } })
      .toArray(),
    advertisers(db)
      .find({ _id: { $in: owners } })
      .toArray(),
  ]);
  const titles = new Map([...ads, ...listings].map((ad) => [ad._id, titleOf(ad)]));
  const names = new Map(companies.map(({ _id, company_name }) => [_id, company_name]));
  return rows.map(({ tax = null, ...row }) => ({
    ...row,
    tax,
    id: row._id,
    provider_url: null,
    company_name: names.get(row.advertiser_id) ?? '',
    advertisement_title: titles.get(row.advertisement_id) ?? '',
    provider_state: providerStateOf(row),
    returned_cents: returnedOf(row),
    submitted_at: row.submitted_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }));
}
