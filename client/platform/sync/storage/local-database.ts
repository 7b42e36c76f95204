import { IndexedDBStorageAdapter } from '@automerge/automerge-repo-storage-indexeddb';
import type { Chunk, StorageKey } from '@automerge/automerge-repo/slim';
import { deleteDB, openDB, wrap, type IDBPDatabase, type IDBPObjectStore } from 'idb';
import { z } from 'zod';
import { newId } from '#shared/ids.ts';
import { readCache, writeCache } from '../../local-cache.ts';
import { rememberedUser } from '../../session/remembered-user.ts';

/** How long a database may take to open. The chat simulation, whose clocks run faster, sets a longer time. */
export const OPENING = { withinMs: 4_000 };

/** Names of the errors that mean that the connection is lost, whatever it was asked for. */
const LOST = new Set(['InvalidStateError', 'UnknownError']);

const isConnectionLost = (error: unknown): boolean => LOST.has((error as Error | null)?.name ?? '');

/**
 * Waits for a database to open. @param close closes one that opens too late
 * @throws when the browser does not answer: some never do
 */
async function opensInTime<T>(opening: Promise<T>, close: (late: T) => void): Promise<T> {
  let isLate = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      isLate = true;
      reject(new Error('IndexedDB does not answer'));
    }, OPENING.withinMs);
  });
  void opening.then(
    (late) => isLate && close(late),
    () => {},
  );
  return Promise.race([opening, tooLate]).finally(() => clearTimeout(timer));
}

const DATABASE = 'leashwise-documents';
const STORE = 'chunks';
/** Never stored: reading it settles after everything before it. */
const NOTHING = [''];

export type ChunkWrite =
  | { save: StorageKey; data: Uint8Array }
  | { remove: StorageKey }
  | { removeRange: StorageKey };

/**
 * The chunks of one user's documents, in automerge-repo's IndexedDB adapter. All users share its database, separated by the first
 * element of the key: the adapter never closes a connection, so the browser could not delete a database of one user.
 */
class ChunkDatabase {
  readonly #userId: string;
  readonly #checkOpen: () => Promise<unknown>;
  readonly #onLost: () => void;
  #adapter: Promise<IndexedDBStorageAdapter> | null = null;

  /**
   * @param checkOpen rejects when nothing of the user may be read or stored any more, as after a logout
   * @param onLost called when it is opened empty although it had data
   */
  constructor(userId: string, checkOpen: () => Promise<unknown>, onLost = () => {}) {
    this.#userId = userId;
    this.#checkOpen = checkOpen;
    this.#onLost = onLost;
  }

  /** Removes everything of one user. */
  static async clear(userId: string): Promise<void> {
    await new ChunkDatabase(userId, async () => {}).write({ removeRange: [] });
  }

