import type { Db } from 'mongodb';
import { DAY_MS } from '#shared/time.ts';
import { clearDue } from '../../platform/retention.ts';
import { charityWords, charities, charityDonations } from './collections.ts';

const UNAPPROVED_DAYS = 365;
const DONOR_DAYS = 2 * 365;
/** The maximum number in one sweep. */
const CONTACTS_MAX = 500;

/** Clears the contacts of charities that were not verified within a year, and the users of old donations. */
export async function sweepOldCharities(db: Db): Promise<void> {
  const before = (days: number) => ({ $lt: new Date(Date.now() - days * DAY_MS) });
  const due = {
    is_verified: false,
    contact_email: { $gt: '' },
    created_at: before(UNAPPROVED_DAYS),
  };
  const cleared = { contact_email: null, contact_name: null, phone: null };
  for await (const row of charities(db).find(due).limit(CONTACTS_MAX))
    await charities(db).updateOne(
      { ...due, _id: row._id },
      { $set: { ...cleared, ...charityWords({ ...row, ...cleared }) } },
    );
  await clearDue(
    charityDonations(db),
    { user_id: { $type: 'string' }, created_at: before(DONOR_DAYS) },
    { $set: { user_id: null } },
  );
}
