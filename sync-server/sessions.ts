import { SESSION_COOKIE } from '#shared/session/contract.ts';
import { mayPass, sessionId } from '#shared/rows.ts';
import type { Database } from './database.ts';

export interface Standing {
  sessionId: string;
  userId: string;
}

export type Refused = 'signed_out' | 'no_access';

/**
 * Whose socket it is, by the session cookie of its upgrade; or why it may not be.
 * @param onUser told whose session it is, before it is known whether they may pass
 */
export async function standingOf(
  database: Pick<Database, 'sessions' | 'users'>,
  cookieHeader: string | undefined,
  onUser: (userId: string) => void,
): Promise<Standing | Refused> {
  const token = cookieValue(cookieHeader ?? '', SESSION_COOKIE);
  if (!token) return 'signed_out';
  const id = sessionId(token);
  const standings = await standingsOf(database, [id], onUser);
  return standings.get(id) ?? 'signed_out';
}

/** What these sessions are worth now. Those that ended are left out. */
export async function standingsOf(
  { sessions, users }: Pick<Database, 'sessions' | 'users'>,
  sessionIds: string[],
  onUser?: (userId: string) => void,
): Promise<Map<string, Standing | Refused>> {
  const now = new Date();
  const live = await sessions
    .find(
      { _id: { $in: sessionIds }, revoked_at: null, expires_at: { $gt: now } },
      { projection: { user_id: 1 } },
    )
    .toArray();
  for (const { user_id } of live) onUser?.(user_id);
  const owners = await users
    .find(
      { _id: { $in: live.map((row) => row.user_id) } },
      { projection: { is_admin: 1, access_expires_at: 1, suspended_until: 1 } },
    )
    .toArray();
  const passing = new Set(owners.filter((user) => mayPass(user, now)).map((user) => user._id));
  return new Map(
    live.map(({ _id, user_id }) => [
      _id,
      passing.has(user_id) ? { sessionId: _id, userId: user_id } : ('no_access' as const),
    ]),
  );
}

function cookieValue(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return null;
}
