import { currentUser, type CurrentUser } from '#shared/session/contract.ts';
import { CURRENT_USER } from '../kept-names.ts';

const LOGOUT_OWED = 'logout_owed';

/** Who was signed in on this device when it last had an answer; null when nobody, or when storage fails. */
export function rememberedUser(): CurrentUser | null {
  try {
    return currentUser.parse(JSON.parse(localStorage.getItem(CURRENT_USER) ?? 'null'));
  } catch {
    return null;
  }
}

/** Keeps the user for a start without a network; null forgets. */
export function rememberUser(user: CurrentUser | null): void {
  try {
    if (user) localStorage.setItem(CURRENT_USER, JSON.stringify(user));
    else localStorage.removeItem(CURRENT_USER);
  } catch {
    console.warn('This browser keeps nothing: the app will not open without a network.');
  }
}

/**
 * Tells when another tab signed in or out.
 * @returns how to stop listening
 */
export function onRememberedUserChange(listener: (user: CurrentUser | null) => void): () => void {
  const changed = (event: StorageEvent) => {
    if (event.key === CURRENT_USER || event.key === null) listener(rememberedUser());
  };
  window.addEventListener('storage', changed);
  return () => window.removeEventListener('storage', changed);
}

/** Whether somebody logged out here while the server could not be told. */
export function isLogoutOwed(): boolean {
  try {
    return localStorage.getItem(LOGOUT_OWED) === 'true';
  } catch {
    return false;
  }
}

/** Notes whether the server has still to be told of a logout. */
export function oweLogout(owed: boolean): void {
  try {
    if (owed) localStorage.setItem(LOGOUT_OWED, 'true');
    else localStorage.removeItem(LOGOUT_OWED);
  } catch {
    console.warn('This browser keeps nothing: log out again when there is a network.');
  }
}
