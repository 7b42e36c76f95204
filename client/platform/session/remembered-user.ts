import { z } from 'zod';
import { currentUser, type CurrentUser } from '#shared/session/contract.ts';
import { CURRENT_USER, ENDED_SESSIONS, LOGOUT_PENDING, REMOVALS_PENDING } from '../storage-keys.ts';
import { readStorage, writeStorage } from '../web-storage.ts';

const userIds = z.array(z.string());

/** Returns the user who was last signed in on this device; null if no one was, or if storage fails. */
export function rememberedUser(): CurrentUser | null {
  return readStorage(currentUser, CURRENT_USER);
}

/** Whether another user is signed in by now, as in another tab: the browser would send calls with their session. */
export function isAnotherSignedIn(userId: string): boolean {
  const remembered = rememberedUser();
  return remembered !== null && remembered.id !== userId;
}

/** Stores the user for an offline start; null forgets. */
export function rememberUser(user: CurrentUser | null): void {
  if (!writeStorage(CURRENT_USER, user))
    console.warn('Storage is unavailable: the app won’t open offline.');
}

/**
 * Subscribes to sign-ins and sign-outs in other tabs. A page that the browser shows again as it was, by its back button, did not hear of them.
 * @returns how to unsubscribe
 */
export function onRememberedUserChange(listener: (user: CurrentUser | null) => void): () => void {
  const changed = (event: StorageEvent) => {
    if (event.key === CURRENT_USER || event.key === null) listener(rememberedUser());
  };
  const shownAgain = ({ persisted }: PageTransitionEvent) => {
    if (persisted) listener(rememberedUser());
  };
  window.addEventListener('storage', changed);
  window.addEventListener('pageshow', shownAgain);
  return () => {
    window.removeEventListener('storage', changed);
    window.removeEventListener('pageshow', shownAgain);
  };
}

const asking = new Set<() => void>();

/** Has the user fetched again: the server has said that something about them changed. */
export function askForUser(): void {
  for (const listener of asking) listener();
}

/** Calls a listener whenever the user should be fetched again. @returns how to stop */
export function onAskForUser(listener: () => void): () => void {
  asking.add(listener);
  return () => asking.delete(listener);
}

/** Whether a logout hasn't reached the server yet. */
export function isLogoutPending(): boolean {
  return readStorage(z.literal(true), LOGOUT_PENDING) ?? false;
}

/** Records whether a logout still has to be sent to the server. */
export function markLogoutPending(isPending: boolean): void {
  if (!writeStorage(LOGOUT_PENDING, isPending || null))
    console.warn('Storage is unavailable: log out again when online.');
}

const endedSessions = z.array(
  z.object({
    user: currentUser.pick({ id: true, documents: true, former_documents: true }),
    at: z.number(),
  }),
);
/** A session that ended other than by logout, whose local data hasn't been removed yet. */
export type EndedSession = z.infer<typeof endedSessions>[number];

/** Returns the sessions that ended other than by logout and may still have local data. */
export function pendingEndedSessions(): EndedSession[] {
  return readStorage(endedSessions, ENDED_SESSIONS) ?? [];
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
  writeStorage(ENDED_SESSIONS, all.length > 0 ? all : null);
}

/** Returns the users whose local data still has to be removed. */
export function pendingRemovals(): string[] {
  return readStorage(userIds, REMOVALS_PENDING) ?? [];
}

/** Records whether a user's local data still has to be removed. */
export function markRemovalPending(userId: string, isPending: boolean): void {
  const others = pendingRemovals().filter((id) => id !== userId);
  const now = isPending ? [...others, userId] : others;
  writeStorage(REMOVALS_PENDING, now.length > 0 ? now : null);
}
