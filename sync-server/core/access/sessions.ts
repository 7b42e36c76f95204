import type { Document } from 'mongodb';
import { batchCalls } from '#shared/server/batches.ts';
import { mayPass, tokenHash, type SessionRow, type UserRow } from '#shared/server/collections.ts';
import { cookieName } from '#shared/server/cookie-names.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { isWithinLifetime, lastsUntil } from '#shared/session/rules.ts';
import type { Database } from '../database.ts';
import type {
  DocumentPermissions,
  ListedDocuments,
  PermissionSnapshot,
} from './document-permissions.ts';

export interface ActiveSession {
  sessionId: string;
  userId: string;
  /** Until when it lasts if neither it nor its user changes. */
  lastsUntil: Date;
}

interface SessionWithUser extends Pick<
  SessionRow,
  '_id' | 'user_id' | 'created_at' | 'expires_at'
> {
  user: Pick<
    UserRow,
    '_id' | 'is_admin' | 'access_expires_at' | 'restricted_until' | 'suspended_until'
  >[];
}

/** A session, and the documents that its user may read. */
interface ConnectingSession {
  session: ActiveSession;
  snapshot: PermissionSnapshot;
}

/** The shortest time between two reads. */
const GATHER_MS = 5;
/** Sessions of one command: those with few documents don't wait for all others. */
const CONNECTING_AT_ONCE = 100;

export type SessionRefusal = 'signed_out' | 'no_access';

/**
 * Returns how to read the session of an upgrade request's cookie, or why it is refused, and what its device asks about at once: the
 * permissions for all documents. Of many devices that connect at once, together.
 * @param publicOrigin decides the cookie's name
 */
export function createSessionResolver(
  database: Pick<Database, 'documents' | 'sessions' | 'users'>,
  permissions: DocumentPermissions,
  publicOrigin: string,
): (cookieHeader: string) => Promise<ConnectingSession | SessionRefusal> {
  const { documents } = database;
  const read = batchCalls(
    async (ids: string[]) => {
      const now = new Date();
      const all = new Map<string, ConnectingSession | SessionRefusal>();
      const snapshotOf = permissions.snapshotsFrom();
      const readSome = async (some: string[]) => {
        const stages = [...stagesOf(database, some, now), ...permissions.lookups];
        const { readConcern } = documents;
        const found = await database.sessions
          .aggregate<SessionWithUser & ListedDocuments>(stages, readConcern ? { readConcern } : {})
          .toArray();
        for (const row of found) {
          const [user] = row.user;
          const session = resolved(row, user, now);
          if (typeof session === 'string') all.set(row._id, session);
          else if (user) all.set(row._id, { session, snapshot: snapshotOf(user, row) });
        }
      };
      const parts = Array.from({ length: Math.ceil(ids.length / CONNECTING_AT_ONCE) }, (_, i) =>
        ids.slice(i * CONNECTING_AT_ONCE, (i + 1) * CONNECTING_AT_ONCE),
      );
      await Promise.all(parts.map(readSome));
      return all;
    },
    { pauseMs: GATHER_MS, holdsUpMs: 0, isWholeTurn: true },
  );
  return async (cookieHeader) => {
    const token = cookieValue(cookieHeader, cookieName(publicOrigin, SESSION_COOKIE));
    if (!token) return 'signed_out';
    const id = tokenHash(token);
    return (await read(id)).get(id) ?? 'signed_out';
  };
}

/** Returns the current state of these sessions, without those that ended. */
export async function resolveSessions(
  database: Pick<Database, 'sessions' | 'users'>,
  sessionIds: string[],
): Promise<Map<string, ActiveSession | SessionRefusal>> {
  const now = new Date();
  const found = await database.sessions
    .aggregate<SessionWithUser>(stagesOf(database, sessionIds, now))
    .toArray();
  return new Map(found.map((row) => [row._id, resolved(row, row.user[0], now)]));
}

const stagesOf = (
  { users }: Pick<Database, 'users'>,
  sessionIds: string[],
  now: Date,
): Document[] => [
  { $match: { _id: { $in: sessionIds }, revoked_at: null, expires_at: { $gt: now } } },
  { $project: { user_id: 1, created_at: 1, expires_at: 1 } },
  {
    $lookup: {
      from: users.collectionName,
      localField: 'user_id',
      foreignField: '_id',
      pipeline: [
        {
          $project: { is_admin: 1, access_expires_at: 1, restricted_until: 1, suspended_until: 1 },
        },
      ],
      as: 'user',
    },
  },
];

function resolved(
  session: Omit<SessionWithUser, 'user'>,
  user: SessionWithUser['user'][number] | undefined,
  now: Date,
): ActiveSession | SessionRefusal {
  if (!user || !isWithinLifetime(session, user, now)) return 'signed_out';
  if (!mayPass(user, now)) return 'no_access';
  return {
    sessionId: session._id,
    userId: session.user_id,
    lastsUntil: lastsUntil(session, user),
  };
}

function cookieValue(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
