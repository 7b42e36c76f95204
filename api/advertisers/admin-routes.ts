import type { Filter } from 'mongodb';
import {
  advertiserAnalytics,
  getAdvertiser,
  listAdPayments,
  listAdvertiserAds,
  listBusinessListings,
  RECENT_PAYMENTS,
  type AdminAdPayment,
  type AdminAdvertiser,
} from '#shared/advertisers/admin-contract.ts';
import { readPage } from '../admin/page.ts';
import { searching } from '../admin/search.ts';
import type { AdId, BookingRow, ListingRow } from '../ads/rows.ts';
import { Refusal } from '../refusal.ts';
import { serve } from '../serve.ts';
import type { Api } from '../services.ts';
import { advertiserStats, revenueByDay } from './analytics.ts';
import { presentAds } from './present.ts';
import type { AdPaymentRow, AdvertiserRow } from './rows.ts';

const UNPAID = { payment_status: { $in: ['pending' as const, 'failed' as const] } };
const PAID = { payment_status: 'completed' as const };
/** Of one advertiser so many are shown. */
const ADS_SHOWN = 100;

/** The rows that `bookingStatus` says this of. */
function bookingsThatAre(status: string | undefined, now: Date): Filter<BookingRow> {
  const runs = { ...PAID, cancelled_at: null };
  if (status === 'unpaid') return { ...UNPAID, cancelled_at: null };
  if (status === 'scheduled') return { ...runs, scheduled_start_at: { $gt: now } };
  if (status === 'active')
    return { ...runs, scheduled_start_at: { $lte: now }, scheduled_end_at: { $gt: now } };
  if (status === 'completed') return { ...runs, scheduled_end_at: { $lte: now } };
  return status ? { $or: [{ cancelled_at: { $ne: null } }, { payment_status: 'refunded' }] } : {};
}

/** The rows that `listingStatus` says this of. */
function listingsThatAre(status: string | undefined, now: Date): Filter<ListingRow> {
  const isOn = { ...PAID, subscription_end_date: { $gt: now } };
  if (status === 'unpaid') return UNPAID;
  if (status === 'active') return { ...isOn, paused_at: null };
  if (status === 'paused') return { ...isOn, paused_at: { $ne: null } };
  if (status === 'expired') return { ...PAID, subscription_end_date: { $lte: now } };
  return status ? { payment_status: 'refunded' } : {};
}

