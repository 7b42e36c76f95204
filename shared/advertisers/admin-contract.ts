import { z } from 'zod';
import { bulkItems, bulkOutcome, paged, paging, search, version } from '../admin/paging.ts';
import { endpoint, EXPORT, HEAVY_READ } from '../endpoint.ts';
import { idParams, orNone } from '../form-fields.ts';
import { course, listedStatus } from '../payments/admin-contract.ts';
import { paymentStatus } from '../payments/contract.ts';
import { notableState } from '../payments/provider-states.ts';
import { companyTexts, listingText, timedAdText } from './contract.ts';
import { dashboardPayment, listing, listingId, timedAd, timedId } from './dashboard-contract.ts';
import { adReason } from './reasons.ts';

export const adminTimedAd = timedAd.extend({ version });
export type AdminTimedAd = z.infer<typeof adminTimedAd>;
export const adminListing = listing.extend({ version });
export type AdminListing = z.infer<typeof adminListing>;

/** An advertiser as admins see it. */
export const adminAdvertiser = z.object({
  id: z.string(),
  /** Null once the account with that address is deleted. */
  email: z.string().nullable(),
  company_name: z.string(),
  contact_name: z.string(),
  phone: z.string().nullable(),
  billing_address: z.string().nullable(),
  /** Without refunds. */
  total_spent_cents: z.number().int(),
  /** Of the last payment; pending without one. */
  payment_status: paymentStatus,
  created_at: z.iso.datetime(),
  version: version.default(0),
  advertisements: z.array(timedAd),
  listings: z.array(listing),
});
export type AdminAdvertiser = z.infer<typeof adminAdvertiser>;