  /** @throws when the browser does not open it */
  open(): Promise<IndexedDBStorageAdapter> {
    this.#adapter ??= this.#openOnce().catch((error: unknown) => {
      this.#adapter = null;
      throw error;
    });
    return this.#adapter;
  }

  async #openOnce(): Promise<IndexedDBStorageAdapter> {
    const isHere = await exists(DATABASE);
    const adapter = await openAdapter();
    if (!isHere) this.#onLost();
    return adapter;
  }

  /** @throws when it cannot be read */
  load(key: StorageKey): Promise<Uint8Array | undefined> {
    return this.#use((adapter) => adapter.load(this.#keyOf(key)));
  }

  /** @throws when it cannot be read */
  async loadRange(prefix: StorageKey): Promise<Chunk[]> {
    const chunks = await this.#use((adapter) => adapter.loadRange(this.#keyOf(prefix)));
    return chunks.map(({ key, data }) => ({ key: key.slice(1), data }));
  }

  /** Returns the keys of all chunks, in their order. @throws when they cannot be read */
  async keys(): Promise<StorageKey[]> {
    const range = IDBKeyRange.bound([this.#userId], [this.#userId, '\uffff']);
    const keys = await this.#ask((store) => store.getAllKeys(range));
    return (keys as string[][]).map((key) => key.slice(1));
  }

  /** Reads chunks in one transaction: waiting for each costs a slow phone ten times as much. @throws when they cannot be read */
  async loadAll(keys: readonly StorageKey[]): Promise<(Uint8Array | undefined)[]> {
    const chunks = await this.#ask((store) =>
      Promise.all(keys.map((key) => store.get(this.#keyOf(key)))),
    );
    return chunks.map((chunk) => (chunk as { binary: Uint8Array } | undefined)?.binary);
  }

  /** The adapter has no call that reads many chunks. */
  #ask<T>(ask: (store: IDBPObjectStore) => Promise<T>): Promise<T> {
    return this.#use(async (adapter) => {
      const connection = wrap(await adapter['dbPromise']);
      return ask(connection.transaction(STORE).store as unknown as IDBPObjectStore);
    });
  }

  /** Settles when it is stored. @throws when it is not */
  write(write: ChunkWrite): Promise<void> {
    return this.#use(async (adapter) => {
      const isDone = this.#begin(adapter, write).then(() => true);
      // The adapter does not report when the browser aborts a transaction, as when the disk is full. The read is answered
      // after the transaction has ended.
      const hasEnded = adapter.load(NOTHING).then(() => false);
      if (!(await Promise.race([isDone, hasEnded]))) throw new Error('The browser stored nothing');
    });
  }

  #begin(adapter: IndexedDBStorageAdapter, write: ChunkWrite): Promise<void> {
    if ('save' in write) return adapter.save(this.#keyOf(write.save), write.data);
    if ('remove' in write) return adapter.remove(this.#keyOf(write.remove));
    return adapter.removeRange(this.#keyOf(write.removeRange));
  }

  readonly #keyOf = (key: StorageKey): string[] => [this.#userId, ...key];

  /** Repeats work over a new connection when the browser closed the old one: the adapter does not reopen it. */
  async #use<T>(work: (adapter: IndexedDBStorageAdapter) => Promise<T>): Promise<T> {
    await this.#checkOpen();
    const opened = this.open();
    try {
      return await work(await opened);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      if (this.#adapter === opened) this.#adapter = null;
      return work(await this.open());
    }
  }
}

/** Whether there is a database of this name; true where the browser cannot tell. */
async function exists(name: string): Promise<boolean> {
  const all = await indexedDB.databases?.().catch(() => undefined);
  return all?.some((each) => each.name === name) ?? true;
}

async function openAdapter(): Promise<IndexedDBStorageAdapter> {
  const adapter = new IndexedDBStorageAdapter(DATABASE, STORE);
  await opensInTime(adapter.load(NOTHING), () => {});
  return adapter;
}

/**
 * Stores of one user on this device: the heads of each document that the server's disk has `confirmed`; on their way
 * to the server `pictures` of dogs, `photos` of messages, `place_photos`, `hazard_photos` and, in order, the calls in the `outbox`; recordings of the
 * owner's own `sounds`; what is `attached` to messages that aren't sent; the owner's `walks`, which are stored nowhere else (decision 310); and the `journal` of what the user did
 * (decision 51). `generation` has an id of the database itself: another tab may create it again after the browser deleted it.
 * The chunks of documents are in a database of their own (`ChunkDatabase`).
 */
const STORES = {
  confirmed: {},
  pictures: {},
  photos: {},
  place_photos: {},
  hazard_photos: {},
  outbox: { autoIncrement: true },
  sounds: {},
  attached: {},
  walks: {},
  journal: {},
  generation: {},
} satisfies Record<string, IDBObjectStoreParameters>;
export type Store = keyof typeof STORES;
export type ReadableStore = IDBPObjectStore<unknown, [Store], Store>;
export type WritableStore = IDBPObjectStore<unknown, [Store], Store, 'readwrite'>;
/** Makes requests of a store, all at once. */
export type Write = (store: WritableStore) => Promise<unknown>;

/** Increase it when STORES gets another store. Existing stores stay, because older versions of the app use them. */
const VERSION = 10;
/** When a connection that the browser ended is opened again, if nothing needs it before. */
const REOPEN_AFTER_MS = 1_000;
/** Where the store `generation` has it. */
const GENERATION = 'id';

/** Whether data was stored, in `localStorage`, which browsers delete separately. */
const STORED = 'stored';

/** Whether this or an earlier start has stored something of a user. */
export const hasStored = (userId: string): boolean =>
  readCache(z.literal(true), userId, STORED) ?? false;

const nameFor = (userId: string) => `leashwise-${userId}`;

/** The actions of other tabs on the database. */
export interface DatabaseEvents {
  /** Another tab removes it, at logout: it is closed for good by then. */
  onRemoved(): void;
  /** Another tab runs a newer version of the app. This one continues as before. */
  onUpgraded(): void;
  /** The browser deleted what was stored, before this start or under the open app. */
  onLost(): void;
  /** It has stored something before, and can't be opened. */
  onUnreadable(): void;
}

/**
 * Opens the database of one user.
 * @throws when the browser stores nothing, as in some private windows, or does not answer
 */
export async function openDatabase(
  userId: string,
  events: Partial<DatabaseEvents> = {},
): Promise<LocalDatabase> {
  const database = new LocalDatabase(userId, events);
  await Promise.all([database.connect(), database.chunks.open()]);
  database.noteStored();
  return database;
}

/**
 * The database of one user. Its connection is reopened when the browser closed it, as phones do to suspended pages.
 */
export class LocalDatabase {
  readonly userId: string;
  /** The chunks of the user's documents. */
  readonly chunks: ChunkDatabase;
  readonly #events: Partial<DatabaseEvents>;
  readonly #wasRemembered: boolean;
  #connection: IDBPDatabase | null = null;
  #connecting: Promise<IDBPDatabase> | null = null;
  /** Of the database that was opened first. */
  #generation: unknown;
  #isClosed = false;
  /** Whether this or an earlier start stored data. */
  #hasStored: boolean;

  constructor(userId: string, events: Partial<DatabaseEvents>) {
    this.userId = userId;
    this.#events = events;
    this.#wasRemembered = this.#isRemembered();
    this.#hasStored = hasStored(userId);
    this.chunks = new ChunkDatabase(
      userId,
      () => this.connect(),
      () => this.#onEmpty(),
    );
  }

  /** Notes that both databases have data from now on. */
  noteStored(): void {
    if (!this.#hasStored) writeCache(this.userId, STORED, true);
    this.#hasStored = true;
  }

  #onEmpty(): void {
    if (this.#hasStored && !this.#isClosed) this.#events.onLost?.();
  }

  /** Reads from one store in one transaction. @param ask makes all its requests at once */
  read<T>(name: Store, ask: (store: ReadableStore) => Promise<T>): Promise<T> {
    return this.#use((connection) => ask(connection.transaction(name).store as ReadableStore));
  }

  /** Runs writes on one store in one transaction: all of them are stored, or it rejects and none is. */
  commit(name: Store, writes: readonly Write[]): Promise<void> {
    return this.#use(async (connection) => {
      const transaction = connection.transaction(name, 'readwrite');
      const store = transaction.store as WritableStore;
      // An async function: a request that throws must not leave `done` without a handler.
      const requests = writes.map(async (write) => write(store));
      await Promise.all([...requests, transaction.done]);
    });
  }

  /** Closes it for good; what is under way is still done. */
  close(): void {
    this.#isClosed = true;
    if (this.#connection) this.#release(this.#connection);
  }

  /** @throws when it is closed, or the browser does not open it */
  async connect(): Promise<IDBPDatabase> {
    // A tab that was suspended during a logout must not store data again.
    if (this.#wasRemembered && !this.#isRemembered()) this.#onRemoved();
    if (this.#isClosed) throw new Error('The database is closed');
    if (this.#connection) return this.#connection;
    this.#connecting ??= this.#open().finally(() => (this.#connecting = null));
    const connection = await this.#connecting;
    if (this.#isClosed) connection.close();
    else this.#connection = connection;
    return connection;
  }

  async #use<T>(work: (connection: IDBPDatabase) => Promise<T>): Promise<T> {
    const connection = this.#connection ?? (await this.connect());
    try {
      return await work(connection);
    } catch (error) {
      if (!isConnectionLost(error) && this.#connection === connection) throw error;
      if (this.#connection === connection) this.#release(connection);
      return work(await this.connect());
    }
  }

  /** Also opens the database of a newer version of the app, after a rollback or in another tab. */
  #open(): Promise<IDBPDatabase> {
    return this.#openAs(VERSION).catch((error: unknown) => {
      if ((error as Error | null)?.name !== 'VersionError') throw error;
      return this.#openAs(undefined);
    });
  }

  async #openAs(version: number | undefined): Promise<IDBPDatabase> {
    let isNew = false;
    let opened: IDBPDatabase | null = null;
    const opening = openDB(nameFor(this.userId), version, {
      upgrade: (database, before) => {
        isNew = before === 0;
        for (const [store, options] of Object.entries(STORES))
          if (!database.objectStoreNames.contains(store))
            database.createObjectStore(store, options);
      },
      // Another tab waits until this one closes its connection.
      blocking: (_, newVersion, event) => {
        this.#release(event.target as IDBDatabase);
        if (newVersion === null) return this.#onRemoved();
        this.#events.onUpgraded?.();
      },
      terminated: () => {
        if (this.#connection !== opened) return;
        this.#connection = null;
        // It may have been deleted, which must be said.
        setTimeout(() => void this.#reopen(), REOPEN_AFTER_MS);
      },
    });
    opened = await opensInTime(opening, (late) => late.close());
    const generation = await generationOf(opened);
    if (isNew || (this.#generation !== undefined && generation !== this.#generation))
      this.#onEmpty();
    this.#generation = generation;
    return opened;
  }

  async #reopen(): Promise<void> {
    if (this.#isClosed) return;
    try {
      await this.connect();
    } catch (error) {
      console.warn('Failed to reopen the database', error);
    }
  }

  #onRemoved(): void {
    this.close();
    this.#events.onRemoved?.();
  }

  #release(connection: { close(): void }): void {
    this.#connection = null;
    connection.close();
  }

  readonly #isRemembered = () => rememberedUser()?.id === this.userId;
}

/** @returns undefined where it can't be known: without room, or in the database of an older app, after a rollback */
async function generationOf(database: IDBPDatabase): Promise<unknown> {
  if (!database.objectStoreNames.contains('generation')) return undefined;
  const known = await database.get('generation', GENERATION).catch(() => undefined);
  if (known !== undefined) return known;
  try {
    // Another tab may do the same.
    const transaction = database.transaction('generation', 'readwrite');
    const generation = (await transaction.store.get(GENERATION)) ?? newId();
    await Promise.all([transaction.store.put(generation, GENERATION), transaction.done]);
    return generation;
  } catch {
    return undefined;
  }
}

/** Removes everything that this device stores of a user. */
export async function deleteDatabase(userId: string): Promise<void> {
  await deleteDB(nameFor(userId));
  // Afterwards: every tab has closed its database by now, and writes nothing more.
  await ChunkDatabase.clear(userId);
}
