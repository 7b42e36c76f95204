import type { Context } from 'koa';
import { ACCESS_COOKIE } from '#shared/access-gate/contract.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { readCookie } from '../../platform/http/cookies.ts';
import type { Services } from '../../platform/services.ts';
import type { Caller } from '../../platform/session-cache.ts';
import { users } from '../../platform/session/collections.ts';
import { accessCodes, accessCodeUses } from '../access-gate/collections.ts';
import { grantOf } from '../access-gate/grants.ts';
import { referrals } from './collections.ts';

/** The use of an access code. */
interface Access {
  use_id: string;
  /** Null before sign-in. */
  user: { _id: string; email: string | null } | null;
}

/** The visitor's use of this code; null when there is none, or it was not the visitor's first code. */
export async function accessBy(
  services: Services,
  code: string,
  visitor: Caller | null,
  ctx: Context,
): Promise<Access | null> {
  const known = await accessCodes(services.db).findOne(
    { code },
    { projection: { inviter_user_id: 1 } },
  );
  // The use of an invitation's code is counted by the server: see count-invited.ts.
  if (!known || known.inviter_user_id) return null;
  if (!visitor) {
    const grant = await grantOf(services, readCookie(ctx, ACCESS_COOKIE));
    return grant?.access_code_id === known._id ? { use_id: grant.use_id, user: null } : null;
  }
  const { _id, email, email_verified } = visitor.user;
  const first = await accessCodeUses(services.db).findOne(
    { user_id: _id },
    { sort: { used_at: 1 } },
  );
  return first?.access_code_id === known._id
    ? { use_id: first._id, user: { _id, email: email_verified ? email : null } }
    : null;
}

/** Counts an access once for the user or referral with the id `ref`. Ignores unknown ids and the visitor's own. */
export async function countAccess(
  { db }: Services,
  ref: string,
  code: string,
  { use_id, user }: Access,
  idFor: (holder: string) => Promise<string>,
): Promise<void> {
  const followed = await referrals(db).findOne({ _id: ref });
  const referrerId = followed?.referrer_user_id ?? ref;
  const referrer = await users(db).findOne({ _id: referrerId }, { projection: { given_name: 1 } });
  if (!referrer || referrerId === user?._id) return;
  const reached = { access_code_used: code, accessed_at: new Date(), use_id };
  const open = { referrer_user_id: referrerId, accessed_at: null };
  // The followed referral, else one to this address, else an unused one by link.
  const candidates = [
    ...(followed ? [{ ...open, _id: ref }] : []),
    ...(user?.email ? [{ ...open, recipient_email: user.email }] : []),
    { ...open, referral_method: 'link' as const },
  ];
  try {
    for (const candidate of candidates) {
      const updated = await referrals(db).updateOne(candidate, { $set: reached });
      if (updated.matchedCount > 0) return;
    }
    await referrals(db).insertOne({
      _id: await idFor(use_id),
      referrer_user_id: referrerId,
      referrer_name: followed?.referrer_name ?? referrer.given_name,
      referral_method: 'link',
      recipient_email: null,
      recipient_phone: null,
      message: null,
      sent_at: reached.accessed_at,
      ...reached,
    });
  } catch (error) {
    // This access was counted before.
    if (!isDuplicate(error)) throw error;
  }
}
