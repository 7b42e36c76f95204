import type { Db } from 'mongodb';
import type { ProviderState } from '#shared/payments/provider-states.ts';
import type { PaymentStatus } from '#shared/payments/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import type { Indexes } from '../../platform/database.ts';
import { HAS_ADDRESS } from '../../platform/retention.ts';
import type { PaymentState } from './gateway.ts';

/** The fields of every kind of payment; see payment-state-machine.ts. */
export interface PaymentRow {
  _id: string;
  email: string | null;
  amount_cents: number;
  currency: 'USD';
  payment_provider: 'stripe' | 'sandbox';
  /** The gateway's id, known before any money moves; null until the payment was opened there. Unique. */
  payment_id: string | null;
  /** See `shared/payments/rules.ts`. */
  payment_status: PaymentStatus;
  /** What happened to the money since it was paid; absent without a report of the gateway. */
  provider_state?: ProviderState;
  /** The refunded amount that the gateway reported last; absent without a report. */
  returned_cents?: number;
  /** How many reports of the gateway were stored: one that was read before another was stored is read again. */
  reports?: number;
  /** The error code if it failed. */
  failure: string | null;
  /** When the first token was received; null before, when nothing can have been charged. */
  submitted_at: Date | null;
  /** When the lease of the process that works on it expires. */
  busy_until: Date | null;
  /** Whether the consequences of its status are done, such as creating or revoking a code. */
  is_settled: boolean;
  ip_address: string;
  user_agent: string;
  created_at: Date;
  updated_at: Date;
}

/** Returns the fields of a payment that has not been submitted yet. */
export const unsubmitted = (payment_provider: PaymentRow['payment_provider'], now: Date) => ({
  currency: 'USD' as const,
  payment_provider,
  payment_id: null,
  payment_status: 'pending' as const,
  failure: null,
  submitted_at: null,
  busy_until: null,
  is_settled: false,
  created_at: now,
  updated_at: now,
});

/** A payment without a result after this time is in doubt; usually the gateway responds within seconds. */
const DOUBT_MS = 10 * MINUTE_MS;

/** Matches payments that were submitted and have no result after a while. */
export const inDoubt = (now: Date) => ({
  payment_status: 'pending' as const,
  submitted_at: { $lt: new Date(now.getTime() - DOUBT_MS) },
});

/** The refunded amount of a payment, in cents. */
export const returnedOf = ({
  payment_status,
  amount_cents,
  returned_cents = 0,
}: Pick<PaymentRow, 'payment_status' | 'amount_cents' | 'returned_cents'>): number =>
  payment_status === 'refunded' ? amount_cents : returned_cents;

/** What happened to the money of a payment. */
export const providerStateOf = ({
  payment_status,
  provider_state,
}: Pick<PaymentRow, 'payment_status' | 'provider_state'>): ProviderState =>
  provider_state ?? (payment_status === 'refunded' ? 'refunded' : 'clear');

/** An aggregation expression: the amount of a completed payment without refunds. */
export const REMAINING_CENTS = {
  $subtract: ['$amount_cents', { $ifNull: ['$returned_cents', 0] }],
};

/** `donations`. */
export interface DonationRow extends PaymentRow {
  /** The hash of the donor cookie's secret, which identifies the browser. */
  holder: string;
  /** The user who was signed in, if any. */
  user_id: string | null;
  access_code_granted: string | null;
  /** When its receipt was sent by email; unset before. */
  receipt_at?: Date;
}

/** `payment_tokens`: used wallet tokens. Each is valid for one payment. */
export interface PaymentTokenRow {
  /** Provider and the token's own id. */
  _id: string;
  payment: string;
  at: Date;
}

/** `payment_events`: processed events of the gateway. */
export interface PaymentEventRow {
  /** The gateway's id of the event. */
  _id: string;
  at: Date;
}

/** `sandbox_payments`: the sandbox gateway's own records. */
export interface SandboxPaymentRow {
  _id: string;
  /** Unique: one payment for one order. */
  key: string;
  amount_cents: number;
  status: PaymentState;
  /** Unset before the simulated banks did anything with the money. */
  provider_state?: ProviderState;
  returned_cents?: number;
  at: Date;
}

export const donations = (db: Db) => db.collection<DonationRow>('donations');
export const paymentTokens = (db: Db) => db.collection<PaymentTokenRow>('payment_tokens');
export const paymentEvents = (db: Db) => db.collection<PaymentEventRow>('payment_events');
export const sandboxPayments = (db: Db) => db.collection<SandboxPaymentRow>('sandbox_payments');

export const paymentIndexes: Indexes = {
  donations: [
    {
      key: { payment_id: 1 },
      unique: true,
      partialFilterExpression: { payment_id: { $type: 'string' } },
    },
    { key: { is_settled: 1, created_at: 1 } },
    { key: { receipt_at: 1, payment_status: 1, created_at: 1 } },
    { key: { payment_status: 1, updated_at: -1 } },
    { key: { user_id: 1 } },
    { key: { holder: 1 } },
    { key: { created_at: -1, _id: -1 } },
    { key: { amount_cents: -1, _id: -1 } },
    { key: { payment_status: 1, created_at: -1, _id: -1 } },
    { key: { payment_status: 1, amount_cents: 1, returned_cents: 1 } },
    { key: { provider_state: 1, created_at: -1, _id: -1 } },
    { key: { email: 1 } },
    { key: { created_at: 1 }, partialFilterExpression: HAS_ADDRESS },
    { key: { access_code_granted: 1 } },
  ],
  payment_tokens: [{ key: { at: 1 } }],
  payment_events: [{ key: { at: 1 } }],
  sandbox_payments: [{ key: { key: 1 }, unique: true }],
};
