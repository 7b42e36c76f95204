import { z } from 'zod';
import { paged, paging, search } from '../admin/paging.ts';
import { tableExport } from '../admin/table-export.ts';
import { endpoint, HEAVY_READ } from '../endpoint.ts';
import { idParams } from '../form-fields.ts';
import { paymentStatus } from './contract.ts';
import { notableState, providerState } from './provider-states.ts';

/** What happened to a payment, beside its status. */
export const course = {
  /** The code of a failure, as in PAYMENT_REFUSALS. */
  failure: z.string().nullable().default(null),
  /** When the first card was submitted; null before. */
  submitted_at: z.iso.datetime().nullable().default(null),
};

/** A donation as admins see it. */
export const donation = z.object({
  id: z.string(),
  amount_cents: z.number().int(),
  currency: z.literal('USD'),
  payment_status: paymentStatus,
  /** What happened to the money at the provider. */
  provider_state: providerState.default('clear'),
  /** The refunded amount. */
  returned_cents: z.number().int(),
  payment_provider: z.string(),
  email: z.string().nullable(),
  /** The gateway's id of the payment; null until it was opened there. */
  payment_id: z.string().nullable(),
  /** The payment’s page at the provider, for admins who have an account there; null without one. */
  provider_url: z.url().nullable().default(null),
  access_code_granted: z.string().nullable(),
  ...course,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Donation = z.infer<typeof donation>;

/** `in_doubt`: submitted, and without a result after ten minutes. */
export const listedStatus = z.enum([...paymentStatus.options, 'in_doubt']);

const wanted = {
  search,
  status: listedStatus.optional(),
  provider_state: notableState.optional(),
  sort: z.enum(['newest', 'oldest', 'amount']).default('newest'),
};

/** Totals of donations, and a page of them. */
export const donationStats = endpoint('GET', '/donations/stats', {
  limit: HEAVY_READ,
  access: 'admin',
  query: z.object({ ...paging, ...wanted }),
  answer: z.object({
    stats: z.object({
      /** With any status. */
      total_donations: z.number().int(),
      successful_donations: z.number().int(),
      failed_donations: z.number().int(),
      /** Of successful donations, without refunds. */
      total_amount_cents: z.number().int(),
      avg_donation_cents: z.number().int(),
      donations_last_24h: z.number().int(),
    }),
    recentDonations: z.array(donation),
    ...paged,
  }),
  failure: 'Failed to load donation data',
});
export type DonationStats = z.infer<typeof donationStats.answer>['stats'];

export const getDonation = endpoint('GET', '/admin/donations/:id', {
  access: 'admin',
  params: idParams,
  answer: z.object({ donation }),
  failure: 'Failed to load donation data',
});

/** The list as CSV. */
export const exportDonations = tableExport(
  '/admin/donations/export',
  wanted,
  'Failed to load donation data',
);
