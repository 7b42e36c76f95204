import { z } from 'zod';
import { paged, paging, search } from '../admin/paging.ts';
import { endpoint } from '../endpoint.ts';
import { paymentStatus } from '../payments/contract.ts';
import { deskPayment, listing, timedAd } from './desk-contract.ts';

/** So many days of revenue are shown, and so many payments in the overview. */
export const REVENUE_DAYS = 30;
export const RECENT_PAYMENTS = 5;

/** An advertiser as admins see it. */
export const adminAdvertiser = z.object({
  id: z.string(),
  /** Null once the account with that address is deleted. */
  email: z.string().nullable(),
  company_name: z.string(),
  contact_name: z.string(),
  phone: z.string().nullable(),
  billing_address: z.string().nullable(),
  /** What was paid and not paid back. */
  total_spent_cents: z.number().int(),
  /** Of the last payment; pending when there was none. */
  payment_status: paymentStatus,
  created_at: z.iso.datetime(),
  advertisements: z.array(timedAd),
  listings: z.array(listing),
});
export type AdminAdvertiser = z.infer<typeof adminAdvertiser>;

export const adPayment = deskPayment.extend({
  advertiser_id: z.string(),
  company_name: z.string(),
  currency: z.string(),
  payment_provider: z.string(),
});
export type AdminAdPayment = z.infer<typeof adPayment>;

const failure = 'Failed to fetch advertiser analytics';

const analyticsStats = z.object({
  total_revenue_cents: z.number().int(),
  total_advertisers: z.number().int(),
  active_advertisements: z.number().int(),
  completed_advertisements: z.number().int(),
  successful_payments: z.number().int(),
  pending_payments: z.number().int(),
});

/** Advertisers page by page, with what came in: days are those of UTC, and all of the last thirty are there. */
export const advertiserAnalytics = endpoint({
  method: 'GET',
  path: '/admin/advertiser-analytics',
  access: 'admin',
  query: z.object({
    ...paging,
    search,
    sort: z.enum(['newest', 'oldest', 'company']).default('newest'),
  }),
  answer: z.object({
    stats: analyticsStats,
    advertisers: z.array(adminAdvertiser),
    revenueByDay: z.array(z.object({ date: z.iso.date(), revenue_cents: z.number().int() })),
    recentPayments: z.array(adPayment),
    ...paged,
  }),
  failure,
});

export const getAdvertiser = endpoint({
  method: 'GET',
  path: '/admin/advertisers/:id',
  access: 'admin',
  params: z.object({ id: z.string().min(1).max(64) }),
  answer: z.object({ advertiser: adminAdvertiser }),
  failure,
});

/** All paid ads, or those of one state. */
export const listAdvertiserAds = endpoint({
  method: 'GET',
  path: '/admin/advertiser-ads',
  access: 'admin',
  query: z.object({
    ...paging,
    status: z.enum(['scheduled', 'active', 'completed', 'cancelled', 'unpaid']).optional(),
    sort: z.enum(['newest', 'oldest', 'start']).default('newest'),
  }),
  answer: z.object({ ads: z.array(timedAd), ...paged }),
  failure,
});

/** All business listings, or those of one state. */
export const listBusinessListings = endpoint({
  method: 'GET',
  path: '/admin/business-listings',
  access: 'admin',
  query: z.object({
    ...paging,
    status: z.enum(['active', 'paused', 'expired', 'cancelled', 'unpaid']).optional(),
    sort: z.enum(['newest', 'oldest']).default('newest'),
  }),
  answer: z.object({ listings: z.array(listing), ...paged }),
  failure,
});

export const listAdPayments = endpoint({
  method: 'GET',
  path: '/admin/advertiser-payments',
  access: 'admin',
  query: z.object({
    ...paging,
    status: paymentStatus.optional(),
    sort: z.enum(['newest', 'oldest', 'amount']).default('newest'),
  }),
  answer: z.object({ payments: z.array(adPayment), ...paged }),
  failure,
});
