import type { PaymentStatus as Status } from '#shared/payments/contract.ts';
import { Pill } from '../admin/pill.tsx';

export const PAYMENT_STATUS_NAMES: Record<Status, string> = {
  completed: 'Completed',
  pending: 'Pending',
  failed: 'Failed',
  refunded: 'Refunded',
};

/** The status of a payment. */
export function PaymentStatus({ status }: { status: Status }) {
  return <Pill isOn={status === 'completed'}>{PAYMENT_STATUS_NAMES[status]}</Pill>;
}
