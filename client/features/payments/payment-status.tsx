import { ADMIN_WORDS, type ProviderState } from '#shared/payments/provider-states.ts';
import type { PaymentStatus as Status } from '#shared/payments/rules.ts';
import { control } from '../../platform/admin/list/list-filters.ts';
import { Pill } from '../../platform/admin/pill.tsx';

const PAYMENT_STATUS_NAMES: Record<Status, string> = {
  completed: 'Completed',
  pending: 'Pending',
  failed: 'Failed',
  refunded: 'Refunded',
};

/** The filter of a list of payments. */
export const LISTED_STATUS_NAMES = { ...PAYMENT_STATUS_NAMES, in_doubt: 'Without a result' };

const { partly_refunded, refund_pending, refund_failed, disputed, dispute_won, dispute_lost } =
  ADMIN_WORDS;

/** A filter of lists of payments by what happened to the money since. */
export const moneyControl = control('provider_state', 'Refunds and disputes', 'All', {
  disputed,
  dispute_won,
  dispute_lost,
  refund_pending,
  refund_failed,
  partly_refunded,
});

/** The status of a payment, and what happened to the money since, if that is more. */
export function PaymentStatus({ status, state }: { status: Status; state?: ProviderState }) {
  const words = state ? ADMIN_WORDS[state] : null;
  return (
    <>
      <Pill isOn={status === 'completed'} hasFailed={status === 'failed'}>
        {PAYMENT_STATUS_NAMES[status]}
      </Pill>
      {words && <span className="block pt-1 text-sm font-bold">{words}</span>}
    </>
  );
}
