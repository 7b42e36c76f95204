import { SIGNED_IN_COOKIE } from '#shared/session/cookies.ts';
import {
  CURRENT_USER,
  ENDED_SESSIONS,
  LOGOUT_PENDING,
  REMOVALS_PENDING,
  UNSENT_CHANGES,
} from '../storage-keys.ts';

// Without schemas: the landing page loads this module.

/** Returns whether this browser has stored something by that key. */
const isStored = (key: string): boolean => {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
};

/** Whether the server has set the cookie of a session; scripts can't see the session's own. */
export const hasSignedInCookie = (): boolean =>
  new RegExp(`(^|[;\\s-])${SIGNED_IN_COOKIE}=`).test(document.cookie);

/** Whether an ended session left unsent changes on this device. */
export const hasUnsentChanges = (): boolean => isStored(UNSENT_CHANGES);

/** Whether an account is or was used in this browser, so that there is something to ask the server, or to remove. */
export const hasAccountTraces = (): boolean =>
  hasSignedInCookie() ||
  [CURRENT_USER, LOGOUT_PENDING, REMOVALS_PENDING, ENDED_SESSIONS, UNSENT_CHANGES].some(isStored);
