import type { Db } from 'mongodb';
import type { Indexes } from '../../platform/database.ts';
import type { Posting } from '../../platform/mail-queue/messages.ts';
import { HAS_ADDRESS } from '../../platform/retention.ts';
import type { AdId } from '../ads/collections.ts';
import type { PaymentRow } from '../payments/collections.ts';

/** `advertisers`: one for each browser and email. The email is not verified. */
export interface AdvertiserRow {
  _id: string;
  /** The hash of the advertiser cookie's secret: identifies the browser. Absent once the person is erased. */
  holder?: string;
  /** In lower case; null once the person is erased. */
  email: string | null;
  company_name: string;
  contact_name: string;
  phone: string | null;
  billing_address: string | null;
  /** Search words for admins. */
  words: string[];
  /** How often an admin edited it. */
  version?: number;
  /** The time zone of times in emails. */
  time_zone: string;
  created_at: Date;
  updated_at: Date;
}

/** `ad_payments`: tries to pay for an ad. A timed ad, or a month of a listing, has at most one that has not failed. */
export interface AdPaymentRow extends PaymentRow {
  advertiser_id: string;
  advertisement_id: AdId;
  /** Which month of a listing; 0 for a timed ad. */
  period: number;
  attempt: number;
  /** When we learned that it was paid; null before. */
  paid_at: Date | null;
  /** The tax that the amount includes; absent without one. */
  tax?: { name: string; percent: number };
}

/** `ad_slots`: the taken times of one placement in one row, so that taking one is atomic (decision 160). */
export interface SlotsRow {
  /** The placement. */
  _id: string;
  taken: TakenSlot[];
}

export interface TakenSlot {
  ad: number;
  start: Date;
  /** Exclusive. */
  end: Date;
  /** When the reservation expires; null: never, or not before its payment has failed. */
  until: Date | null;
  /** The payment that reserved it. */
  payment: string | null;
}

/** `advertiser_emails`: the causes of emails, so that each is sent once. */
export interface AdvertiserEmailRow extends Posting {
  advertiser_id: string | null;
  at: Date;
  /** Recalled before it was written. */
  is_unwritten?: true;
}

/** `advertiser_dashboards`: since when the dashboard links of an email are valid. */
export interface DashboardRow {
  /** The `addressId` of the email. */
  _id: string;
  email: string;
  /** Earlier links are revoked. */
  since: Date;
}

export const adSlots = (db: Db) => db.collection<SlotsRow>('ad_slots');
export const adPayments = (db: Db) => db.collection<AdPaymentRow>('ad_payments');
export const advertisers = (db: Db) => db.collection<AdvertiserRow>('advertisers');
export const advertiserDashboards = (db: Db) =>
  db.collection<DashboardRow>('advertiser_dashboards');
export const advertiserEmails = (db: Db) => db.collection<AdvertiserEmailRow>('advertiser_emails');

export const advertiserIndexes: Indexes = {
  ad_payments: [
    {
      key: { payment_id: 1 },
      unique: true,
      partialFilterExpression: { payment_id: { $type: 'string' } },
    },
    { key: { advertisement_id: 1, period: 1, attempt: -1 }, unique: true },
    { key: { advertiser_id: 1, created_at: -1 } },
    { key: { is_settled: 1 } },
    { key: { created_at: 1 }, partialFilterExpression: HAS_ADDRESS },
    { key: { payment_status: 1, paid_at: -1 } },
    { key: { payment_status: 1, created_at: -1, _id: -1 } },
    { key: { provider_state: 1, created_at: -1, _id: -1 } },
    { key: { created_at: -1, _id: -1 } },
    { key: { amount_cents: -1, _id: -1 } },
  ],
  advertisers: [
    {
      key: { holder: 1, email: 1 },
      unique: true,
      partialFilterExpression: { holder: { $exists: true } },
    },
    { key: { email: 1 } },
    { key: { updated_at: 1 } },
    { key: { created_at: -1, _id: -1 } },
    { key: { company_name: 1, _id: 1 } },
    { key: { words: 1 } },
  ],
  advertiser_emails: [
    { key: { 'post.at': 1 }, sparse: true },
    { key: { advertiser_id: 1 } },
    { key: { at: 1 } },
  ],
};
