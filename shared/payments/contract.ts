import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { orNone } from '../form-fields.ts';
import { emailAddress } from '../normalization/email-address.ts';
import { DONATION_CENTS, PAYMENT_STATUSES, DONATION_MAX_CENTS } from './rules.ts';

/** Identifies the browser that donates: only it gets the access code. */
export const DONOR_COOKIE = 'donor';

/** It only moves forward: see `rules.ts`. */
export const paymentStatus = z.enum(PAYMENT_STATUSES);

/** The configuration of the wallet. */
export const walletConfig = z.object({
  environment: z.enum(['TEST', 'PRODUCTION']),
  gateway: z.string(),
  /** Empty for gateways that use other parameters. */
  gatewayMerchantId: z.string(),
  /** Google's id of the merchant; empty in TEST, which needs none. */
  merchantId: z.string(),
  /** Passed to the gateway by the wallet. */
  tokenization_parameters: z.record(z.string(), z.string()),
  /** Whether the wallet is simulated. */
  is_sandbox: z.boolean(),
  /** Stripe's publishable key, for its form for cards and Apple Pay; null at gateways without one. */
  card_form_key: z.string().nullable().default(null),
});
export type WalletConfig = z.infer<typeof walletConfig>;

export const googlePayConfig = endpoint('GET', '/google-pay/config', {
  access: 'public',
  answer: walletConfig,
  failure: 'Failed to load payment configuration',
});

export const createDonation = endpoint('POST', '/donations', {
  access: 'public',
  body: z.object({
    amount_cents: z.number().int().min(DONATION_CENTS).max(DONATION_MAX_CENTS),
    currency: z.literal('USD').default('USD'),
    email: orNone(emailAddress()).optional(),
  }),
  answer: z.object({
    donation: z.object({
      id: z.string(),
      amount_cents: z.number().int(),
      currency: z.literal('USD'),
      payment_status: paymentStatus,
    }),
  }),
  failure: 'Failed to create donation record',
});

const donationId = z.string().min(1).max(64);

/** The wallet's token, as a JSON string or parsed. It is passed to the gateway unchanged. */
export const paymentToken = z.union([
  z.string().min(1).max(20_000),
  z.record(z.string(), z.unknown()),
]);
export type PaymentToken = z.infer<typeof paymentToken>;

export const processDonation = endpoint('POST', '/donations/process', {
  access: 'public',
  body: z.object({ payment_token: paymentToken, donation_id: donationId }),
  answer: z.object({
    success: z.boolean(),
    /** Null if the payment succeeded but the code could not be created yet: ask again. */
    access_code: z.string().nullable(),
  }),
  failure: 'Payment processing failed',
});

/**
 * The status of a donation. Settles one left open by a lost response: a payment that was not made is closed, so that a
 * token that arrives later does not pay it. `pending` means ask again.
 */
export const checkDonation = endpoint('POST', '/donations/check', {
  access: 'public',
  body: z.object({ donation_id: donationId }),
  answer: z.object({
    payment_status: paymentStatus,
    access_code: z.string().nullable(),
  }),
  failure: 'Payment processing failed',
});

/** Error codes that the donation panel handles specially. */
export const PAYMENT_REFUSALS = {
  /** 402: the card was declined; nothing was charged. */
  declined: 'payment_declined',
  /** 402: the payment was closed before it was made; nothing was charged. */
  notPaid: 'payment_not_paid',
  /** 409: it was refunded. */
  refunded: 'payment_refunded',
  /** 503: the result is unknown. */
  unsettled: 'payment_unsettled',
  /** 503: this installation takes no payments. */
  off: 'payments_off',
} as const;
