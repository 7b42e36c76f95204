import type { PaymentStatus as Status } from '#shared/payments/contract.ts';
import { ADMIN_WORDS, type ProviderState } from '#shared/payments/provider-states.ts';
import { Pill } from '../admin/pill.tsx';

export const PAYMENT_STATUS_NAMES: Record<Status, string> = {
  completed: 'Completed',
  pending: 'Pending',
  failed: 'Failed',
  refunded: 'Refunded',
};

/** The status of a payment, and what happened to the money since, if that is more. */
export function PaymentStatus({ status, state }: { status: Status; state?: ProviderState }) {
  const words = state ? ADMIN_WORDS[state] : null;
  return (
    <>
      <Pill isOn={status === 'completed'}>{PAYMENT_STATUS_NAMES[status]}</Pill>
      {words && <span className="block pt-1 text-sm font-bold">{words}</span>}
    </>
  );
}
