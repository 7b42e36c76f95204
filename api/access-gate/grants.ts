import { randomBytes } from 'node:crypto';
import { ACCESS_DAYS } from '#shared/access-gate/contract.ts';
import { sessionId } from '#shared/rows.ts';
import type { Services } from '../services.ts';
import type { AccessGrantRow } from './rows.ts';

export const ACCESS_SECONDS = ACCESS_DAYS * 24 * 60 * 60;

/** When access that begins now ends. */
export const accessEnd = (): Date => new Date(Date.now() + ACCESS_SECONDS * 1000);

/** Gives a user access until then, on every server at once; never takes any away. */
export async function grantToUser(
  { database, signals }: Services,
  userId: string,
  until: Date,
): Promise<void> {
  await database.users.updateOne({ _id: userId }, { $max: { access_expires_at: until } });
  await signals.send('user', userId);
}

/**
 * Gives access to a visitor who has not signed in.
 * @returns the secret for the cookie
 */
export async function grantToVisitor(
  { database }: Services,
  grant: Pick<AccessGrantRow, 'use_id' | 'access_code_id' | 'expires_at'>,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await database.accessGrants.insertOne({ _id: sessionId(token), ...grant, user_id: null });
  return token;
}

/** The running grant behind a visitor's cookie that nobody signed in with. */
export async function grantOf({ database }: Services, token: string | undefined) {
  if (!token) return null;
  return database.accessGrants.findOne({
    _id: sessionId(token),
    user_id: null,
    expires_at: { $gt: new Date() },
  });
}

/** Ties a visitor's grant to whom signs in; it works once. */
export async function tieGrant(
  services: Services,
  token: string | undefined,
  userId: string,
): Promise<void> {
  const known = await grantOf(services, token);
  if (!known) return;
  const { accessGrants, accessCodeUses } = services.database;
  const grant = await accessGrants.findOneAndUpdate(
    { _id: known._id, user_id: null },
    { $set: { user_id: userId } },
  );
  if (!grant) return;
  await accessCodeUses.updateOne({ _id: grant.use_id }, { $set: { user_id: userId } });
  await grantToUser(services, userId, grant.expires_at);
}
