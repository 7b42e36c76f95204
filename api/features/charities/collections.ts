import type { Db } from 'mongodb';
import { wordsOf } from '../../platform/admin/search.ts';
import type { Indexes } from '../../platform/database.ts';
import type { Posting } from '../../platform/mail-queue/messages.ts';

/** Why and when an admin rejected a charity. */
export interface Rejection {
  reason: string;
  at: Date;
}

/** `charities`. Optional fields are null when empty. */
export interface CharityRow {
  _id: string;
  charity_name: string;
  /** The name in lower case, for sorting. */
  name_key: string;
  /** Search words for admins (see api/platform/admin/search.ts), and for members without the contact. */
  words: string[];
  member_words: string[];
  description: string;
  contact_name: string | null;
  contact_email: string | null;
  phone: string | null;
  website_url: string | null;
  tax_id: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  zip_code: string | null;
  payment_link: string;
  logo_key: string | null;
  source: 'application' | 'suggestion';
  suggested_by_user_id: string | null;
  is_verified: boolean;
  is_active: boolean;
  donation_count: number;
  total_donated_cents: number;
  /** What the charity tells on its page; rows of earlier releases lack them. */
  story?: string | null;
  goal_cents?: number | null;
  /** Newest first. */
  updates?: { text: string; at: Date }[];
  /** The last donations that are in the count. */
  counted: string[];
  /** Verifying and correcting it takes that back: see `withoutRejection`. */
  rejection?: Rejection | null;
  /** False from the rejection of an application until its email is queued, or the rejection taken back; absent before. */
  is_rejection_notified?: boolean;
  /** Where its town is; null without a known one, absent before `is_located`. */
  place?: { type: 'Point'; coordinates: [longitude: number, latitude: number] } | null;
  /** Whether `place` is that of the city. */
  is_located?: boolean;
  created_at: Date;
  version?: number;
  /** False from the approval of an application until its email is queued; absent before. */
  is_approval_notified?: boolean;
}

/** The change that takes a rejection back, with the email about it, which a crash may have left due. */
export const withoutRejection = ({
  is_rejection_notified,
}: Pick<CharityRow, 'is_rejection_notified'>) => ({
  rejection: null,
  ...(is_rejection_notified === false && { is_rejection_notified: true }),
});

type Named = Pick<CharityRow, 'charity_name' | 'city' | 'state' | 'contact_email' | 'tax_id'>;

/** The search words of a charity, and that its place is to be found anew. */
export const charityWords = ({ charity_name, city, state, contact_email, tax_id }: Named) => ({
  words: wordsOf(charity_name, city, state, contact_email, tax_id),
  member_words: wordsOf(charity_name, city, state),
  is_located: false,
});

/** `charity_donations`: who opened which charity's donation page. */
export interface CharityDonationRow {
  /** A hash of charity, user and day. */
  _id: string;
  charity_id: string;
  /** Null once the account is deleted. */
  user_id: string | null;
  amount_cents: number;
  donation_type: 'external_link';
  created_at: Date;
  is_counted: boolean;
}

/** `charity_emails`: emails that were sent to charities. Ids contain the cause and the charity's id. */
export interface CharityEmailRow extends Posting {
  charity_id: string;
}

/** The charities that everybody sees. */
export const SHOWN = { is_verified: true, is_active: true };

export const charities = (db: Db) => db.collection<CharityRow>('charities');
export const charityDonations = (db: Db) => db.collection<CharityDonationRow>('charity_donations');
export const charityEmails = (db: Db) => db.collection<CharityEmailRow>('charity_emails');

export const charityIndexes: Indexes = {
  charities: [
    ...(['name_key', 'donation_count', 'created_at'] as const).flatMap((field) => [
      { key: { is_verified: 1, is_active: 1, [field]: 1, _id: 1 } },
      { key: { [field]: 1, _id: 1 } },
    ]),
    { key: { is_verified: 1, created_at: 1, _id: 1 } },
    { key: { is_active: 1, created_at: 1, _id: 1 } },
    { key: { source: 1, created_at: 1, _id: 1 } },
    { key: { words: 1 } },
    { key: { member_words: 1 } },
    { key: { contact_email: 1 } },
    { key: { is_located: 1 } },
    { key: { place: '2dsphere' } },
    { key: { logo_key: 1 }, partialFilterExpression: { logo_key: { $type: 'string' } } },
    {
      key: { suggested_by_user_id: 1 },
      partialFilterExpression: { suggested_by_user_id: { $type: 'string' } },
    },
    {
      key: { total_donated_cents: 1 },
      partialFilterExpression: { total_donated_cents: { $gt: 0 } },
    },
    { key: { is_approval_notified: 1 }, partialFilterExpression: { is_approval_notified: false } },
    {
      key: { is_rejection_notified: 1 },
      partialFilterExpression: { is_rejection_notified: false },
    },
    { key: { 'rejection.at': 1 }, partialFilterExpression: { 'rejection.at': { $type: 'date' } } },
  ],
  charity_donations: [
    {
      name: 'of_somebody',
      key: { created_at: 1 },
      partialFilterExpression: { user_id: { $type: 'string' } },
    },
    { key: { charity_id: 1 } },
    { key: { created_at: 1 } },
    { key: { user_id: 1 } },
    { key: { is_counted: 1 }, partialFilterExpression: { is_counted: false } },
  ],
  charity_emails: [{ key: { charity_id: 1 } }, { key: { 'post.at': 1 }, sparse: true }],
};
