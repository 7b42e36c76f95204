import type { Db } from 'mongodb';
import type { SessionRow, UserRow } from '#shared/server/collections.ts';
import type { Indexes } from '../database.ts';

/**
 * `sandbox_sign_in_codes`: authorization codes of the sandbox sign-in, valid once, for a minute.
 */
export interface SandboxCodeRow {
  /** The code's hash. */
  _id: string;
  email: string;
  redirect_uri: string;
  code_challenge: string;
  nonce: string | null;
  expires_at: Date;
}

/** Before any sanction. */
const EVER = new Date(0);

export const users = (db: Db) => db.collection<UserRow>('users');
/** The filter for accounts that are not deleted. */
export const NOT_DELETED = { deleted_at: { $exists: false } };
/** The fields of an account from the first step of its deletion on: no one can sign in as this user. */
export const closedAccount = (_id: string) => ({
  deleted_at: new Date(),
  identity: `deleted ${_id}`,
  is_admin: false,
  access_expires_at: null,
});
/** Finds a user whose account is not deleted. */
export const findUser = (db: Db, _id: string) => users(db).findOne({ _id, ...NOT_DELETED });
export const sessions = (db: Db) => db.collection<SessionRow>('sessions');
export const sandboxCodes = (db: Db) => db.collection<SandboxCodeRow>('sandbox_sign_in_codes');

export const sessionIndexes: Indexes = {
  users: [
    { key: { identity: 1 }, unique: true },
    { key: { email: 1 } },
    { key: { created_at: -1, _id: -1 } },
    { key: { deleted_at: 1 }, sparse: true },
    { key: { documents_ready: 1 }, partialFilterExpression: { documents_ready: false } },
    // For reminders.
    { key: { access_expires_at: 1 } },
    { key: { is_admin: 1 }, partialFilterExpression: { is_admin: true } },
    // The statuses of the list of people, newest first.
    ...(['restricted_until', 'suspended_until'] as const).map((field) => ({
      name: field,
      key: { created_at: -1, _id: -1, [field]: 1 } as const,
      partialFilterExpression: { [field]: { $gt: EVER } },
    })),
  ],
  sessions: [{ key: { user_id: 1 } }, { key: { expires_at: 1 } }],
  sandbox_sign_in_codes: [{ key: { expires_at: 1 } }],
};
