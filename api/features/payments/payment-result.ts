import type { Collection, Filter } from 'mongodb';
import { poll } from '#shared/backoff.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { PAYMENT_REFUSALS, processDonation } from '#shared/payments/contract.ts';
import type { PaymentRow } from './collections.ts';
import type { PaymentMachine } from './payment-state-machine.ts';

/** How long a second request waits for the result of the first one. */
const WAIT_FOR_FIRST = { first: 200, longest: 400, forMs: 10_000 };

/**
 * Waits a while for another process that works on a payment, and fulfills a completed one.
 * @returns the current row
 */
export async function waitForResult<Row extends PaymentRow>(
  rows: Collection<Row>,
  machine: Pick<PaymentMachine<Row>, 'settle'>,
  row: Row,
): Promise<Row> {
  const isBusy = ({ payment_status, busy_until }: Row) =>
    payment_status === 'pending' && Boolean(busy_until);
  let current = row;
  if (isBusy(row))
    await poll(async () => {
      current = ((await rows.findOne({ _id: row._id } as Filter<Row>)) as Row | null) ?? current;
      return isBusy(current) ? undefined : current;
    }, WAIT_FOR_FIRST);
  // Completed may not be fulfilled yet.
  return current.payment_status === 'pending' ? current : machine.settle(current);
}

/** The error for a payment that is not completed. */
export function unpaidRefusal({ payment_status, failure }: PaymentRow): HttpError {
  const message = processDonation.failure;
  if (payment_status === 'failed')
    return new HttpError(402, message, { code: failure ?? PAYMENT_REFUSALS.notPaid });
  if (payment_status === 'refunded')
    return new HttpError(409, message, { code: PAYMENT_REFUSALS.refunded });
  return new HttpError(503, message, {
    code: PAYMENT_REFUSALS.unsettled,
    headers: { 'retry-after': '2' },
  });
}

export const paymentsAreOff = (): HttpError =>
  new HttpError(503, 'No payment configuration available', { code: PAYMENT_REFUSALS.off });
