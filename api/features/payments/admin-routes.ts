import type { Filter } from 'mongodb';
import type { z } from 'zod';
import { HttpError } from '#shared/http/http-error.ts';
import { plainAddress } from '#shared/normalization/email-address.ts';
import { typedCode } from '#shared/normalization/typed-code.ts';
import {
  donationStats,
  exportDonations,
  getDonation,
  type Donation,
  type DonationStats,
} from '#shared/payments/admin-contract.ts';
import { ADMIN_WORDS } from '#shared/payments/provider-states.ts';
import { DAY_MS } from '#shared/time.ts';
import { cacheSlowResult } from '../../platform/admin/adaptive-cache.ts';
import { readAll, readPage, type Order } from '../../platform/admin/keyset-pagination.ts';
import { prefixRange } from '../../platform/admin/search.ts';
import { serveExport } from '../../platform/admin/serve-export.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api, Services } from '../../platform/services.ts';
import type { PaymentSettings } from '../../platform/settings/payments.ts';
import {
  inDoubt,
  providerStateOf,
  returnedOf,
  REMAINING_CENTS,
  type DonationRow,
  donations as donationRows,
} from './collections.ts';
import { providerUrl } from './provider-url.ts';

type Wanted = z.output<NonNullable<(typeof exportDonations)['query']>>;

const ORDERS: Record<Wanted['sort'], Order<DonationRow>> = {
  newest: ['created_at', -1],
  oldest: ['created_at', 1],
  amount: ['amount_cents', -1],
};

/** Finds donations by a prefix of the email, access code, or an id. */
function filterOf({ search, status, provider_state }: Wanted): Filter<DonationRow> {
  const which: Filter<DonationRow> = {
    ...(status === 'in_doubt' ? inDoubt(new Date()) : status && { payment_status: status }),
    ...(provider_state && { provider_state }),
  };
  if (!search) return which;
  const address = plainAddress(search);
  const found = [
    { email: prefixRange(address) },
    ...(address === search ? [] : [{ email: prefixRange(search) }]),
    // The index contains strings only, and is used only if the filter says so.
    { payment_id: { $type: 'string' as const, ...prefixRange(search) } },
    { access_code_granted: prefixRange(typedCode(search)) },
    { _id: prefixRange(search) },
  ];
  return { ...which, $or: found };
}

const presentWith =
  (settings: PaymentSettings) =>
  (row: DonationRow): Donation => ({
    ...row,
    id: row._id,
    provider_url: providerUrl(settings, row),
    provider_state: providerStateOf(row),
    returned_cents: returnedOf(row),
    submitted_at: row.submitted_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  });

/** The totals of all donations, without refunds; a covered index query. */
async function sumUp(db: Services['db']): Promise<DonationStats> {
  const sums = await donationRows(db)
    .aggregate<{ _id: string; count: number; cents: number }>(
      [
        {
          $group: {
            _id: '$payment_status',
            count: { $sum: 1 },
            cents: { $sum: REMAINING_CENTS },
          },
        },
      ],
      { hint: { payment_status: 1, amount_cents: 1, returned_cents: 1 } },
    )
    .toArray();
  const paid = sums.find(({ _id }) => _id === 'completed');
  return {
    total_donations: sums.reduce((total, { count }) => total + count, 0),
    successful_donations: paid?.count ?? 0,
    failed_donations: sums.find(({ _id }) => _id === 'failed')?.count ?? 0,
    total_amount_cents: paid?.cents ?? 0,
    avg_donation_cents: paid ? Math.round(paid.cents / paid.count) : 0,
    donations_last_24h: await donationRows(db).countDocuments({
      created_at: { $gt: new Date(Date.now() - DAY_MS) },
    }),
  };
}

/** The admin panel's donations; they are read-only. */
export function mountAdminDonations(api: Api): void {
  const { services } = api;
  const present = presentWith(services.env.payments);
  const stats = cacheSlowResult(() => sumUp(services.db));

  serve(api, donationStats, async ({ query }) => {
    const { rows, paged } = await readPage(donationRows(services.db), {
      filter: filterOf(query),
      orders: ORDERS,
      query,
    });
    return { stats: await stats(), recentDonations: rows.map(present), ...paged };
  });

  serveExport(api, exportDonations, {
    kind: 'donation',
    name: 'donations',
    rows: (query) =>
      readAll(donationRows(services.db), { filter: filterOf(query), orders: ORDERS, query }),
    columns: {
      ID: (row) => row._id,
      'Amount (USD)': (row) => row.amount_cents / 100,
      Status: (row) => row.payment_status,
      Provider: (row) => row.payment_provider,
      Email: (row) => row.email,
      'Payment ID': (row) => row.payment_id,
      'Access code': (row) => row.access_code_granted,
      'Refunded (USD)': (row) => returnedOf(row) / 100,
      'State of the money': (row) => ADMIN_WORDS[providerStateOf(row)],
      Created: (row) => row.created_at,
      Updated: (row) => row.updated_at,
    },
  });

  serve(api, getDonation, async ({ params: { id } }) => {
    const row = await donationRows(services.db).findOne({ _id: id });
    if (!row) throw new HttpError(404, 'Donation not found');
    return { donation: present(row) };
  });
}
