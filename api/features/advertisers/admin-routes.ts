import type { Db } from 'mongodb';
import {
  advertiserAnalytics,
  correctAd,
  correctListing,
  editAdvertiser,
  exportAdvertisers,
  getAdvertiser,
  getAdvertiserAd,
  getBusinessListing,
  listAdPayments,
  listAdvertiserAds,
  listBusinessListings,
  type AdminAdvertiser,
} from '#shared/advertisers/admin-contract.ts';
import { RECENT_PAYMENTS } from '#shared/advertisers/rules.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { cacheSlowResult } from '../../platform/admin/adaptive-cache.ts';
import { readAll, readPage, type Order } from '../../platform/admin/keyset-pagination.ts';
import { prefixRange, wordPrefixFilter, wordsOf } from '../../platform/admin/search.ts';
import { serveExport } from '../../platform/admin/serve-export.ts';
import { edit } from '../../platform/admin/versioned-edit.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { advertisementBookings, businessListings } from '../ads/collections.ts';
import { bookingsThatAre, listingsThatAre } from '../ads/status-filters.ts';
import { inDoubt, REMAINING_CENTS } from '../payments/collections.ts';
import { providerUrl } from '../payments/provider-url.ts';
import { advertiserStats, revenueByDay } from './analytics.ts';
import { type AdPaymentRow, type AdvertiserRow, adPayments, advertisers } from './collections.ts';
import { correctPaidAd } from './correct-ad.ts';
import { presentAds, presentPayments, readOneAd } from './serialize.ts';

const missing = 'Advertiser not found';

/** Ads shown of one advertiser. */
const ADS_SHOWN = 100;
const EXPORTED_AT_ONCE = 500;
/** A search for ads considers this many advertisers. */
const ADVERTISERS_FOUND = 200;

const ORDERS: Record<'newest' | 'oldest' | 'company', Order<AdvertiserRow>> = {
  newest: ['created_at', -1],
  oldest: ['created_at', 1],
  company: ['company_name', 1],
};

/** The admin panel's advertisers. */
export function mountAdvertiserAdmin(api: Api): void {
  const { db } = api.services;
  const present = presentAds(db);
  const { timedAd, listing } = readOneAd(db);

  const statistics = cacheSlowResult(() => {
    const now = new Date();
    return Promise.all([advertiserStats(db, now), revenueByDay(db, now)]);
  });

  serve(api, advertiserAnalytics, async ({ query }) => {
    const [{ rows, paged }, [stats, revenue], recent] = await Promise.all([
      readPage(advertisers(db), { filter: wordPrefixFilter(query.search), orders: ORDERS, query }),
      statistics(),
      adPayments(db)
        .find({}, { sort: { created_at: -1, _id: -1 }, limit: RECENT_PAYMENTS })
        .toArray(),
    ]);
    return {
      stats,
      advertisers: await presentAdvertisers(db, rows),
      revenueByDay: revenue,
      recentPayments: await presentPayments(db, recent),
      ...paged,
    };
  });

  serveExport(api, exportAdvertisers, {
    kind: 'advertiser',
    name: 'advertisers',
    rows: (query) =>
      withPayments(
        db,
        readAll(advertisers(db), { filter: wordPrefixFilter(query.search), orders: ORDERS, query }),
      ),
    columns: {
      Company: ({ row }) => row.company_name,
      Contact: ({ row }) => row.contact_name,
      Email: ({ row }) => row.email,
      Phone: ({ row }) => row.phone,
      'Billing address': ({ row }) => row.billing_address,
      'Total spent (USD)': ({ cents }) => cents / 100,
      Created: ({ row }) => row.created_at,
    },
  });

  /** @throws HttpError 404 */
  async function presentOne(row: AdvertiserRow | null) {
    const [advertiser] = row ? await presentAdvertisers(db, [row]) : [];
    if (!advertiser) throw new HttpError(404, missing);
    return { advertiser };
  }

  serve(api, getAdvertiser, async ({ params }) =>
    presentOne(await advertisers(db).findOne({ _id: params.id })),
  );

  serve(api, editAdvertiser, async ({ params: { id }, body: { version, ...set }, caller }) => {
    const { company_name: _company, ...person } = set;
    const isOfPerson = Object.values(person).some((value) => value !== undefined);
    // Nothing would delete it again.
    if (isOfPerson && (await advertisers(db).findOne({ _id: id, email: null })))
      throw new HttpError(409, 'This contact was deleted. Only the company can be changed.', {
        code: 'erased',
      });
    const row = await edit(api.services, advertisers(db), {
      caller,
      act: 'advertiser.update',
      id,
      version,
      set,
      unrecorded: ['contact_name', 'phone', 'billing_address'],
      derive: (next) => ({
        words: wordsOf(next.company_name, next.contact_name, next.email),
      }),
      missing,
    });
    return presentOne(row);
  });

  serve(api, listAdvertiserAds, async ({ query }) => {
    const now = new Date();
    const { rows, paged } = await readPage(advertisementBookings(db), {
      filter: { ...bookingsThatAre(query.status, now), ...(await ofAdvertisers(db, query.search)) },
      orders: {
        newest: ['created_at', -1],
        oldest: ['created_at', 1],
        start: ['scheduled_start_at', 1],
      },
      query,
    });
    return { ads: await present.timed(rows, now), ...paged };
  });

  serve(api, getAdvertiserAd, ({ params: { id } }) => timedAd(id));

  serve(api, correctAd, async ({ params: { id }, body, caller }) => {
    await correctPaidAd(api.services, caller, id, body);
    return timedAd(id);
  });

  serve(api, getBusinessListing, ({ params: { id } }) => listing(id));

  serve(api, correctListing, async ({ params: { id }, body, caller }) => {
    await correctPaidAd(api.services, caller, id, body);
    return listing(id);
  });

  serve(api, listBusinessListings, async ({ query }) => {
    const now = new Date();
    const { rows, paged } = await readPage(businessListings(db), {
      filter: { ...listingsThatAre(query.status, now), ...(await ofAdvertisers(db, query.search)) },
      orders: { newest: ['created_at', -1], oldest: ['created_at', 1] },
      query,
    });
    return { listings: await present.listings(rows, now), ...paged };
  });

  serve(api, listAdPayments, async ({ query }) => {
    const { rows, paged } = await readPage(adPayments(db), {
      filter: {
        ...(query.status === 'in_doubt'
          ? inDoubt(new Date())
          : query.status && { payment_status: query.status }),
        ...(query.provider_state && { provider_state: query.provider_state }),
        ...(query.search && {
          $or: [await ofAdvertisers(db, query.search), { payment_id: prefixRange(query.search) }],
        }),
      },
      orders: {
        newest: ['created_at', -1],
        oldest: ['created_at', 1],
        amount: ['amount_cents', -1],
      },
      query,
    });
    const payments = await presentPayments(db, rows);
    const withUrls = payments.map((payment) => ({
      ...payment,
      provider_url: providerUrl(api.services.env.payments, payment),
    }));
    return { payments: withUrls, ...paged };
  });
}

