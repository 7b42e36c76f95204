import type { SessionRow, UserRow } from '../server/collections.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time.ts';

/** A session ends this long after it was last used. */
const SESSION_DAYS = 30;
/** A session ends this long after the sign-in, however often it is used. */
export const SESSION_MAX_DAYS = 90;
/** As `SESSION_MAX_DAYS`, for admins. */
const ADMIN_SESSION_HOURS = 12;
/** How long after a sign-in a person may make calls that are marked as `requiresRecentSignIn`. */
export const RECENT_SIGN_IN_MINUTES = 15;
/** The last use of a session is stored and shown in steps of this many hours. */
export const LAST_USE_HOURS = 1;

type Times = Pick<SessionRow, 'created_at' | 'expires_at'>;
type Role = Pick<UserRow, 'is_admin'>;

/** The longest duration of a session, however often it is used, in milliseconds. Decision 245. */
export const sessionMaxMs = ({ is_admin }: Role): number =>
  is_admin ? ADMIN_SESSION_HOURS * HOUR_MS : SESSION_MAX_DAYS * DAY_MS;

/** Returns when a session that is used at `now` ends unless it is used again. */
export function sessionExpiry(createdAt: Date, user: Role, now: Date): Date {
  const unused = now.getTime() + SESSION_DAYS * DAY_MS;
  return new Date(Math.min(unused, createdAt.getTime() + sessionMaxMs(user)));
}

/**
 * Whether a session has not expired. The absolute limit depends on the user's current role, because a user may become
 * an admin after they signed in.
 */
export const isWithinLifetime = (session: Times, user: Role, now: Date): boolean =>
  session.expires_at > now && session.created_at.getTime() + sessionMaxMs(user) > now.getTime();

/** Until when a session and the access of its user last if neither changes. */
export const lastsUntil = (
  session: Times,
  user: Role & Pick<UserRow, 'access_expires_at'>,
): Date => {
  const ends = [session.expires_at.getTime(), session.created_at.getTime() + sessionMaxMs(user)];
  if (!user.is_admin && user.access_expires_at) ends.push(user.access_expires_at.getTime());
  return new Date(Math.min(...ends));
};

/** As `isWithinLifetime`, and not ended, as a filter for MongoDB. */
export const liveSessions = (user: Role, now: Date) => ({
  revoked_at: null,
  expires_at: { $gt: now },
  created_at: { $gt: new Date(now.getTime() - sessionMaxMs(user)) },
});

/** Whether the user signed in recently enough for calls with `requiresRecentSignIn`. Each sign-in creates a session. */
export const isRecentSignIn = (
  { created_at }: Pick<SessionRow, 'created_at'>,
  now: Date,
): boolean => now.getTime() - created_at.getTime() <= RECENT_SIGN_IN_MINUTES * MINUTE_MS;
