import { deleteDB, openDB } from 'idb';
import type { Walk } from './walk.ts';

const STORE = 'walks';
/** Not among the databases that a logout removes. */
const nameFor = (userId: string): string => `leashwise-kept-walks-${userId}`;

const open = (userId: string) =>
  openDB(nameFor(userId), 1, {
    upgrade: (database) => void database.createObjectStore(STORE, { keyPath: 'id' }),
  });

/** Keeps walks on this device beyond a logout, because their owner wants it, until they sign in here again. Decision 310. */
export async function keepWalks(userId: string, walks: readonly Walk[]): Promise<void> {
  const database = await open(userId);
  try {
    const writing = database.transaction(STORE, 'readwrite');
    await Promise.all([...walks.map((walk) => writing.store.put(walk)), writing.done]);
  } finally {
    database.close();
  }
}

/** Returns walks that were kept, and how to forget them once they are stored; null if there are none. */
export async function takeStoredWalks(
  userId: string,
): Promise<{ walks: Walk[]; forget: () => Promise<void> } | null> {
  // Opening it would create it.
  const all = await globalThis.indexedDB?.databases?.();
  if (!all?.some(({ name }) => name === nameFor(userId))) return null;
  const database = await open(userId);
  const walks: Walk[] = await database.getAll(STORE);
  database.close();
  return { walks, forget: () => deleteDB(nameFor(userId)) };
}
