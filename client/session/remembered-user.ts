import { z } from 'zod';
import { currentUser, type CurrentUser } from '#shared/session/contract.ts';
import { CURRENT_USER, UNSENT_CHANGES } from '../storage-keys.ts';

const LOGOUT_PENDING = 'logout_pending';
const REMOVALS_PENDING = 'removals_pending';
const ENDED_SESSIONS = 'ended_sessions';
const userIds = z.array(z.string());

/** Returns the user who was last signed in on this device; null if no one was, or if storage fails. */
export function rememberedUser(): CurrentUser | null {
  try {
    return currentUser.parse(JSON.parse(localStorage.getItem(CURRENT_USER) ?? 'null'));
  } catch {
    return null;
  }
}

/** Stores the user for an offline start; null forgets. */
export function rememberUser(user: CurrentUser | null): void {
  try {
    if (user) localStorage.setItem(CURRENT_USER, JSON.stringify(user));
    else localStorage.removeItem(CURRENT_USER);
  } catch {
    console.warn('Storage is unavailable: the app won’t open offline.');
  }
}

/**
 * Subscribes to sign-ins and sign-outs in other tabs.
 * @returns how to unsubscribe
 */
export function onRememberedUserChange(listener: (user: CurrentUser | null) => void): () => void {
  const changed = (event: StorageEvent) => {
    if (event.key === CURRENT_USER || event.key === null) listener(rememberedUser());
  };
  window.addEventListener('storage', changed);
  return () => window.removeEventListener('storage', changed);
}

/** Whether a logout hasn't reached the server yet. */
export function isLogoutPending(): boolean {
  try {
    return localStorage.getItem(LOGOUT_PENDING) === 'true';
  } catch {
    return false;
  }
}

/** Records whether a logout still has to be sent to the server. */
export function markLogoutPending(isPending: boolean): void {
  try {
    if (isPending) localStorage.setItem(LOGOUT_PENDING, 'true');
    else localStorage.removeItem(LOGOUT_PENDING);
  } catch {
    console.warn('Storage is unavailable: log out again when online.');
  }
}

/** Whether an ended session left unsent changes on this device. */
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
/** A session that ended other than by logout, whose local data hasn't been removed yet. */
export type EndedSession = z.infer<typeof endedSessions>[number];

/** Returns the sessions that ended other than by logout and may still have local data. */
export function pendingEndedSessions(): EndedSession[] {
  try {
    return endedSessions.parse(JSON.parse(localStorage.getItem(ENDED_SESSIONS) ?? '[]'));
  } catch {
    return [];
  }
}

/** Records that the local data of an ended session still has to be removed. */
export function markEndedSessionPending(session: EndedSession): void {
  writeEnded([...othersThan(session.user.id), session]);
}

/** Call when a user's local data has been removed or they have signed in again. */
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
    // Without storage there's nothing to remove.
  }
}

/** Returns the users whose local data still has to be removed. */
export function pendingRemovals(): string[] {
  try {
    return userIds.parse(JSON.parse(localStorage.getItem(REMOVALS_PENDING) ?? '[]'));
  } catch {
    return [];
  }
}

/** Records whether a user's local data still has to be removed. */
export function markRemovalPending(userId: string, isPending: boolean): void {
  const others = pendingRemovals().filter((id) => id !== userId);
  const now = isPending ? [...others, userId] : others;
  try {
    if (now.length > 0) localStorage.setItem(REMOVALS_PENDING, JSON.stringify(now));
    else localStorage.removeItem(REMOVALS_PENDING);
  } catch {
    // Without storage there's nothing to remove.
  }
}
