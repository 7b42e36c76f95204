import type { Db, Filter } from 'mongodb';
import { DAY_MS } from '#shared/time.ts';
import { wordsOf } from '../../platform/admin/search.ts';
import { addressId } from '../../platform/mail-queue/messages.ts';
import { deleteDue } from '../../platform/retention.ts';
import { businessListings, advertisementBookings } from '../ads/collections.ts';
import { BOOKS_DAYS, clearPayers } from '../payments/retention.ts';
import {
  type AdvertiserRow,
  adPayments,
  advertisers,
  advertiserDashboards,
  advertiserEmails,
} from './collections.ts';

/** Email rows prevent repeats; after this time nothing causes the same email again. */
const EMAIL_DAYS = 2 * 365;
/** The maximum number in one background job. */
const ADVERTISERS_MAX = 200;

/** Erases old personal data of advertisers once accounting does not need it, and payers' addresses after 90 days. */
export async function runOldAdvertisersJob(db: Db): Promise<void> {
  await clearPayers(adPayments(db));
  const before = (days: number) => new Date(Date.now() - days * DAY_MS);
  await deleteDue(advertiserEmails(db), { at: { $lt: before(EMAIL_DAYS) } });
  const since = before(BOOKS_DAYS);
  const due = { updated_at: { $lt: since }, email: { $gt: '' } };
  for await (const row of advertisers(db).find(due).limit(ADVERTISERS_MAX))
    if (!(await hasBoughtSince(db, row, since))) {
      const { _id, email, updated_at } = row;
      await eraseAdvertiser(db, row, { _id, updated_at });
      if (email && !(await advertisers(db).findOne({ email })))
        await advertiserDashboards(db).deleteOne({ _id: addressId('email', email) });
    }
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

/** Erases the person behind an advertiser; the company's name stays. */
export const eraseAdvertiser = (
  db: Db,
  { _id, company_name }: AdvertiserRow,
  filter: Filter<AdvertiserRow> = { _id },
) =>
  advertisers(db).updateOne(filter, {
    $set: {
      email: null,
      contact_name: '',
      phone: null,
      billing_address: null,
      words: wordsOf(company_name),
    },
    $unset: { holder: '' },
  });
