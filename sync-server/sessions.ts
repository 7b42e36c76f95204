import { SESSION_COOKIE } from '#shared/session/contract.ts';
import { mayPass, tokenHash, type SessionRow, type UserRow } from '#shared/collections.ts';
import { isWithinLifetime } from '#shared/session/rules.ts';
import type { Database } from './database.ts';

export interface Standing {
  sessionId: string;
  userId: string;
}

interface Live extends Pick<SessionRow, '_id' | 'user_id' | 'created_at' | 'expires_at'> {
  user: Pick<UserRow, '_id' | 'is_admin' | 'access_expires_at' | 'suspended_until'>[];
}

export type Refused = 'signed_out' | 'no_access';

/** Whose socket it is, by the session cookie of its upgrade; or why it may not be. */
export async function standingOf(
  database: Pick<Database, 'sessions' | 'users'>,
  cookieHeader: string | undefined,
): Promise<Standing | Refused> {
  const token = cookieValue(cookieHeader ?? '', SESSION_COOKIE);
  if (!token) return 'signed_out';
  const id = tokenHash(token);
  const standings = await standingsOf(database, [id]);
  return standings.get(id) ?? 'signed_out';
}

/** What these sessions are worth now. Those that ended are left out. */
export async function standingsOf(
  { sessions, users }: Pick<Database, 'sessions' | 'users'>,
  sessionIds: string[],
): Promise<Map<string, Standing | Refused>> {
  const now = new Date();
  const live = await sessions
    .aggregate<Live>([
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
    live.map(({ user: [user], ...session }) => [session._id, worthOf(session, user, now)]),
  );
}

function worthOf(
  session: Omit<Live, 'user'>,
  user: Live['user'][number] | undefined,
  now: Date,
): Standing | Refused {
  if (!user || !isWithinLifetime(session, user, now)) return 'signed_out';
  return mayPass(user, now) ? { sessionId: session._id, userId: session.user_id } : 'no_access';
}

function cookieValue(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
