import type { Database } from '../database.ts';
import { whileTheirs, type Holding } from '../personal-data.ts';
import type { Posts } from '../outbox/outbox.ts';

/** Codes that one made, where others wrote one's address down, and which of theirs one used. */
export const heldInvitations = ({ searchInvitations }: Database, letters: Posts): Holding => ({
  name: 'search-invitations',
  async export({ _id }) {
    const rows = await searchInvitations
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
    const ids = await searchInvitations.distinct('_id', mine);
    await letters.withdraw(ids);
    await searchInvitations.deleteMany(mine);
    await searchInvitations.updateMany(
      { invited_email: email, created_at: whileTheirs(user) },
      { $set: { invited_email: null } },
    );
    await searchInvitations.updateMany(
      { used_by_user_id: _id },
      { $set: { used_by_user_id: null } },
    );
  },
});
