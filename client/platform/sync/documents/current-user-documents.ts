import type { CurrentUser } from '#shared/session/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { loadFeatures } from '../../features.ts';
import { FILES_CACHE } from '../../install/service-worker-messages.ts';
import { clearCache } from '../../local-cache.ts';
import {
  pendingEndedSessions,
  markEndedSessionPending,
  markRemovalPending,
  rememberedUser,
  pendingRemovals,
  settleEndedSession,
  type EndedSession,
} from '../../session/remembered-user.ts';
import { UNSENT_DAYS } from '../../session/unsent-summary.ts';
import { deleteDatabase, openDatabase } from '../storage/local-database.ts';
import { oneTabAtATime, forgetInOtherTabs } from '../tabs/tab-coordination.ts';
import { loadAutomerge } from './load-automerge.ts';
import { removeExpired, removeUnsent, storeUnsent } from './unsent-changes.ts';
import { UserDocuments } from './user-documents.ts';

/** How long screens may take to save drafts when a session ends. */
const CLOSING_MS = 200;
const REMOVED_WITHIN_MS = 5_000;

let current: { user: CurrentUser; documents: UserDocuments } | null = null;

/**
 * Returns the documents of the current user, and closes those of another one. Closed documents stay closed for the same `user`
 * object: otherwise, one more render during logout would open them again. A new sign-in has a new object.
 */
export function documentsOf(user: CurrentUser): UserDocuments {
  const isSame = current?.documents.userId === user.id;
  if (current && isSame && (current.user === user || !current.documents.isClosed)) {
    if (current.user !== user) {
      current.user = user;
      const { documents } = current;
      // The caller may be rendering.
      queueMicrotask(() => documents.moveTo(user));
    }
    return current.documents;
  }
  current?.documents.close();
  current = { user, documents: new UserDocuments(user, loadParts) };
  return current.documents;
}

async function loadParts() {
  return (await loadFeatures()).flatMap(({ documents }) => documents ?? []);
}

/**
 * Removes everything that this device stores about a user, for logout. Recorded until it is done: a suspended tab blocks the
 * deletion of the database, and the app may be closed before.
 */
export async function forgetLocalData(userId: string): Promise<void> {
  markRemovalPending(userId, true);
  await removeUnsent(userId).catch((error: unknown) =>
    console.error('Failed to remove unsent changes', error),
  );
  await removeStored(userId);
  markRemovalPending(userId, false);
}

async function removeStored(userId: string): Promise<void> {
  if (current?.documents.userId === userId) current.documents.close();
  clearCache(userId);
  forgetInOtherTabs(userId);
  await Promise.all([
    deleteDatabase(userId),
    'caches' in window && caches.delete(FILES_CACHE),
    loadFeatures().then((all) => Promise.all(all.map(async ({ forget }) => forget?.()))),
  ]);
}

/**
 * Removes everything that this device stores of a user whose session ended other than by logout. Unsent
 * changes are stored separately first, until the same user signs in again.
 */
export async function removeEndedSession(session: EndedSession): Promise<void> {
  const { user, at } = session;
  markEndedSessionPending(session);
  const isPending = () => pendingEndedSessions().some((pending) => pending.user.id === user.id);
  await oneTabAtATime(lockOf(user.id), async () => {
    // Another tab has done it, or the same user has signed in again.
    if (!isPending()) return;
    const isOverdue = Date.now() - at > UNSENT_DAYS * DAY_MS;
    if (!isOverdue) await storeUnsentOf(session);
    if (!isPending()) return;
    await removeStored(user.id);
    settleEndedSession(user.id);
  });
}

/** Settles when no tab is removing a user's data, so that they may sign in again; after `REMOVED_WITHIN_MS` in any case. */
export async function untilRemoved(userId: string): Promise<void> {
  const free = oneTabAtATime(lockOf(userId), async () => {});
  await Promise.race([free, new Promise((resolve) => setTimeout(resolve, REMOVED_WITHIN_MS))]);
}

const lockOf = (userId: string) => `session-end-${userId}`;

/** @throws when the database cannot be read; then nothing is removed, and the next start tries again */
async function storeUnsentOf({ user, at }: EndedSession): Promise<void> {
  const documents = current?.documents.userId === user.id ? current.documents : null;
  if (documents && !documents.isClosed) {
    // Closing screens save drafts.
    await new Promise((resolve) => setTimeout(resolve, CLOSING_MS));
    await documents.flush();
  }
  const { collectUnsent } = await loadAutomerge();
  const database = await openDatabase(user.id);
  try {
    const unsent = await collectUnsent(database, user, at);
    if (unsent) await storeUnsent(unsent);
  } finally {
    database.close();
  }
}

/** Finishes removals of earlier starts, except for users who have signed in again, and removes expired unsent changes. */
export async function retryPendingRemovals(): Promise<void> {
  const currentId = rememberedUser()?.id;
  if (currentId !== undefined) {
    markRemovalPending(currentId, false);
    settleEndedSession(currentId);
  }
  const results = await Promise.allSettled([
    removeExpired(),
    ...pendingRemovals().map(forgetLocalData),
    ...pendingEndedSessions().map(removeEndedSession),
  ]);
  for (const result of results)
    if (result.status === 'rejected') console.error('Failed to remove local data', result.reason);
}
