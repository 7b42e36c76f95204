import { createHash } from 'node:crypto';
import type { Db } from 'mongodb';
import { dayOf } from '#shared/charities/rules.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import { type CharityDonationRow, charities, charityDonations } from './collections.ts';

/** More than are ever counted at the same time. */
const COUNTED_MAX = 200;

/** A visit of a charity's donation page: the same row for the same user and day. */
export const donationOn = (
  created_at: Date,
  charity_id: string,
  user_id: string,
): CharityDonationRow => ({
  _id: createHash('sha256')
    .update(`${charity_id} ${user_id} ${dayOf(created_at)}`)
    .digest('base64url'),
  charity_id,
  user_id,
  amount_cents: 0,
  donation_type: 'external_link',
  created_at,
  is_counted: false,
});

/** Records a visit of a charity's donation page, once a day for each user. */
export async function recordDonation(db: Db, charityId: string, userId: string): Promise<void> {
  const row = donationOn(new Date(), charityId, userId);
  await insertIfAbsent(charityDonations(db), row);
  await count(db, row);
}

/** Adds a donation to its charity's count; exactly once, however often it is called. */
async function count(db: Db, row: CharityDonationRow) {
  const { _id, charity_id } = row;
  // Most repeats are about donations that were counted long ago.
  if ((await charityDonations(db).findOne({ _id }))?.is_counted) return;
  await charities(db).updateOne(
    { _id: charity_id, counted: { $ne: _id } },
    {
      $inc: { donation_count: 1, total_donated_cents: row.amount_cents },
      $push: { counted: { $each: [_id], $slice: -COUNTED_MAX } },
    },
  );
  await charityDonations(db).updateOne({ _id }, { $set: { is_counted: true } });
}

/** Counts donations that a crash left uncounted. */
export async function runDonationsJob(db: Db): Promise<void> {
  await forEachIsolated(charityDonations(db).find({ is_counted: false }), (row) => count(db, row));
}
