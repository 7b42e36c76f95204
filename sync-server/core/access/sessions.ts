import { batchCalls } from '#shared/server/batches.ts';
import { mayPass, tokenHash, type SessionRow, type UserRow } from '#shared/server/collections.ts';
import { cookieName } from '#shared/server/cookie-names.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { isWithinLifetime, lastsUntil } from '#shared/session/rules.ts';
import type { Database } from '../database.ts';

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
  user: Pick<UserRow, '_id' | 'is_admin' | 'access_expires_at' | 'suspended_until'>[];
}

/** The shortest time between two reads. */
const GATHER_MS = 5;

export type SessionRefusal = 'signed_out' | 'no_access';

/**
 * Returns how to read the session of an upgrade request's cookie, or why it is refused: of many devices that connect at once, together.
 * @param publicOrigin decides the cookie's name
 */
export function createSessionResolver(
  database: Pick<Database, 'sessions' | 'users'>,
  publicOrigin: string,
): (cookieHeader: string) => Promise<ActiveSession | SessionRefusal> {
  const read = batchCalls((ids: string[]) => resolveSessions(database, ids), {
    pauseMs: GATHER_MS,
    isOrdered: false,
  });
  return async (cookieHeader) => {
    const token = cookieValue(cookieHeader, cookieName(publicOrigin, SESSION_COOKIE));
    if (!token) return 'signed_out';
    const id = tokenHash(token);
    return (await read(id)).get(id) ?? 'signed_out';
  };
}

/** Returns the current state of these sessions, without those that ended. */
export async function resolveSessions(
  { sessions, users }: Pick<Database, 'sessions' | 'users'>,
  sessionIds: string[],
): Promise<Map<string, ActiveSession | SessionRefusal>> {
  const now = new Date();
  const found = await sessions
    .aggregate<SessionWithUser>([
      { $match: { _id: { $in: sessionIds }, revoked_at: null, expires_at: { $gt: now } } },
      {
        $lookup: {
          from: users.collectionName,
          localField: 'user_id',
          foreignField: '_id',
          pipeline: [{ $project: { is_admin: 1, access_expires_at: 1, suspended_until: 1 } }],
          as: 'user',
        },
      },
      { $project: { user_id: 1, created_at: 1, expires_at: 1, user: 1 } },
    ])
    .toArray();
  return new Map(
    found.map(({ user: [user], ...session }) => [session._id, resolved(session, user, now)]),
  );
}

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
