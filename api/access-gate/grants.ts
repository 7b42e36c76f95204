import { users } from '../session/collections.ts';
import { randomBytes } from 'node:crypto';
import { tokenHash } from '#shared/server/collections.ts';
import type { Services } from '../services.ts';
import { isRevoked, takeBackUses } from './revoke.ts';
import { type AccessGrantRow, accessGrants, accessCodeUses } from './collections.ts';

/** Gives a user access until then, on every server at once; never takes any away. */
export async function grantToUser(
  { db, signals }: Pick<Services, 'db' | 'signals'>,
  userId: string,
  until: Date,
): Promise<void> {
  await users(db).updateOne({ _id: userId }, { $max: { access_expires_at: until } });
  await signals.send('user', userId);
}

/** The secret of a grant for somebody who has not signed in; the cookie carries it. */
export const newGrantToken = (): string => randomBytes(32).toString('base64url');

/** Gives access to whoever holds the secret. */
export async function grantToVisitor(
  { db }: Pick<Services, 'db'>,
  token: string,
  grant: Pick<AccessGrantRow, 'use_id' | 'access_code_id' | 'expires_at'>,
): Promise<void> {
  await accessGrants(db).insertOne({ _id: tokenHash(token), ...grant, user_id: null });
}

const running = (token: string) => ({ _id: tokenHash(token), expires_at: { $gt: new Date() } });

/** The running grant behind a visitor's cookie that nobody signed in with. */
export async function grantOf({ db }: Services, token: string | undefined) {
  return token ? accessGrants(db).findOne({ ...running(token), user_id: null }) : null;
}

/** Ties a visitor's grant to whom signs in. It works for one user, and again for the same one after a crash. */
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
  // A use has one user, however many grants it came with.
  const { matchedCount } = await accessCodeUses(services.db).updateOne(
    { _id: grant.use_id, user_id: { $in: [null, userId] } },
    { $set: { user_id: userId } },
  );
  if (matchedCount === 0) return;
  await grantToUser(services, userId, grant.expires_at);
  // Whoever took it back meanwhile may not have seen that it is theirs now.
  if (await isRevoked(services, grant.access_code_id))
    await takeBackUses(services, grant.access_code_id);
}
