import { HAS_ADDRESS } from '../retention.ts';
import type { Db } from 'mongodb';
import type { Indexes } from '../database.ts';
import type { AdId } from '../ads/collections.ts';
import type { Posting } from '../outbox/messages.ts';
import type { PaymentRow } from '../payments/collections.ts';

/** `advertisers`. One browser and one email make one; what is typed for an email proves nothing of it. */
export interface AdvertiserRow {
  _id: string;
  /** The hash of the advertiser cookie's secret: whose browser it is. Absent when the person has gone. */
  holder?: string;
  /** In lower case; null when the person has gone. */
  email: string | null;
  company_name: string;
  contact_name: string;
  phone: string | null;
  billing_address: string | null;
  /** What admins find it by. */
  words: string[];
  /** In which emails tell times. */
  time_zone: string;
  created_at: Date;
  updated_at: Date;
}

/** `ad_payments`: one try to pay for an ad. An ad, or a month of a listing, has one that has not failed, at most. */
export interface AdPaymentRow extends PaymentRow {
  advertiser_id: string;
  advertisement_id: AdId;
  /** Which month of a listing; 0 for a timed ad. */
  period: number;
  attempt: number;
  /** When we learned that it was made; null before. */
  paid_at: Date | null;
}

/** `ad_slots`: the times of one placement that are taken, in one row, so that taking one is one atomic step. */
export interface SlotsRow {
  /** The placement. */
  _id: string;
  taken: TakenSlot[];
}

export interface TakenSlot {
  ad: number;
  start: Date;
  /** Up to and without. */
  end: Date;
  /** Held until then, while nobody knows whether its payment was begun; null: for good, or until its payment has failed. */
  until: Date | null;
  /** The payment for which it is kept. */
  payment: string | null;
}

/** `advertiser_emails`: each email that was caused, so that none is caused twice. */
export interface AdvertiserEmailRow extends Posting {
  advertiser_id: string | null;
  at: Date;
  /** Kept back before anybody wrote it. */
  is_unwritten?: true;
}

/** `advertiser_dashboards`: whose links to the dashboard count. */
export interface DashboardRow {
  /** The `addressId` of the email. */
  _id: string;
  email: string;
  /** Links of before then are over. */
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
