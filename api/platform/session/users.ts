import type { Db } from 'mongodb';
import { newId } from '#shared/ids.ts';
import { isReservedName } from '#shared/profile/reserved-names.ts';
import { NEUTRAL_NAME } from '#shared/profile/shown-names.ts';
import { hasAccess, tokenHash, type SessionRow, type UserRow } from '#shared/server/collections.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import type { CurrentUser } from '#shared/session/contract.ts';
import { sessionExpiry } from '#shared/session/rules.ts';
import type { Env } from '../env.ts';
import { randomToken } from '../random-token.ts';
import { newDocumentId } from '../sync-server-client.ts';
import { users, sessions } from './collections.ts';
import type { Identity } from './identity.ts';

/** Only verified addresses make an admin. */
const isAdmin = (identity: Identity, adminEmails: string[]): boolean =>
  identity.email_verified && adminEmails.includes(identity.email);

/**
 * Finds or creates the user by issuer and subject, and updates the provider’s data. Others see the given name until there is a display
 * name, so it is none of staff or of the product either (decision 132).
 */
export async function userOf(
  db: Db,
  identity: Identity,
  { adminEmails, PRODUCT_NAME }: Pick<Env, 'adminEmails' | 'PRODUCT_NAME'>,
): Promise<{ user: UserRow; isNew: boolean }> {
  const { issuer, subject, ...profile } = identity;
  const filter = { identity: `${issuer} ${subject}` };
  const upsert = async () => {
    const isMadeAdmin = await users(db).findOne({ ...filter, is_made_admin: true });
    const is_admin = isMadeAdmin !== null || isAdmin(identity, adminEmails);
    const given_name =
      !is_admin && isReservedName(profile.given_name, PRODUCT_NAME)
        ? NEUTRAL_NAME
        : profile.given_name;
    const { value: user, lastErrorObject } = await users(db).findOneAndUpdate(
      filter,
      {
        $set: { ...profile, given_name, is_admin },
        $setOnInsert: {
          _id: newId(),
          access_expires_at: null,
          documents: { card: newDocumentId(), account: newDocumentId(), contacts: newDocumentId() },
          documents_ready: false,
          created_at: new Date(),
        },
      },
      { upsert: true, returnDocument: 'after', includeResultMetadata: true },
    );
    if (!user) throw new Error('the upsert returned no user');
    return { user, isNew: lastErrorObject?.['updatedExisting'] === false };
  };
  try {
    return await upsert();
  } catch (error) {
    // Two first sign-ins at once: the other one created the row.
    if (!isDuplicate(error)) throw error;
    return upsert();
  }
}

const BATCH = 1_000;

/**
 * At each start: updates `is_admin` from ADMIN_EMAILS and `is_made_admin`, and ends sessions of other providers, so that sandbox sessions
 * end when Google sign-in is enabled.
 * Reads only the admins and the users of other providers.
 */
export async function alignUsers(db: Db, issuer: string, adminEmails: string[]): Promise<void> {
  const endSessionsOf = (ids: string[]) =>
    sessions(db).updateMany(
      { user_id: { $in: ids }, revoked_at: null },
      { $set: { revoked_at: new Date() } },
    );
  // Everything that starts with the issuer and a space: '!' is what follows a space.
  const [first, after] = [`${issuer} `, `${issuer}!`];
  const strangers = users(db)
    .find(
      { $or: [{ identity: { $lt: first } }, { identity: { $gte: after } }] },
      { projection: { _id: 1 } },
    )
    .batchSize(BATCH);
  let batch: string[] = [];
  for await (const { _id } of strangers) {
    if (batch.push(_id) < BATCH) continue;
    await endSessionsOf(batch);
    batch = [];
  }
  if (batch.length > 0) await endSessionsOf(batch);
  const own = { identity: { $gte: first, $lt: after } };
  const admins = { email: { $in: adminEmails }, email_verified: true, ...own };
  const made = { is_made_admin: true as const, ...own };
  await users(db).updateMany(
    { is_admin: true, $nor: [admins, made] },
    { $set: { is_admin: false } },
  );
  await users(db).updateMany({ is_admin: false, ...admins }, { $set: { is_admin: true } });
}

/**
 * Creates a session.
 * @returns the secret for the cookie; only its hash is stored
 */
export async function openSession(
  db: Db,
  user: Pick<UserRow, '_id' | 'is_admin'>,
  device: string,
): Promise<string> {
  const token = randomToken(32);
  const now = new Date();
  const row: SessionRow = {
    _id: tokenHash(token),
    user_id: user._id,
    created_at: now,
    last_used_at: now,
    expires_at: sessionExpiry(now, user, now),
    revoked_at: null,
    device,
  };
  await sessions(db).insertOne(row);
  return token;
}

/** Returns the current user for themselves: only they see their document URLs. */
export function presentUser(user: UserRow): CurrentUser {
  const url = (id: string) => `automerge:${id}`;
  return {
    id: user._id,
    email: user.email,
    given_name: user.given_name,
    name: user.name,
    picture: user.picture,
    is_admin: user.is_admin,
    access_expires_at: user.access_expires_at?.toISOString() ?? null,
    has_access: hasAccess(user, new Date()),
    documents: {
      card: url(user.documents.card),
      account: url(user.documents.account),
      contacts: url(user.documents.contacts),
    },
    former_documents: {
      card: (user.former_documents?.card ?? []).map(url),
      account: (user.former_documents?.account ?? []).map(url),
      contacts: (user.former_documents?.contacts ?? []).map(url),
    },
  };
}
