import type { Db } from 'mongodb';
import { businessListings, advertisementBookings } from '../ads/collections.ts';
import { DAY_MS } from '#shared/time.ts';
import { wordsOf } from '../admin/search.ts';
import { addressId } from '../outbox/messages.ts';
import { BOOKS_DAYS, clearPayers } from '../payments/retention.ts';
import { deleteDue } from '../retention.ts';
import {
  type AdvertiserRow,
  adPayments,
  advertisers,
  advertiserDashboards,
  advertiserEmails,
} from './collections.ts';

/** A email is noted so that it is not caused twice: what causes one is over by then. */
const EMAIL_DAYS = 2 * 365;
/** No more in one sweep. */
const ADVERTISERS_MAX = 200;

/** Clears who paid for ads when the books do not need it any more, and from where after 90 days. */
export async function sweepOldAdvertisers(db: Db): Promise<void> {
  await clearPayers(adPayments(db));
  const emailsBefore = new Date(Date.now() - EMAIL_DAYS * DAY_MS);
  await deleteDue(advertiserEmails(db), { at: { $lt: emailsBefore } });
  const booksBefore = { $lt: new Date(Date.now() - BOOKS_DAYS * DAY_MS) };
  const due = { updated_at: booksBefore, email: { $gt: '' } };
  for await (const row of advertisers(db).find(due).limit(ADVERTISERS_MAX))
    if (!(await hasBoughtSince(db, row, booksBefore.$lt))) await clearAdvertiser(db, row);
}

async function hasBoughtSince(db: Db, { _id }: AdvertiserRow, since: Date): Promise<boolean> {
  const later = { $gt: since };
  const theirs = { advertiser_id: _id };
  const found =
    (await adPayments(db).findOne({ ...theirs, created_at: later })) ??
    (await advertisementBookings(db).findOne({ ...theirs, scheduled_end_at: later })) ??
    (await businessListings(db).findOne({ ...theirs, subscription_end_date: later }));
  return found !== null;
}

/** The company's name stays in the books; the people behind it do not. */
async function clearAdvertiser(
  db: Db,
  { _id, email, company_name, updated_at }: AdvertiserRow,
): Promise<void> {
  await advertisers(db).updateOne(
    { _id, updated_at },
    {
      $set: {
        email: null,
        contact_name: '',
        phone: null,
        billing_address: null,
        words: wordsOf(company_name),
      },
      $unset: { holder: '' },
    },
  );
  if (email && !(await advertisers(db).findOne({ email })))
    await advertiserDashboards(db).deleteOne({ _id: addressId('email', email) });
}
