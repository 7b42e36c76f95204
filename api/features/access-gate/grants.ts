import { tokenHash } from '#shared/server/collections.ts';
import type { Services } from '../../platform/services.ts';
import { type AccessGrantRow, accessCodes, accessGrants, accessCodeUses } from './collections.ts';
import { admitsInvited, returnUse } from './invited.ts';
import { measureAccess } from './measure-access.ts';
import { isRevoked, takeBackUses } from './revoke.ts';

/** Gives access to the holder of a secret. */
export async function grantToVisitor(
  { db }: Pick<Services, 'db'>,
  token: string,
  grant: Pick<AccessGrantRow, 'use_id' | 'access_code_id' | 'expires_at'>,
): Promise<void> {
  await accessGrants(db).insertOne({ _id: tokenHash(token), ...grant, user_id: null });
}

const running = (token: string) => ({ _id: tokenHash(token), expires_at: { $gt: new Date() } });

/** Returns the unused grant of a visitor’s cookie. */
export async function grantOf({ db }: Services, token: string | undefined) {
  return token ? accessGrants(db).findOne({ ...running(token), user_id: null }) : null;
}

/**
 * Assigns a visitor’s grant to the user who signs in. It works for one user, and again for the same user after a crash.
 */
export async function tieGrant(
  services: Pick<Services, 'db' | 'signals'>,
  token: string | undefined,
  userId: string,
): Promise<void> {
  if (!token) return;
  const grant = await accessGrants(services.db).findOneAndUpdate(
    { ...running(token), user_id: { $in: [null, userId] } },
    { $set: { user_id: userId } },
  );
  if (!grant) return;
  const { use_id, access_code_id } = grant;
  const code = await accessCodes(services.db).findOne({ _id: access_code_id });
  if (code && !(await admitsInvited(services, code, userId))) {
    await accessGrants(services.db).deleteOne({ _id: grant._id });
    await returnUse(services, access_code_id, use_id);
    return;
  }
  // A use has one user, even with several grants.
  const { matchedCount } = await accessCodeUses(services.db).updateOne(
    { _id: use_id, user_id: { $in: [null, userId] } },
    { $set: { user_id: userId } },
  );
  if (matchedCount === 0) return;
  await measureAccess(services, userId);
  // A concurrent revocation may not have seen this user.
  if (await isRevoked(services, access_code_id)) await takeBackUses(services, access_code_id);
}
