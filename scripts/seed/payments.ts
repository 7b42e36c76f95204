import { PAYMENT_REFUSALS } from '#shared/payments/contract.ts';
import type { PaymentRow } from '../../api/payments/rows.ts';
import type { Rows } from './rows.ts';

/**
 * A payment that was made, refused, or given back long ago, which the stand-in for the gateway knows of too: it can be paid
 * back from there.
 */
export function paidAtStandIn(
  {
    _id,
    kind,
    email,
    amount_cents,
    at,
    status,
  }: {
    _id: string;
    /** As the payment machine has it. */
    kind: 'donation' | 'advertisement';
    email: string | null;
    amount_cents: number;
    at: Date;
    status: 'completed' | 'failed' | 'refunded';
  },
  rows: Rows,
): PaymentRow {
  const payment_id = `sip_${kind}-${_id}`;
  rows.stand_in_payments.push({
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
    payment_provider: 'stand-in',
    payment_id,
    payment_status: status,
    failure: status === 'failed' ? PAYMENT_REFUSALS.declined : null,
    submitted_at: at,
    busy_until: null,
    is_settled: true,
    ip_address: '192.0.2.1',
    user_agent: 'seed',
    created_at: at,
    updated_at: at,
  };
}