/** The admin panel's advertisers. */
export function mountAdvertiserAdmin(api: Api): void {
  const { database } = api.services;
  const { adPayments, advertisers, advertisementBookings, businessListings } = database;
  const present = presentAds(database);

  async function presentAdvertisers(rows: AdvertiserRow[]): Promise<AdminAdvertiser[]> {
    const now = new Date();
    const theirs = { advertiser_id: { $in: rows.map(({ _id }) => _id) } };
    const newest = { sort: { created_at: -1 }, limit: ADS_SHOWN * rows.length } as const;
    const [ads, listings, payments] = await Promise.all([
      advertisementBookings.find(theirs, newest).toArray(),
      businessListings.find(theirs, newest).toArray(),
      adPayments
        .aggregate<{ _id: string; cents: number; last: AdPaymentRow['payment_status'] }>([
          { $match: theirs },
          { $sort: { created_at: 1 } },
          {
            $group: {
              _id: '$advertiser_id',
              cents: {
                $sum: { $cond: [{ $eq: ['$payment_status', 'completed'] }, '$amount_cents', 0] },
              },
              last: { $last: '$payment_status' },
            },
          },
        ])
        .toArray(),
    ]);
    const shownAds = await present.timed(ads, now);
    const shownListings = await present.listings(listings, now);
    const paidBy = new Map(payments.map((each) => [each._id, each]));
    return rows.map((row) => ({
      id: row._id,
      email: row.email,
      company_name: row.company_name,
      contact_name: row.contact_name,
      phone: row.phone,
      billing_address: row.billing_address,
      total_spent_cents: paidBy.get(row._id)?.cents ?? 0,
      payment_status: paidBy.get(row._id)?.last ?? 'pending',
      created_at: row.created_at.toISOString(),
      advertisements: shownAds.filter((ad) => ad.advertiser_id === row._id),
      listings: shownListings.filter((ad) => ad.advertiser_id === row._id),
    }));
  }

  async function presentPayments(rows: AdPaymentRow[]): Promise<AdminAdPayment[]> {
    const ids = rows.map(({ advertisement_id }) => advertisement_id);
    const numbers = ids.filter((id) => typeof id === 'number');
    const texts = ids.filter((id) => typeof id === 'string');
    const owners = [...new Set(rows.map(({ advertiser_id }) => advertiser_id))];
    const [ads, listings, companies] = await Promise.all([
      advertisementBookings.find({ _id: { $in: numbers } }).toArray(),
      businessListings.find({ _id: { $in: texts } }).toArray(),
      advertisers.find({ _id: { $in: owners } }).toArray(),
    ]);
    const titles = new Map<AdId, string>([
      ...ads.map(({ _id, title }) => [_id, title] as const),
      ...listings.map(({ _id, business_name }) => [_id, business_name] as const),
    ]);
    const names = new Map(companies.map(({ _id, company_name }) => [_id, company_name]));
    return rows.map((row) => ({
      id: row._id,
      advertiser_id: row.advertiser_id,
      company_name: names.get(row.advertiser_id) ?? '',
      advertisement_title: titles.get(row.advertisement_id) ?? '',
      amount_cents: row.amount_cents,
      currency: row.currency,
      payment_provider: row.payment_provider,
      payment_status: row.payment_status,
      payment_id: row.payment_id,
      created_at: row.created_at.toISOString(),
    }));
  }

  serve(api, advertiserAnalytics, async ({ query }) => {
    const now = new Date();
    const [{ rows, paged }, stats, revenue, recent] = await Promise.all([
      readPage(advertisers, {
        filter: searching(query.search),
        orders: {
          newest: ['created_at', -1],
          oldest: ['created_at', 1],
          company: ['company_name', 1],
        },
        query,
      }),
      advertiserStats(database, now),
      revenueByDay(database, now),
      adPayments.find({}, { sort: { created_at: -1, _id: -1 }, limit: RECENT_PAYMENTS }).toArray(),
    ]);
    return {
      stats,
      advertisers: await presentAdvertisers(rows),
      revenueByDay: revenue,
      recentPayments: await presentPayments(recent),
      ...paged,
    };
  });

  serve(api, getAdvertiser, async ({ params }) => {
    const row = await advertisers.findOne({ _id: params.id });
    const [advertiser] = row ? await presentAdvertisers([row]) : [];
    if (!advertiser) throw new Refusal(404, 'Advertiser not found');
    return { advertiser };
  });

  serve(api, listAdvertiserAds, async ({ query }) => {
    const now = new Date();
    const { rows, paged } = await readPage(advertisementBookings, {
      filter: bookingsThatAre(query.status, now),
      orders: {
        newest: ['created_at', -1],
        oldest: ['created_at', 1],
        start: ['scheduled_start_at', 1],
      },
      query,
    });
    return { ads: await present.timed(rows, now), ...paged };
  });

  serve(api, listBusinessListings, async ({ query }) => {
    const now = new Date();
    const { rows, paged } = await readPage(businessListings, {
      filter: listingsThatAre(query.status, now),
      orders: { newest: ['created_at', -1], oldest: ['created_at', 1] },
      query,
    });
    return { listings: await present.listings(rows, now), ...paged };
  });

  serve(api, listAdPayments, async ({ query }) => {
    const { rows, paged } = await readPage(adPayments, {
      filter: query.status ? { payment_status: query.status } : {},
      orders: {
        newest: ['created_at', -1],
        oldest: ['created_at', 1],
        amount: ['amount_cents', -1],
      },
      query,
    });
    return { payments: await presentPayments(rows), ...paged };
  });
}
