import { PAYMENT_REFUSALS } from '#shared/payments/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { ADDRESS_DAYS } from '../../api/platform/retention.ts';
import type { PaymentRow } from '../../api/features/payments/collections.ts';
import type { Rows } from './rows.ts';

/** Returns the IP address and browser of an action at a time. They are only stored for a limited time. */
export const originAt = (at: Date, now: Date): { ip_address: string; user_agent: string } =>
  at.getTime() > now.getTime() - ADDRESS_DAYS * DAY_MS
    ? { ip_address: '192.0.2.1', user_agent: 'seed' }
    : { ip_address: '', user_agent: '' };

/**
 * Adds a payment to the sandbox payment provider, and returns its row. It can be refunded.
 */
export function paidInSandbox(
  {
    _id,
    kind,
    email,
    amount_cents,
    at,
    now,
    status,
  }: {
    _id: string;
    /** As in `payments`. */
    kind: 'donation' | 'advertisement';
    email: string | null;
    amount_cents: number;
    at: Date;
    now: Date;
    status: 'completed' | 'failed' | 'refunded';
  },
  rows: Rows,
): PaymentRow {
  const payment_id = `sip_${kind}-${_id}`;
  rows.sandbox_payments.push({
    _id: payment_id,
    key: `${kind}-${_id}`,
    amount_cents,
    status: ({ completed: 'paid', failed: 'closed', refunded: 'refunded' } as const)[status],
    at,
  });
  return {
    _id,
    email,
    amount_cents,
    currency: 'USD',
    payment_provider: 'sandbox',
    payment_id,
    payment_status: status,
    failure: status === 'failed' ? PAYMENT_REFUSALS.declined : null,
    submitted_at: at,
    busy_until: null,
    is_settled: true,
    ...originAt(at, now),
    created_at: at,
    updated_at: at,
  };
}
