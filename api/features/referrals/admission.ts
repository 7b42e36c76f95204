import type { Db } from 'mongodb';
import type { UserRow } from '#shared/server/collections.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { referrals } from './collections.ts';
import { invitationCodes } from './invitation-codes.ts';

/**
 * Has an invitation let somebody new in: gives it an access code, and a referral that counts who came. May be repeated.
 * @param invitation `id` becomes that of the referral, and `ref` in the link
 * @returns whether it admits; not when the inviter has no code left this month
 */
export async function addAdmission(
  db: Db,
  inviter: Pick<UserRow, '_id' | 'email'>,
  invitation: { id: string; inviterName: string; isEmailed: boolean; expiresAt: Date },
): Promise<boolean> {
  const { id: _id, inviterName, isEmailed, expiresAt } = invitation;
  const of = { _id, referrer_user_id: inviter._id };
  if (!(await invitationCodes(db).make(of, inviter.email, expiresAt))) return false;
  await insertIfAbsent(referrals(db), {
    ...of,
    referrer_name: inviterName,
    referral_method: isEmailed ? 'email' : 'link',
    // The invitation has the address.
    recipient_email: null,
    recipient_phone: null,
    message: null,
    sent_at: new Date(),
    access_code_used: null,
    accessed_at: null,
  });
  return true;
}

/** Ends what `addAdmission` added, unless somebody came. May be repeated. */
export async function endAdmission(db: Db, id: string): Promise<void> {
  // Somebody may have used the code, whose sign-in counts them later.
  if (await invitationCodes(db).end(id))
    await referrals(db).deleteOne({ _id: id, accessed_at: null });
}
