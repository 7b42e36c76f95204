import type { Db } from 'mongodb';
import { createHash } from 'node:crypto';
import { dayOf } from '#shared/charities/rules.ts';
import { isDuplicate } from '../database.ts';
import { forEachIsolated } from '../for-each-isolated.ts';
import { type CharityDonationRow, charities, charityDonations } from './collections.ts';

/** More are never under way at once. */
const COUNTED_MAX = 200;

/** The record that somebody went to give to a charity: the same for one day. */
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

/** Notes that somebody goes to give to a charity; once a day is enough. */
export async function recordDonation(db: Db, charityId: string, userId: string): Promise<void> {
  const row = donationOn(new Date(), charityId, userId);
  try {
    await charityDonations(db).insertOne(row);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
  }
  await count(db, row);
}

/** Adds a record to its charity's count, once however often this is tried. */
async function count(db: Db, row: CharityDonationRow) {
  const { _id, charity_id } = row;
  // Most repeats come after it was counted long ago.
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

/** Counts what a crash left uncounted. */
export async function sweepDonations(db: Db): Promise<void> {
  await forEachIsolated(charityDonations(db).find({ is_counted: false }), (row) => count(db, row));
}
