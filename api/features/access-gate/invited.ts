import { isRestricted, isSuspended } from '#shared/server/collections.ts';
import type { Services } from '../../platform/services.ts';
import { findUser, users } from '../../platform/session/collections.ts';
import { type AccessCodeRow, accessCodes, accessCodeUses } from './collections.ts';

type InvitationCode = Pick<AccessCodeRow, '_id' | 'inviter_user_id'>;

/**
 * Whether the code of an invitation admits this person: the inviter is a member without a sanction, and the person is new.
 * Otherwise two accounts could renew each other's access forever. Other codes admit everyone.
 * @param userId null: not signed in yet; asked again at the sign-in
 */
export async function admitsInvited(
  { db }: Pick<Services, 'db'>,
  { _id, inviter_user_id }: InvitationCode,
  userId: string | null,
): Promise<boolean> {
  if (!inviter_user_id) return true;
  if (inviter_user_id === userId) return false;
  const inviter = await findUser(db, inviter_user_id);
  const now = new Date();
  if (!inviter || isRestricted(inviter, now) || isSuspended(inviter, now)) return false;
  if (userId === null) return true;
  const earlier = await accessCodeUses(db).findOne({
    user_id: userId,
    access_code_id: { $ne: _id },
  });
  return earlier === null && !(await users(db).findOne({ _id: userId, is_admin: true }));
}

/** Gives back an invitation's use by someone whom it doesn't admit, so that someone else can use it. May be repeated. */
export async function returnUse(
  { db }: Pick<Services, 'db'>,
  codeId: string,
  useId: string,
): Promise<void> {
  const { deletedCount } = await accessCodeUses(db).deleteOne({ _id: useId });
  if (deletedCount > 0)
    await accessCodes(db).updateOne(
      { _id: codeId, current_uses: { $gt: 0 } },
      { $inc: { current_uses: -1 }, $pull: { reservations: { use_id: useId } } },
    );
}
