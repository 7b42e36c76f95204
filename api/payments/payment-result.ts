import { setTimeout as wait } from 'node:timers/promises';
import type { Collection, Filter } from 'mongodb';
import { PAYMENT_REFUSALS, processDonation } from '#shared/payments/contract.ts';
import { HttpError } from '../http/http-error.ts';
import type { PaymentMachine } from './payment-state-machine.ts';
import type { PaymentRow } from './collections.ts';

/** A second click waits so long for the first one's answer. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 200;

/**
 * Waits a little for whoever is at a payment already, and sees to it that what was paid for is given.
 * @returns how it stands then
 */
export async function waitForResult<Row extends PaymentRow>(
  rows: Collection<Row>,
  machine: Pick<PaymentMachine<Row>, 'settle'>,
  row: Row,
): Promise<Row> {
  const deadline = Date.now() + PATIENCE_MS;
  let current = row;
  while (current.payment_status === 'pending' && current.busy_until && Date.now() < deadline) {
    await wait(PAUSE_MS);
    current = ((await rows.findOne({ _id: row._id } as Filter<Row>)) as Row | null) ?? current;
  }
  // Whoever was at it writes that it is paid before they give what it was for.
  return current.payment_status === 'pending' ? current : machine.settle(current);
}

/** Why a payment that was sent has no success to show. */
export function unpaidRefusal({ payment_status, failure }: PaymentRow): HttpError {
  const words = processDonation.failure;
  if (payment_status === 'failed')
    return new HttpError(402, words, { code: failure ?? PAYMENT_REFUSALS.notPaid });
  if (payment_status === 'refunded')
    return new HttpError(409, words, { code: PAYMENT_REFUSALS.refunded });
  return new HttpError(503, words, {
    code: PAYMENT_REFUSALS.unsettled,
    headers: { 'retry-after': '2' },
  });
}

/** Where neither a gateway nor its stand-in is there. */
export const paymentsAreOff = (): HttpError =>
  new HttpError(503, 'No payment configuration available', { code: PAYMENT_REFUSALS.off });
