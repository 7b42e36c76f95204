import type { Filter, Db } from 'mongodb';
import { DAY_MS } from '#shared/time.ts';
import { clearDue } from '../../platform/retention.ts';
import { type ReferralRow, referrals } from './collections.ts';

const UNANSWERED_DAYS = 90;

/** Clears recipient and message of referrals that were successful or are 90 days old. The referral itself stays. */
export async function clearRecipients(db: Db): Promise<void> {
  const unanswered: Filter<ReferralRow> = {
    accessed_at: null,
    sent_at: { $lt: new Date(Date.now() - UNANSWERED_DAYS * DAY_MS) },
  };
  const answered: Filter<ReferralRow> = { accessed_at: { $type: 'date' } };
  for (const field of ['recipient_email', 'recipient_phone'] as const)
    for (const due of [unanswered, answered])
      await clearDue(
        referrals(db),
        { ...due, [field]: { $gt: '' } },
        { $set: { recipient_email: null, recipient_phone: null, message: null } },
      );
}
