import type { PaymentState } from './gateway.ts';
import { HAS_ADDRESS } from '../retention.ts';
import type { Db } from 'mongodb';
import type { Indexes } from '../database.ts';
import type { PaymentStatus } from '#shared/payments/contract.ts';

/** What every kind of payment has: `machine.ts` moves it. */
export interface PaymentRow {
  _id: string;
  email: string | null;
  amount_cents: number;
  currency: 'USD';
  payment_provider: 'stripe' | 'sandbox';
  /** The gateway's id, known before any money moves; null until the payment was opened there. Unique. */
  payment_id: string | null;
  /** Moves forward only: see `shared/payments/rules.ts`. */
  payment_status: PaymentStatus;
  /** How much of it the gateway has given back; left out where none was told of. */
  returned_cents?: number;
  /** Why it failed: the code of the refusal; null otherwise. */
  failure: string | null;
  /** When a token was handed in first; null before, when nothing can have been charged. */
  submitted_at: Date | null;
  /** Somebody is at it until then, unless they died. */
  busy_until: Date | null;
  /** Whether what follows from its status was done: a code made, access taken back. */
  is_settled: boolean;
  ip_address: string;
  user_agent: string;
  created_at: Date;
  updated_at: Date;
}

/** What was given back of a payment, in cents. */
export const returnedOf = ({
  payment_status,
  amount_cents,
  returned_cents = 0,
}: Pick<PaymentRow, 'payment_status' | 'amount_cents' | 'returned_cents'>): number =>
  payment_status === 'refunded' ? amount_cents : returned_cents;

/** What is left of a completed payment, for an aggregation. */
export const REMAINING_CENTS = {
  $subtract: ['$amount_cents', { $ifNull: ['$returned_cents', 0] }],
};

/** `donations`. */
export interface DonationRow extends PaymentRow {
  /** The hash of the donor cookie's secret: whose browser it is. */
  holder: string;
  /** Who was signed in when it was made, if anybody. */
  user_id: string | null;
  access_code_granted: string | null;
}

/** `payment_tokens`: each wallet's token is good for one payment. */
export interface PaymentTokenRow {
  /** Provider and the token's own id. */
  _id: string;
  payment: string;
  at: Date;
}

/** `payment_events`: what the gateway told and was dealt with. */
export interface PaymentEventRow {
  /** The gateway's id of the event. */
  _id: string;
  at: Date;
}

/** `sandbox_payments`: what the simulated gateway remembers, apart from our own rows, as a real one does. */
export interface SandboxPaymentRow {
  _id: string;
  /** Unique: one payment for one order. */
  key: string;
  amount_cents: number;
  status: PaymentState;
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
    { key: { payment_status: 1, updated_at: -1 } },
    { key: { user_id: 1 } },
    { key: { holder: 1 } },
    { key: { created_at: -1, _id: -1 } },
    { key: { amount_cents: -1, _id: -1 } },
    { key: { payment_status: 1, created_at: -1, _id: -1 } },
    { key: { payment_status: 1, amount_cents: 1, returned_cents: 1 } },
    { key: { email: 1 } },
    { key: { created_at: 1 }, partialFilterExpression: HAS_ADDRESS },
    { key: { access_code_granted: 1 } },
  ],
  payment_tokens: [{ key: { at: 1 } }],
  payment_events: [{ key: { at: 1 } }],
  sandbox_payments: [{ key: { key: 1 }, unique: true }],
};
