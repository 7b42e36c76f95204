import type { ReferralMethod } from '#shared/referrals/contract.ts';
import type { Posting } from '../outbox/messages.ts';

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
  /** The use of an access code that made it a success; left out before. Unique. */
  use_id?: string;
}