export const adPayment = dashboardPayment.extend({
  advertiser_id: z.string(),
  /** A number is a timed ad, a string a listing. */
  advertisement_id: z.union([z.number(), z.string()]).nullable().default(null),
  ...course,
  updated_at: z.iso.datetime().nullable().default(null),
  company_name: z.string(),
  currency: z.string(),
  payment_provider: z.string(),
  /** The payment’s page at the provider, for admins who have an account there; null without one. */
  provider_url: z.url().nullable().default(null),
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

const wanted = { search, sort: z.enum(['newest', 'oldest', 'company']).default('newest') };

/** Advertisers page by page, with revenue for each of the last thirty days (UTC). */
export const advertiserAnalytics = endpoint('GET', '/admin/advertiser-analytics', {
  limit: HEAVY_READ,
  access: 'admin',
  query: z.object({ ...paging, ...wanted }),
  answer: z.object({
    stats: analyticsStats,
    advertisers: z.array(adminAdvertiser),
    revenueByDay: z.array(z.object({ date: z.iso.date(), revenue_cents: z.number().int() })),
    recentPayments: z.array(adPayment),
    ...paged,
  }),
  failure,
});

/** The list of advertisers as CSV. */
export const exportAdvertisers = endpoint('GET', '/admin/advertisers/export', {
  limit: EXPORT,
  access: 'admin',
  requiresRecentSignIn: true,
  query: z.object(wanted),
  answer: z.instanceof(Uint8Array),
  stream: 'file',
  failure,
});

export const getAdvertiser = endpoint('GET', '/admin/advertisers/:id', {
  access: 'admin',
  params: idParams,
  answer: z.object({ advertiser: adminAdvertiser }),
  failure,
});

/** What an admin may correct. Fields left out stay. */
export const advertiserTexts = z.object({
  company_name: companyTexts.company_name.optional(),
  contact_name: companyTexts.contact_name.optional(),
  phone: companyTexts.phone.unwrap().optional(),
  billing_address: companyTexts.billing_address.unwrap().optional(),
});

/**
 * Corrects an advertiser's details, except the email: who has it opens the dashboard. Only the values of the company are
 * recorded in the audit log.
 */
export const editAdvertiser = endpoint('PUT', '/admin/advertisers/:id', {
  access: 'admin',
  params: idParams,
  body: advertiserTexts.extend({ version: version.optional() }),
  answer: z.object({ advertiser: adminAdvertiser }),
  failure: 'Failed to save the advertiser',
});

/** Timed ads, optionally with one status. */
export const listAdvertiserAds = endpoint('GET', '/admin/advertiser-ads', {
  access: 'admin',
  query: z.object({
    /** The advertiser's company, contact or email address. */
    search,
    ...paging,
    status: z.enum(['scheduled', 'active', 'completed', 'cancelled', 'unpaid']).optional(),
    sort: z.enum(['newest', 'oldest', 'start']).default('newest'),
  }),
  answer: z.object({ ads: z.array(adminTimedAd), ...paged }),
  failure,
});

/** Business listings, optionally with one status. */
export const listBusinessListings = endpoint('GET', '/admin/business-listings', {
  access: 'admin',
  query: z.object({
    /** The advertiser's company, contact or email address. */
    search,
    ...paging,
    status: z.enum(['active', 'paused', 'expired', 'cancelled', 'unpaid']).optional(),
    sort: z.enum(['newest', 'oldest']).default('newest'),
  }),
  answer: z.object({ listings: z.array(adminListing), ...paged }),
  failure,
});

export const listAdPayments = endpoint('GET', '/admin/advertiser-payments', {
  access: 'admin',
  query: z.object({
    /** The advertiser's company, contact or email address; or the beginning of the payment ID. */
    search,
    ...paging,
    status: listedStatus.optional(),
    provider_state: notableState.optional(),
    sort: z.enum(['newest', 'oldest', 'amount']).default('newest'),
  }),
  answer: z.object({ payments: z.array(adPayment), ...paged }),
  failure,
});

/** The address of the ad's picture, or of one that was uploaded with `uploadAdImage`. */
const image_url = orNone(z.string().trim().max(2_048)).optional();

/** What an admin may correct in a timed ad: all that is shown of it. Fields left out stay. */
export const timedAdCorrections = timedAdText.partial().extend({ image_url });

/** The same for listings. */
export const listingCorrections = z.object({
  business_name: listingText.shape.business_name.optional(),
  description: listingText.shape.description.optional(),
  // Without the defaults of a new listing.
  address: listingText.shape.address.unwrap().optional(),
  phone: listingText.shape.phone.unwrap().optional(),
  website_url: listingText.shape.website_url.unwrap().optional(),
  image_url,
});

const CORRECTION_FAILURE = 'Failed to save the advertisement';

export const getAdvertiserAd = endpoint('GET', '/admin/advertiser-ads/:id', {
  access: 'admin',
  params: timedId,
  answer: z.object({ advertisement: adminTimedAd }),
  failure,
});

/** Corrects a timed ad. An approved one stays approved, and a change that waits for approval stays as it is. */
export const correctAd = endpoint('PUT', '/admin/advertiser-ads/:id', {
  access: 'admin',
  params: timedId,
  body: timedAdCorrections.extend({ version }),
  answer: z.object({ advertisement: adminTimedAd }),
  failure: CORRECTION_FAILURE,
});

export const getBusinessListing = endpoint('GET', '/admin/business-listings/:id', {
  access: 'admin',
  params: listingId,
  answer: z.object({ advertisement: adminListing }),
  failure,
});

/** The same for listings. */
export const correctListing = endpoint('PUT', '/admin/business-listings/:id', {
  access: 'admin',
  params: listingId,
  body: listingCorrections.extend({ version }),
  answer: z.object({ advertisement: adminListing }),
  failure: CORRECTION_FAILURE,
});

const takingDown = z.object({
  reason: adReason,
  /** Whether to refund: a timed ad in full, a listing for the months that are not over. */
  refund: z.boolean().default(false),
  version: version.optional(),
});
const puttingBack = z.object({ version: version.optional() });

const DOWN_FAILURE = 'Failed to take down advertisement';
const BACK_FAILURE = 'Failed to restore advertisement';

/** Takes down a timed ad that is running or scheduled, or refunds one that was taken down. */
export const takeDownAd = endpoint('POST', '/admin/advertiser-ads/:id/take-down', {
  access: 'admin',
  requiresRecentSignIn: true,
  params: timedId,
  body: takingDown,
  answer: z.object({ advertisement: adminTimedAd }),
  failure: DOWN_FAILURE,
});

export const putBackAd = endpoint('POST', '/admin/advertiser-ads/:id/put-back', {
  access: 'admin',
  params: timedId,
  body: puttingBack,
  answer: z.object({ advertisement: adminTimedAd }),
  failure: BACK_FAILURE,
});

/** The same for listings. */
export const takeDownListing = endpoint('POST', '/admin/business-listings/:id/take-down', {
  access: 'admin',
  requiresRecentSignIn: true,
  params: listingId,
  body: takingDown,
  answer: z.object({ advertisement: adminListing }),
  failure: DOWN_FAILURE,
});

export const putBackListing = endpoint('POST', '/admin/business-listings/:id/put-back', {
  access: 'admin',
  params: listingId,
  body: puttingBack,
  answer: z.object({ advertisement: adminListing }),
  failure: BACK_FAILURE,
});

const REFUND_FAILURE = 'Failed to refund advertisement';

/** Refunds a timed ad whose time is over. */
export const refundAd = endpoint('POST', '/admin/advertiser-ads/:id/refund', {
  access: 'admin',
  requiresRecentSignIn: true,
  params: timedId,
  body: z.object({ reason: adReason, version: version.optional() }),
  answer: z.object({ advertisement: adminTimedAd }),
  failure: REFUND_FAILURE,
});

/** Bulk actions with one reason. 'pay-back' refunds ads that are not shown: taken down, or over. */
const changing = z.discriminatedUnion('action', [
  z.object({ action: z.literal('take-down'), items: bulkItems, reason: adReason }),
  z.object({ action: z.literal('put-back'), items: bulkItems }),
  z.object({ action: z.literal('pay-back'), items: bulkItems, reason: adReason }),
]);

export type AdChanges = z.output<typeof changing>;

export const changeAdvertiserAds = endpoint('POST', '/admin/advertiser-ads/bulk', {
  access: 'admin',
  requiresRecentSignIn: true,
  body: changing,
  answer: bulkOutcome,
  failure: DOWN_FAILURE,
});

export const changeListings = endpoint('POST', '/admin/business-listings/bulk', {
  access: 'admin',
  requiresRecentSignIn: true,
  body: changing,
  answer: bulkOutcome,
  failure: DOWN_FAILURE,
});
