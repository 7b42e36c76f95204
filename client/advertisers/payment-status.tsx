import type { PaymentStatus as Status } from '#shared/payments/contract.ts';
import { Pill } from '../admin/pill.tsx';

const NAMES: Record<Status, string> = {
  pending: 'Pending',
  completed: 'Completed',
  failed: 'Failed',
  refunded: 'Refunded',
};

/** How a payment stands, in a word. */
export function PaymentStatus({ status }: { status: Status }) {
  return <Pill isOn={status === 'completed'}>{NAMES[status]}</Pill>;
}
