// Local storage keys that several modules use.

/** The signed-in user. */
export const CURRENT_USER = 'current_user';
/** Whether a logout hasn't reached the server yet. */
export const LOGOUT_PENDING = 'logout_pending';
/** The users whose local data still has to be removed. */
export const REMOVALS_PENDING = 'removals_pending';
/** Sessions that ended other than by logout, whose local data still has to be removed. */
export const ENDED_SESSIONS = 'ended_sessions';
/** Whether this browser has passed the access gate. */
export const ACCESS_VERIFIED = 'access_verified';
/** Summaries of unsent changes of ended sessions. */
export const UNSENT_CHANGES = 'unsent_changes';
/** A user's cached list of conversations. */
export const CONVERSATIONS = 'conversations';

/** Prefix of a user's cache entries. */
export const prefixOf = (userId: string): string => `cache-${userId}-`;
