import type { Db } from 'mongodb';
import { DAY_MS } from '#shared/time.ts';
import { forEachIsolated, runIsolated } from '../../platform/for-each-isolated.ts';
import { clearDue } from '../../platform/retention.ts';
import { type CharityRow, charityWords, charities, charityDonations } from './collections.ts';

const UNAPPROVED_DAYS = 365;
const DONOR_DAYS = 2 * 365;

/** Clears the contacts of charities that were not verified within a year, and the users of old donations. */
export async function runOldCharitiesJob(db: Db): Promise<void> {
  const before = (days: number) => ({ $lt: new Date(Date.now() - days * DAY_MS) });
  const due = {
    is_verified: false,
    contact_email: { $gt: '' },
    created_at: before(UNAPPROVED_DAYS),
  };
  const cleared = { contact_email: null, contact_name: null, phone: null };
  const clear = (row: CharityRow) =>
    charities(db).updateOne(
      { ...due, _id: row._id },
      { $set: { ...cleared, ...charityWords({ ...row, ...cleared }) } },
    );
  const donations = { user_id: { $type: 'string' as const }, created_at: before(DONOR_DAYS) };
  const steps = [
    () => forEachIsolated(charities(db).find(due), clear),
    () => clearDue(charityDonations(db), donations, { $set: { user_id: null } }),
  ];
  await runIsolated(steps);
}