/** The sums that advertisers paid, and the status of their last payments. */
async function paymentsOf(db: Db, rows: AdvertiserRow[]) {
  const sums = await adPayments(db)
    .aggregate<{ _id: string; cents: number; last: AdPaymentRow['payment_status'] }>([
      { $match: { advertiser_id: { $in: rows.map(({ _id }) => _id) } } },
      { $sort: { created_at: 1 } },
      {
        $group: {
          _id: '$advertiser_id',
          cents: {
            $sum: { $cond: [{ $eq: ['$payment_status', 'completed'] }, REMAINING_CENTS, 0] },
          },
          last: { $last: '$payment_status' },
        },
      },
    ])
    .toArray();
  return new Map(sums.map((each) => [each._id, each]));
}

/** Filters rows by their advertiser; empty without a search. */
async function ofAdvertisers(db: Db, text: string | undefined) {
  if (!text) return {};
  const found = await advertisers(db)
    .find(wordPrefixFilter(text), { projection: { _id: 1 }, limit: ADVERTISERS_FOUND })
    .toArray();
  return { advertiser_id: { $in: found.map(({ _id }) => _id) } };
}

/** All advertisers of a list with the sums they paid, read in batches. */
async function* withPayments(db: Db, rows: AsyncIterable<AdvertiserRow>) {
  let batch: AdvertiserRow[] = [];
  const paid = async () => {
    const paidBy = await paymentsOf(db, batch);
    return batch.splice(0).map((row) => ({ row, cents: paidBy.get(row._id)?.cents ?? 0 }));
  };
  for await (const row of rows) if (batch.push(row) === EXPORTED_AT_ONCE) yield* await paid();
  yield* await paid();
}

async function presentAdvertisers(db: Db, rows: AdvertiserRow[]): Promise<AdminAdvertiser[]> {
  const now = new Date();
  const present = presentAds(db);
  const theirs = { advertiser_id: { $in: rows.map(({ _id }) => _id) } };
  const newest = { sort: { created_at: -1 }, limit: ADS_SHOWN * rows.length } as const;
  const [ads, listings, paidBy] = await Promise.all([
    advertisementBookings(db).find(theirs, newest).toArray(),
    businessListings(db).find(theirs, newest).toArray(),
    paymentsOf(db, rows),
  ]);
  const shownAds = await present.timed(ads, now);
  const shownListings = await present.listings(listings, now);
  return rows.map((row) => ({
    ...row,
    id: row._id,
    total_spent_cents: paidBy.get(row._id)?.cents ?? 0,
    payment_status: paidBy.get(row._id)?.last ?? 'pending',
    created_at: row.created_at.toISOString(),
    version: row.version ?? 0,
    advertisements: shownAds.filter((ad) => ad.advertiser_id === row._id),
    listings: shownListings.filter((ad) => ad.advertiser_id === row._id),
  }));
}
