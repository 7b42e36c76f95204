// Keys of local storage that several modules use.

/** Who is signed in. */
export const CURRENT_USER = 'current_user';
/** Whether this browser is past the gate. */
export const ACCESS_VERIFIED = 'access_verified';
/** How much of an ended session is not sent yet; removed when nothing is. */
export const UNSENT_CHANGES = 'unsent_changes';
/** The list of conversations, among what is kept for a user. */
export const CONVERSATIONS = 'conversations';

/** Before all that is kept for a user. */
export const prefixOf = (userId: string): string => `cache-${userId}-`;
