import type { CurrentUser } from '#shared/session/contract.ts';
import { FILES_CACHE } from '../install/worker-words.ts';
import { forgetKept } from '../kept.ts';
import { UserDocuments } from '../repo.ts';
import { oweRemoval, rememberedUser, removalsOwed } from '../session/remembered-user.ts';
import { deleteDatabase } from './local-database.ts';
import { forgetInOtherTabs } from './tab-channel.ts';

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
  oweRemoval(userId, true);
  if (current?.documents.userId === userId) current.documents.close();
  forgetKept(userId);
  forgetInOtherTabs(userId);
  await Promise.all([deleteDatabase(userId), 'caches' in window && caches.delete(FILES_CACHE)]);
  oweRemoval(userId, false);
}

/** Removes what an earlier start of the app did not get to; not of whoever signed in again since. */
export async function forgetWhatIsOwed(): Promise<void> {
  const here = rememberedUser()?.id;
  if (here !== undefined) oweRemoval(here, false);
  await Promise.all(removalsOwed().map(forgetLocalData));
}
