import { openDB, type IDBPObjectStore } from 'idb';
import {
  isOver,
  readSummaries,
  waitingFor,
  writeSummaries,
  type UnsentCount,
  type UnsentSummary,
} from '../../session/unsent-summary.ts';
import { prefixOf } from '../../storage-keys.ts';
import {
  type Store,
  hasStored,
  openDatabase,
  type DatabaseEvents,
  type LocalDatabase,
  type WritableStore,
} from '../storage/local-database.ts';

/**
 * Changes that the server did not have when a session ended other than by logout. They are stored separately, by user, and sent
 * when the same user signs in again. Decision 245.
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
  /** Ids of the documents whose changes the journal has, apart from receipts. Undefined if an older app stored them. */
  journaled?: string[];
  /** Of `localStorage`, without the user's prefix. */
  values: Record<string, string>;
}

const DATABASE = 'leashwise-unsent';
const STORE = 'unsent';

/** Stores the unsent changes of a session, next to those of earlier ones, in one transaction. */
export async function storeUnsent(unsent: UnsentChanges): Promise<void> {
  const { user_id, at, count } = unsent;
  // Before the data: without a summary, nothing would ever remove it.
  writeSummaries([...readSummaries().filter(isNot(unsent)), { user_id, at, count }]);
  await withStore('readwrite', (store) => store.put(unsent, keyOf(unsent)));
}

/** Reads a user's unsent changes, oldest first, without expired ones. */
export async function readUnsent(userId: string, now = Date.now()): Promise<UnsentChanges[]> {
  if (!waitingFor(userId)) return [];
  const all = await withStore<UnsentChanges[]>('readonly', (store) =>
    store.getAll(rangeOf(userId)),
  );
  return all.filter((unsent) => !isOver(unsent, now)).toSorted((a, b) => a.at - b.at);
}

/** Stores the rest of unsent changes after some were restored; removes them when nothing is left. */
async function reduceUnsent(unsent: UnsentChanges): Promise<void> {
  const isEmpty = unsent.rows.length === 0 && Object.keys(unsent.documents).length === 0;
  if (!isEmpty)
    return void (await withStore('readwrite', (store) => store.put(unsent, keyOf(unsent))));
  await withStore('readwrite', (store) => store.delete(keyOf(unsent)));
  writeSummaries(readSummaries().filter(isNot(unsent)));
}

/** Removes all unsent changes of a user, as at logout. */
export async function removeUnsent(userId: string): Promise<void> {
  if (!waitingFor(userId)) return;
  await withStore('readwrite', (store) => store.delete(rangeOf(userId)));
  writeSummaries(readSummaries().filter(({ user_id }) => user_id !== userId));
}

/** Removes everything older than `UNSENT_DAYS`, of all users. */
export async function removeExpired(now = Date.now()): Promise<void> {
  const all = readSummaries();
  const over = all.filter((each) => isOver(each, now));
  if (over.length === 0) return;
  for (const each of over) await withStore('readwrite', (store) => store.delete(keyOf(each)));
  writeSummaries(readSummaries().filter((each) => !isOver(each, now)));
}

type Key = Pick<UnsentSummary, 'user_id' | 'at'>;
const isNot = (one: Key) => (other: Key) => other.user_id !== one.user_id || other.at !== one.at;
const keyOf = ({ user_id, at }: Key) => [user_id, at];
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

/** Changes to apply once their document is on this device again. */
export class RestoredChanges {
  readonly #waiting: UnsentChanges[];

  constructor(waiting: UnsentChanges[]) {
    this.#waiting = waiting;
  }

  /** Ids of the documents with changes. */
  get documentIds(): string[] {
    return [...new Set(this.#waiting.flatMap(({ documents }) => Object.keys(documents)))];
  }

  /** Returns the changes of a document, oldest first. */
  of(documentId: string): Uint8Array[] {
    return this.#waiting.flatMap(({ documents }) => documents[documentId] ?? []);
  }

  /** Whether the journal has what the user did in the changes of a document. */
  isJournaled(documentId: string): boolean {
    return this.#waiting.every(
      ({ documents, journaled }) => !documents[documentId] || journaled?.includes(documentId),
    );
  }

  /** Removes the changes of a document, after they were applied and saved. */
  async done(documentId: string): Promise<void> {
    for (const unsent of this.#waiting) {
      if (!unsent.documents[documentId]) continue;
      const { [documentId]: _, ...documents } = unsent.documents;
      unsent.documents = documents;
      await reduceUnsent(unsent);
    }
  }
}

/**
 * Opens the database of one user, after restoring the unsent changes of an earlier session into it.
 * @param events as for `openDatabase`
 * @param onRestored receives the changes to apply to documents
 * @returns null where the browser stores nothing
 */
export async function openWithUnsent(
  userId: string,
  events: Partial<DatabaseEvents>,
  onRestored: (restored: RestoredChanges) => void,
): Promise<LocalDatabase | null> {
  try {
    const database = await openDatabase(userId, events);
    await restoreUnsent(database, userId).then(onRestored, (error: unknown) =>
      // The next start tries again.
      console.error('Failed to restore unsent changes', error),
    );
    return database;
  } catch (error) {
    console.warn('This browser stores nothing on this device', error);
    if (hasStored(userId)) events.onUnreadable?.();
    return null;
  }
}

/**
 * Restores unsent calls, pictures and recordings into the user's database. May be repeated: a call is recognized by its
 * idempotency key.
 */
async function restoreUnsent(database: LocalDatabase, userId: string): Promise<RestoredChanges> {
  const left: UnsentChanges[] = [];
  for (const unsent of await readUnsent(userId)) {
    await restoreRows(database, unsent.rows);
    restoreValues(userId, unsent);
    const rest = { ...unsent, rows: [], values: {} };
    await reduceUnsent(rest);
    if (Object.keys(rest.documents).length > 0) left.push(rest);
  }
  return new RestoredChanges(left);
}

async function restoreRows(database: LocalDatabase, rows: UnsentChanges['rows']): Promise<void> {
  const calls = await database.read('outbox', (store): Promise<{ idempotencyKey: string }[]> =>
    store.getAll(),
  );
  const known = new Set(calls.map(({ idempotencyKey }) => idempotencyKey));
  const writesOf = (name: Store) =>
    rows
      .filter(({ store }) => store === name)
      .filter(({ value }) => !known.has((value as { idempotencyKey: string }).idempotencyKey))
      .map(
        ({ key, value }) =>
          (store: WritableStore) =>
            name === 'outbox' ? store.add(value) : store.put(value, key),
      );
  for (const name of new Set(rows.map(({ store }) => store)))
    await database.commit(name, writesOf(name));
}

/** Records of which some may have been written before the rest is restored. */
const MERGED = new Set(['unsent-drafts']);

function restoreValues(userId: string, { values }: UnsentChanges): void {
  for (const [name, value] of Object.entries(values))
    try {
      const key = prefixOf(userId) + name;
      const written = localStorage.getItem(key);
      if (written === null) localStorage.setItem(key, value);
      else if (MERGED.has(name))
        localStorage.setItem(
          key,
          JSON.stringify({ ...(JSON.parse(value) as object), ...(JSON.parse(written) as object) }),
        );
    } catch (error) {
      console.warn(`Failed to restore ${name}`, error);
    }
}
