import {
  pick,
  writtenBeforeDeletion,
  type PersonalDataHandler,
} from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { referrals } from './collections.ts';
import { removeInvitationCodes } from './invitation-codes.ts';

/** Referrals by the user, and the user's address in referrals by others. */
export const referralData = ({ db, mailQueue }: Services): PersonalDataHandler => ({
  name: 'referrals',
  async export({ _id }) {
    const rows = await referrals(db).find({ referrer_user_id: _id }).sort({ sent_at: 1 }).toArray();
    return rows.map((row) =>
      pick(row, [
        'referral_method',
        'recipient_email',
        'recipient_phone',
        'message',
        'sent_at',
        'accessed_at',
      ]),
    );
  },
  async remove(user) {
    const { _id, email } = user;
    const mine = { referrer_user_id: _id };
    const ids = await referrals(db).distinct('_id', mine);
    await mailQueue.from('referrals').withdraw(ids);
    await referrals(db).deleteMany(mine);
    await removeInvitationCodes(db, _id);
    await referrals(db).updateMany(
      { recipient_email: email, sent_at: writtenBeforeDeletion(user) },
      { $set: { recipient_email: null } },
    );
  },
});
