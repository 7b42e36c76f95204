import type { CurrentUser } from '#shared/session/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { storeDraft, storeImage, readDraft } from '../../advertisers/signup/draft.ts';
import { writeDraft } from '../../charities/application-draft.ts';
import { FILES_CACHE } from '../../install/service-worker-messages.ts';
import { clearCache } from '../../local-cache.ts';
import { UserDocuments } from './user-documents.ts';
import {
  pendingEndedSessions,
  markEndedSessionPending,
  markRemovalPending,
  rememberedUser,
  pendingRemovals,
  settleEndedSession,
  type EndedSession,
} from '../../session/remembered-user.ts';
import { loadAutomerge } from './load-automerge.ts';
import { deleteDatabase, openDatabase } from '../storage/local-database.ts';
import { oneTabAtATime, forgetInOtherTabs } from '../tabs/tab-coordination.ts';
import { UNSENT_DAYS } from '../../session/unsent-summary.ts';
import { removeExpired, removeUnsent, storeUnsent } from './unsent-changes.ts';

/** How long screens may take to write what was typed when a session ends. */
const CLOSING_MS = 200;
const REMOVED_WITHIN_MS = 5_000;

let current: { user: CurrentUser; documents: UserDocuments } | null = null;

/**
 * The documents of whoever is signed in. Those of anybody before are closed. Once closed they stay so for this
 * very `user`, or a screen that is drawn once more would bring back what logout removes. Whoever signs in
 * again, in another tab too, is another object with the same id, and gets fresh ones.
 */
export function documentsOf(user: CurrentUser): UserDocuments {
  const isSame = current?.documents.userId === user.id;
  if (current && isSame && (current.user === user || !current.documents.isClosed)) {
    current.user = user;
    return current.documents;
  }
  current?.documents.close();
  current = { user, documents: new UserDocuments(user) };
  return current.documents;
}

/**
 * Removes everything that this device keeps of a user, for logout. Noted until it is done: a tab that the phone put to sleep
 * holds the database until it wakes, and the app may be closed before.
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
    removeDrafts(),
  ]);
}

/** Forms of visitors are not stored by user. A payment whose outcome nobody knows stays, or it could be made twice. */
async function removeDrafts(): Promise<void> {
  writeDraft(null);
  const { isSent, isPaid } = readDraft();
  if (isSent && !isPaid) return;
  storeDraft(null);
  if ('caches' in window) await storeImage(null);
}

/**
 * Removes everything that this device stores of a user whose session ended other than by logout. What the server does
 * not have is set aside first, for when the same user signs in again.
 */
export async function removeEndedSession(session: EndedSession): Promise<void> {
  const { user, at } = session;
  markEndedSessionPending(session);
  const isOwed = () => pendingEndedSessions().some((owed) => owed.user.id === user.id);
  await oneTabAtATime(lockOf(user.id), 'wait', async () => {
    // Another tab has done it, or the same user has signed in again.
    if (!isOwed()) return;
    const isOverdue = Date.now() - at > UNSENT_DAYS * DAY_MS;
    if (!isOverdue) await setAside(session);
    if (!isOwed()) return;
    await removeStored(user.id);
    settleEndedSession(user.id);
  });
}

/** Settles when no tab is removing a user's data any more, so that they may sign in again, or soon if that takes long. */
export async function untilRemoved(userId: string): Promise<void> {
  const free = oneTabAtATime(lockOf(userId), 'wait', async () => {});
  await Promise.race([free, new Promise((resolve) => setTimeout(resolve, REMOVED_WITHIN_MS))]);
}

const lockOf = (userId: string) => `session-end-${userId}`;

/** @throws when the database cannot be read; then nothing is removed, and the next start tries again */
async function setAside({ user, at }: EndedSession): Promise<void> {
  const documents = current?.documents.userId === user.id ? current.documents : null;
  if (documents && !documents.isClosed) {
    // Screens that are closing write what was typed.
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

/** Removes what earlier starts of the app did not get to, of users who have not signed in again since, and what is too old. */
export async function retryPendingRemovals(): Promise<void> {
  const here = rememberedUser()?.id;
  if (here !== undefined) {
    markRemovalPending(here, false);
    settleEndedSession(here);
  }
  const results = await Promise.allSettled([
    removeExpired(),
    ...pendingRemovals().map(forgetLocalData),
    ...pendingEndedSessions().map(removeEndedSession),
  ]);
  for (const result of results)
    if (result.status === 'rejected') console.error('Failed to remove local data', result.reason);
}
