import { z } from 'zod';
import { currentUser, type CurrentUser } from '#shared/session/contract.ts';
import { CURRENT_USER, UNSENT_CHANGES } from '../storage-keys.ts';

const LOGOUT_PENDING = 'logout_pending';
const REMOVALS_PENDING = 'removals_pending';
const ENDED_SESSIONS = 'ended_sessions';
const userIds = z.array(z.string());

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
    console.warn('Storage is unavailable: the app won’t open offline.');
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
export function isLogoutPending(): boolean {
  try {
    return localStorage.getItem(LOGOUT_PENDING) === 'true';
  } catch {
    return false;
  }
}

/** Notes whether the server has still to be told of a logout. */
export function markLogoutPending(owed: boolean): void {
  try {
    if (owed) localStorage.setItem(LOGOUT_PENDING, 'true');
    else localStorage.removeItem(LOGOUT_PENDING);
  } catch {
    console.warn('Storage is unavailable: log out again when online.');
  }
}

/** Whether a session that ended left changes on this device that are not sent yet. */
export function hasUnsentChanges(): boolean {
  try {
    return localStorage.getItem(UNSENT_CHANGES) !== null;
  } catch {
    return false;
  }
}

const endedSessions = z.array(
  z.object({ user: currentUser.pick({ id: true, documents: true }), at: z.number() }),
);
/** A session that ended other than by logout, whose data this device has still to remove. */
export type EndedSession = z.infer<typeof endedSessions>[number];

/** Sessions that ended other than by logout, of which something may still be on this device. */
export function pendingEndedSessions(): EndedSession[] {
  try {
    return endedSessions.parse(JSON.parse(localStorage.getItem(ENDED_SESSIONS) ?? '[]'));
  } catch {
    return [];
  }
}

/** Notes that the data of a session that ended has still to be removed. */
export function markEndedSessionPending(session: EndedSession): void {
  writeEnded([...othersThan(session.user.id), session]);
}

/** Nothing is left to be removed for a user, or they have signed in again. */
export function settleEndedSession(userId: string): void {
  writeEnded(othersThan(userId));
}

const othersThan = (userId: string) =>
  pendingEndedSessions().filter(({ user }) => user.id !== userId);

function writeEnded(all: readonly EndedSession[]): void {
  try {
    if (all.length > 0) localStorage.setItem(ENDED_SESSIONS, JSON.stringify(all));
    else localStorage.removeItem(ENDED_SESSIONS);
  } catch {
    // This browser stores nothing to be removed.
  }
}

/** Users of whom something may still be on this device, though it was to be removed. */
export function pendingRemovals(): string[] {
  try {
    return userIds.parse(JSON.parse(localStorage.getItem(REMOVALS_PENDING) ?? '[]'));
  } catch {
    return [];
  }
}

/** Notes whether what this device keeps of a user has still to be removed. */
export function markRemovalPending(userId: string, owed: boolean): void {
  const others = pendingRemovals().filter((id) => id !== userId);
  const now = owed ? [...others, userId] : others;
  try {
    if (now.length > 0) localStorage.setItem(REMOVALS_PENDING, JSON.stringify(now));
    else localStorage.removeItem(REMOVALS_PENDING);
  } catch {
    // This browser keeps nothing to be removed.
  }
}
