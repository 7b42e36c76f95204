import { z } from 'zod';
import type { PaymentStatus } from './rules.ts';

/**
 * What the payment provider and the banks did with the money after a payment, beside the specification's four statuses:
 * `disputed`: the payer asked their bank to take it back, which is undecided.
 */
export const providerState = z.enum([
  'clear',
  'partly_refunded',
  'refund_pending',
  'refunded',
  'refund_failed',
  'disputed',
  'dispute_won',
  'dispute_lost',
]);
export type ProviderState = z.infer<typeof providerState>;

/** The states that say more than the status, by which admins filter lists. */
export const notableState = providerState.exclude(['clear', 'refunded']);

/**
 * Which states can follow a state at the provider. A refund can still fail weeks later; a lost dispute can be appealed. We read the
 * state itself, and may miss some in between.
 */
const FOLLOWING: Record<ProviderState, readonly ProviderState[]> = {
  clear: ['partly_refunded', 'refund_pending', 'refunded', 'refund_failed', 'disputed'],
  partly_refunded: ['refund_pending', 'refunded', 'refund_failed', 'disputed'],
  refund_pending: ['refunded', 'refund_failed'],
  refunded: ['refund_failed'],
  refund_failed: ['partly_refunded', 'refund_pending', 'refunded', 'disputed'],
  disputed: ['dispute_won', 'dispute_lost'],
  dispute_won: ['disputed', 'partly_refunded', 'refund_pending', 'refunded', 'refund_failed'],
  dispute_lost: ['dispute_won'],
};

/** Returns the states that can follow a state. */
export const statesAfter = (state: ProviderState): readonly ProviderState[] => FOLLOWING[state];

/** The status that a paid payment has in each state: it is `refunded` where the payer has the money, or is about to get it. */
const STATUSES: Record<ProviderState, Extract<PaymentStatus, 'completed' | 'refunded'>> = {
  clear: 'completed',
  partly_refunded: 'completed',
  refund_pending: 'refunded',
  refunded: 'refunded',
  refund_failed: 'completed',
  disputed: 'completed',
  dispute_won: 'completed',
  dispute_lost: 'refunded',
};

/** Returns the status of a payment that was paid, by what happened to the money since. */
export const statusIn = (state: ProviderState): 'completed' | 'refunded' => STATUSES[state];

/** Whether the provider takes a refund now: not during a dispute, and one that failed has to be made in another way. */
export const canRefund = (state: ProviderState): boolean =>
  state !== 'disputed' && state !== 'refund_failed';

/** What the payer reads about it; null where the status says everything. */
export const PAYER_WORDS: Record<ProviderState, string | null> = {
  clear: null,
  partly_refunded: null,
  refund_pending: 'The refund is on its way to your card',
  refunded: null,
  refund_failed: 'Your bank didn’t accept the refund. Contact us and we’ll find another way',
  disputed: 'Your bank is reviewing this payment, because you disputed it',
  dispute_won: 'Your bank decided that this payment stands',
  dispute_lost: 'Your bank returned this payment to you after your dispute',
};

/** What admins read about it; null where the status says everything. */
export const ADMIN_WORDS: Record<z.infer<typeof notableState>, string> &
  Record<ProviderState, string | null> = {
  clear: null,
  partly_refunded: 'Partly refunded',
  refund_pending: 'Refund pending',
  refunded: null,
  refund_failed: 'Refund failed',
  disputed: 'Dispute open',
  dispute_won: 'Dispute won',
  dispute_lost: 'Dispute lost',
};
