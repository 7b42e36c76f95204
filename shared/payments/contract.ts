import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { orNone } from '../form-fields.ts';

/** What opens the gate, in cents: one dollar. */
export const DONATION_CENTS = 100;
/** More than anybody gives at a gate; a slip of the finger is not charged. */
export const DONATION_MAX_CENTS = 50_000;
/** Tells the browser that donates from every other one, so that only it is given the code. */
export const DONOR_COOKIE = '__Host-donor';

/** They only move forward: see `rules.ts`. */
export const paymentStatus = z.enum(['pending', 'completed', 'failed', 'refunded']);
export type PaymentStatus = z.infer<typeof paymentStatus>;

/** What the wallet needs to know of us. */
export const walletConfig = z.object({
  environment: z.enum(['TEST', 'PRODUCTION']),
  gateway: z.string(),
  /** Empty for gateways that are told by other parameters. */
  gatewayMerchantId: z.string(),
  /** Google's id of the merchant; empty in TEST, which needs none. */
  merchantId: z.string(),
  /** What the wallet passes to the gateway, as the gateway wants it. */
  tokenization_parameters: z.record(z.string(), z.string()),
  /** Whether the wallet is the simulated one. */
  is_sandbox: z.boolean(),
});
export type WalletConfig = z.infer<typeof walletConfig>;

export const googlePayConfig = endpoint({
  method: 'GET',
  path: '/google-pay/config',
  access: 'public',
  answer: walletConfig,
  failure: 'Failed to load payment configuration',
});

export const createDonation = endpoint({
  method: 'POST',
  path: '/donations',
  access: 'public',
  body: z.object({
    amount_cents: z.number().int().min(DONATION_CENTS).max(DONATION_MAX_CENTS),
    currency: z.literal('USD').default('USD'),
    email: orNone(z.email().max(320).toLowerCase()).optional(),
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

/** The wallet's token: text, or the same parsed. It goes to the gateway as it is. */
export const paymentToken = z.union([
  z.string().min(1).max(20_000),
  z.record(z.string(), z.unknown()),
]);
export type PaymentToken = z.infer<typeof paymentToken>;

export const processDonation = endpoint({
  method: 'POST',
  path: '/donations/process',
  access: 'public',
  body: z.object({ payment_token: paymentToken, donation_id: donationId }),
  answer: z.object({
    success: z.boolean(),
    /** Null while it could not be made, although the payment went through: asking again gives it. */
    access_code: z.string().nullable(),
  }),
  failure: 'Payment processing failed',
});

/**
 * How a donation stands. What a lost answer left open is settled by asking: a payment that was not made by then is
 * closed, and a token that arrives later does not pay it. `pending` means: ask again.
 */
export const checkDonation = endpoint({
  method: 'POST',
  path: '/donations/check',
  access: 'public',
  body: z.object({ donation_id: donationId }),
  answer: z.object({
    payment_status: paymentStatus,
    access_code: z.string().nullable(),
  }),
  failure: 'Payment processing failed',
});

/** Codes of refusals that the donation panel treats in a way of its own. */
export const PAYMENT_REFUSALS = {
  /** 402: the card was refused, nothing was charged. */
  declined: 'payment_declined',
  /** 402: the payment was called off before it was made, nothing was charged. */
  notPaid: 'payment_not_paid',
  /** 409: it was paid back. */
  refunded: 'payment_refunded',
  /** 503: not known yet. */
  unsettled: 'payment_unsettled',
  /** 503: this installation takes no payments. */
  off: 'payments_off',
} as const;
