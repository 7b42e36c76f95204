import { z } from 'zod';
import { placement } from '../ads/contract.ts';
import { endpoint } from '../endpoint.ts';
import { emailAddress } from '../normalization/email-address.ts';
import { paymentStatus } from '../payments/contract.ts';
import { providerState } from '../payments/provider-states.ts';
import { businessType } from './business-types.ts';
import { listingText, timedAdText } from './contract.ts';
import { adReview } from './reviews.ts';

/** The token of the link with which this browser opened the dashboard. */
export const DASHBOARD_COOKIE = 'advertiser-dashboard';

const common = {
  advertiser_id: z.string(),
  company_name: z.string(),
  description: z.string(),
  image_url: z.string().nullable(),
  impressions: z.number().int(),
  clicks: z.number().int(),
  /** The counted days of the last thirty in UTC, oldest first; days without any are left out. Of listings in tens, until yesterday. */
  days: z
    .array(
      z.object({ date: z.iso.date(), impressions: z.number().int(), clicks: z.number().int() }),
    )
    .default([]),
  /** The sum paid for it, without refunds. */
  spent_cents: z.number().int(),
  created_at: z.iso.datetime(),
  /** When an admin took it down, and why. */
  taken_down_at: z.iso.datetime().nullable(),
  taken_down_reason: z.string().nullable(),
  review: adReview,
  /** The texts of a change that is pending approval. */
  proposed: z.record(z.string(), z.string().nullable()).nullable(),
};

export const timedAd = z.object({
  id: z.number().int(),
  ...common,
  title: z.string(),
  target_url: z.string(),
  placement,
  status: z.enum(['pending', 'failed', 'scheduled', 'active', 'completed', 'cancelled']),
  cost_cents: z.number().int(),
  scheduled_start_at: z.iso.datetime(),
  scheduled_end_at: z.iso.datetime(),
  duration_hours: z.number().int(),
});
export type TimedAd = z.infer<typeof timedAd>;

export const listing = z.object({
  id: z.string(),
  ...common,
  business_name: z.string(),
  business_type: businessType,
  latitude: z.number(),
  longitude: z.number(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  website_url: z.string().nullable(),
  search_radius_miles: z.number(),
  status: z.enum(['pending', 'failed', 'active', 'paused', 'expired', 'cancelled']),
  monthly_cost_cents: z.number().int(),
  subscription_start_date: z.iso.datetime().nullable(),
  subscription_end_date: z.iso.datetime().nullable(),
  /** The month that the next payment is for. */
  next_period: z.number().int(),
});
export type Listing = z.infer<typeof listing>;

export const dashboardPayment = z.object({
  id: z.string(),
  advertisement_title: z.string(),
  amount_cents: z.number().int(),
  payment_status: paymentStatus,
  /** What happened to the money at the provider. */
  provider_state: providerState.default('clear'),
  /** The refunded amount. */
  returned_cents: z.number().int(),
  payment_id: z.string().nullable(),
  /** The tax that the amount includes, as configured when it was paid; null without one. */
  tax: z.object({ name: z.string(), percent: z.number() }).nullable().default(null),
  created_at: z.iso.datetime(),
});

const dashboard = z.object({
  /** The email of the link that this browser opened; null without a link: then it has only what it created itself. */
  email: z.string().nullable(),
  ads: z.array(timedAd),
  listings: z.array(listing),
  payments: z.array(dashboardPayment),
  /** Who sells, for receipts: name, address and tax number, one a line; null if the operator configures none. */
  seller: z.string().nullable().default(null),
});
export type Dashboard = z.infer<typeof dashboard>;

/** Says that a link opens no dashboard. */
export const BAD_LINK = 'This link has expired or is incomplete. Request a new one.';

/** Opens the dashboard with the token after the `#` of a link. */
export const openDashboard = endpoint('POST', '/advertiser-dashboard', {
  access: 'public',
  body: z.object({ token: z.string().min(1, 'Required').max(200) }),
  failure: 'Failed to open your dashboard',
});

/** The ads and payments of this browser's advertisers, newest first. */
export const getDashboard = endpoint('GET', '/advertiser-dashboard', {
  access: 'public',
  answer: dashboard,
  failure: 'Failed to load your dashboard',
});

/** Signs this browser out; `everywhere` also revokes all links. */
export const leaveDashboard = endpoint('POST', '/advertiser-dashboard/leave', {
  access: 'public',
  body: z.object({ everywhere: z.boolean().default(false) }),
  failure: 'Failed to sign out of your dashboard',
});

/** Emails a link to an advertiser with ads. The response is the same for all addresses. */
export const sendDashboardLink = endpoint('POST', '/advertiser-links', {
  access: 'public',
  body: z.object({ email: emailAddress() }),
  failure: 'Failed to send a link',
});

export const timedId = z.object({ id: z.coerce.number().int().positive() });
export const listingId = z.object({ id: z.string().min(1).max(64) });

/** Changes the texts of a timed ad that has not started. */
export const updateTimedAd = endpoint('PUT', '/advertiser-ads/:id', {
  access: 'public',
  params: timedId,
  body: timedAdText,
  answer: z.object({ advertisement: timedAd }),
  failure: 'Failed to update advertisement',
});

/** Cancels and refunds a timed ad that has not started. */
export const cancelTimedAd = endpoint('POST', '/advertiser-ads/:id/cancel', {
  access: 'public',
  params: timedId,
  answer: z.object({ advertisement: timedAd }),
  failure: 'Failed to cancel advertisement',
});

/** Changes the texts of a listing, or pauses and resumes it. Pausing does not extend it. */
export const updateListing = endpoint('PUT', '/location-based-ads/:id', {
  access: 'public',
  params: listingId,
  body: z.union([z.strictObject({ paused: z.boolean() }), listingText]),
  answer: z.object({ advertisement: listing }),
  failure: 'Failed to update advertisement',
});
