import type { Collection, Filter, MatchKeysAndValues, Db } from 'mongodb';
import { DAY_MS } from '#shared/time.ts';
import { ADDRESS_DAYS, clearDue, deleteDue } from '../../platform/retention.ts';
import { type PaymentRow, donations, paymentTokens, paymentEvents } from './collections.ts';

/** Failed donations and used tokens are deleted after this time. */
const UNPAID_DAYS = 90;
/** The gateway repeats an event for a few days. */
const EVENT_DAYS = 60;
/** How long accounting needs to know who paid. */
export const BOOKS_DAYS = 7 * 365;

const ago = (days: number) => ({ $lt: new Date(Date.now() - days * DAY_MS) });

/** Clears the IP address and browser of old payments. */
export const clearPayers = <Row extends PaymentRow>(rows: Collection<Row>): Promise<void> =>
  clearDue(
    rows,
    { ip_address: { $gt: '' }, created_at: ago(ADDRESS_DAYS) } as unknown as Filter<Row>,
    { $set: { ip_address: '', user_agent: '' } as unknown as MatchKeysAndValues<Row> },
  );

/** Deletes failed donations, and clears addresses and, after years, the donors of others. */
export async function runOldDonationsJob(db: Db): Promise<void> {
  await clearPayers(donations(db));
  await deleteDue(donations(db), { payment_status: 'failed', updated_at: ago(UNPAID_DAYS) });
  await clearDue(
    donations(db),
    { created_at: ago(BOOKS_DAYS), holder: { $gt: '' } },
    { $set: { user_id: null, email: null, holder: '' } },
  );
  await deleteDue(paymentTokens(db), { at: ago(UNPAID_DAYS) });
  await deleteDue(paymentEvents(db), { at: ago(EVENT_DAYS) });
}
