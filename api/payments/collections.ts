import type { PaymentStatus } from '#shared/payments/contract.ts';

/** What every kind of payment has: `machine.ts` moves it. */
export interface PaymentRow {
  _id: string;
  email: string | null;
  amount_cents: number;
  currency: 'USD';
  payment_provider: 'stripe' | 'stand-in';
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
export const STANDING_CENTS = {
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
