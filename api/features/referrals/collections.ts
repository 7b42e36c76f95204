import type { Db } from 'mongodb';
import type { ReferralMethod } from '#shared/referrals/contract.ts';
import type { Indexes } from '../../platform/database.ts';
import type { Posting } from '../../platform/mail-queue/messages.ts';

/** `referrals`. */
export interface ReferralRow extends Posting {
  referrer_user_id: string;
  referrer_name: string;
  referral_method: ReferralMethod;
  recipient_email: string | null;
  /** In E.164. */
  recipient_phone: string | null;
  message: string | null;
  sent_at: Date;
  access_code_used: string | null;
  accessed_at: Date | null;
  /** The access code use that made it successful; absent before. Unique. */
  use_id?: string;
}

export const referrals = (db: Db) => db.collection<ReferralRow>('referrals');

export const referralIndexes: Indexes = {
  referrals: [
    { key: { referrer_user_id: 1, sent_at: -1 } },
    // Each access counts once.
    { key: { use_id: 1 }, unique: true, partialFilterExpression: { use_id: { $type: 'string' } } },
    { key: { recipient_email: 1 } },
    {
      name: 'to_email',
      key: { accessed_at: 1, sent_at: 1 },
      partialFilterExpression: { recipient_email: { $gt: '' } },
    },
    {
      name: 'to_phone',
      key: { accessed_at: 1, sent_at: 1 },
      partialFilterExpression: { recipient_phone: { $gt: '' } },
    },
    { key: { 'post.at': 1 }, sparse: true },
  ],
};

/** `invitation_policies`: one row, stored when an admin first opens it. */
export interface InvitationPolicyRow {
  _id: string;
  codes_per_month: number;
  /** How often an admin edited it; unset before the first edit. */
  version?: number;
}

export const POLICY_ID = 'invitations';
export const invitationPolicies = (db: Db) =>
  db.collection<InvitationPolicyRow>('invitation_policies');
