// Local storage keys that several modules use.

/** The signed-in user. */
export const CURRENT_USER = 'current_user';
/** Whether this browser has passed the access gate. */
export const ACCESS_VERIFIED = 'access_verified';
/** Summaries of unsent changes of ended sessions. */
export const UNSENT_CHANGES = 'unsent_changes';
/** A user's cached list of conversations. */
export const CONVERSATIONS = 'conversations';

/** Prefix of a user's cache entries. */
export const prefixOf = (userId: string): string => `cache-${userId}-`;
