import { openDB, type IDBPObjectStore } from 'idb';
import {
  isOver,
  readSummaries,
  waitingFor,
  writeSummaries,
  type UnsentCount,
  type UnsentSummary,
} from '../../session/unsent-summary.ts';
import type { Store } from '../storage/local-database.ts';

/**
 * Changes that the server did not have when a session ended other than by logout. They wait apart from everything that
 * the app shows, by user, and are sent when the same user signs in again.
 */
export interface UnsentChanges {
  user_id: string;
  /** When the session ended, in ms by this device's clock. */
  at: number;
  count: UnsentCount;
  /** Rows of the user's database, such as calls in the outbox, with their keys. */
  rows: { store: Store; key: IDBValidKey; value: unknown }[];
  /** By document id: Automerge changes. */
  documents: Record<string, Uint8Array<ArrayBuffer>>;
  /** Of `localStorage`, without the user's prefix. */
  values: Record<string, string>;
}

const DATABASE = 'leashwise-unsent';
const STORE = 'unsent';

/** Stores what a session that ended left unsent, beside what an earlier one left. One transaction: all or nothing. */
export async function storeUnsent(unsent: UnsentChanges): Promise<void> {
  const { user_id, at, count } = unsent;
  // Before the data: without this nothing would ever remove it.
  writeSummaries([...readSummaries(), { user_id, at, count }]);
  await withStore('readwrite', (store) => store.put(unsent, keyOf(unsent)));
}

/** @returns what is stored for a user, oldest first, without what is too old */
export async function readUnsent(userId: string, now = Date.now()): Promise<UnsentChanges[]> {
  if (!waitingFor(userId)) return [];
  const all = await withStore<UnsentChanges[]>('readonly', (store) =>
    store.getAll(rangeOf(userId)),
  );
  return all.filter((unsent) => !isOver(unsent, now)).toSorted((a, b) => a.at - b.at);
}

/** Replaces what is stored by what is left of it; removes it when nothing is. */
export async function reduceUnsent(unsent: UnsentChanges): Promise<void> {
  const isEmpty = unsent.rows.length === 0 && Object.keys(unsent.documents).length === 0;
  if (!isEmpty)
    return void (await withStore('readwrite', (store) => store.put(unsent, keyOf(unsent))));
  await withStore('readwrite', (store) => store.delete(keyOf(unsent)));
  const isOther = ({ user_id, at }: UnsentSummary) =>
    user_id !== unsent.user_id || at !== unsent.at;
  writeSummaries(readSummaries().filter(isOther));
}

/** Removes all that is stored for a user, as at logout. */
export async function removeUnsent(userId: string): Promise<void> {
  if (!waitingFor(userId)) return;
  await withStore('readwrite', (store) => store.delete(rangeOf(userId)));
  writeSummaries(readSummaries().filter(({ user_id }) => user_id !== userId));
}

/** Removes what is older than `UNSENT_DAYS`, whoever's it is. */
export async function removeExpired(now = Date.now()): Promise<void> {
  const all = readSummaries();
  const over = all.filter((each) => isOver(each, now));
  if (over.length === 0) return;
  for (const each of over) await withStore('readwrite', (store) => store.delete(keyOf(each)));
  writeSummaries(readSummaries().filter((each) => !isOver(each, now)));
}

const keyOf = ({ user_id, at }: Pick<UnsentSummary, 'user_id' | 'at'>) => [user_id, at];
const rangeOf = (userId: string) => IDBKeyRange.bound([userId], [userId, []]);

async function withStore<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBPObjectStore<unknown, [string], string, 'readwrite'>) => Promise<T>,
): Promise<T> {
  const database = await openDB(DATABASE, 1, {
    upgrade: (created) => void created.createObjectStore(STORE),
    blocking: (_, __, event) => (event.target as IDBDatabase).close(),
  });
  try {
    const transaction = database.transaction(STORE, mode, { durability: 'strict' });
    const store = transaction.store as IDBPObjectStore<unknown, [string], string, 'readwrite'>;
    const [result] = await Promise.all([ask(store), transaction.done]);
    return result;
  } finally {
    database.close();
  }
}
