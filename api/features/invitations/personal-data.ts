import { writtenBeforeDeletion, type PersonalDataHandler } from '../../platform/personal-data.ts';
import type { Services } from '../../platform/services.ts';
import { searchInvitations } from './collections.ts';

/** Search invitations that the user created, received by email, or redeemed. */
export const invitationData = ({ db, mailQueue }: Services): PersonalDataHandler => ({
  name: 'search-invitations',
  async export({ _id }) {
    const rows = await searchInvitations(db)
      .find({ inviter_user_id: _id })
      .sort({ created_at: 1 })
      .toArray();
    return rows.map(({ invited_email, code, used_at, expires_at, created_at }) => ({
      invited_email,
      invitation_code: code,
      used_at,
      expires_at,
      created_at,
    }));
  },
  async remove(user) {
    const { _id, email } = user;
    const mine = { inviter_user_id: _id };
    const ids = await searchInvitations(db).distinct('_id', mine);
    await mailQueue.from('search_invitations').withdraw(ids);
    await searchInvitations(db).deleteMany(mine);
    await searchInvitations(db).updateMany(
      { invited_email: email, created_at: writtenBeforeDeletion(user) },
      { $set: { invited_email: null } },
    );
    await searchInvitations(db).updateMany(
      { used_by_user_id: _id },
      { $set: { used_by_user_id: null } },
    );
  },
});
