import { rememberedUser } from '../../session/remembered-user.ts';

/**
 * What this device keeps of one user: `chunks` of documents, the heads of each document that the
 * server's disk has `confirmed`, and on their way to the server `pictures` and, in order, the calls
 * in the `outbox`; and recordings of the owner's own `sounds`.
 */
const STORES = {
  chunks: {},
  confirmed: {},
  pictures: {},
  outbox: { autoIncrement: true },
  sounds: {},
} satisfies Record<string, IDBObjectStoreParameters>;
export type Store = keyof typeof STORES;

/** One more whenever STORES gets another. What is there stays: versions of before go on using it, beside this one. */
const VERSION = 3;

const PATIENCE_MS = 4_000;

const nameFor = (userId: string) => `leashwise-${userId}`;

/** Under these names a browser says that the connection is gone, whatever it was asked for. */
const LOST = new Set(['InvalidStateError', 'UnknownError']);

/** What other tabs do to the database. */
export interface DatabaseEvents {
  /** One removes it, at logout: it is closed for good by then. */
  onRemoved(): void;
  /** One is of a newer version of the app. This one goes on as before. */
  onUpgraded(): void;
}

/**
 * Opens the database of one user.
 * @throws where the browser keeps nothing, as in some private windows, or does not answer
 */
export async function openDatabase(
  userId: string,
  told: Partial<DatabaseEvents> = {},
): Promise<LocalDatabase> {
  const database = new LocalDatabase(userId, told);
  await database.connect();
  return database;
}

/**
 * The database of one user, over a connection that is opened again when the browser took it away, as phones do to pages that
 * they put to sleep.
 */
export class LocalDatabase {
  private readonly userId: string;
  private readonly told: Partial<DatabaseEvents>;
  private readonly wasRemembered: boolean;
  private connection: IDBDatabase | null = null;
  private connecting: Promise<IDBDatabase> | null = null;
  private isClosed = false;

  constructor(userId: string, told: Partial<DatabaseEvents>) {
    this.userId = userId;
    this.told = told;
    this.wasRemembered = this.isRemembered();
  }

  /** Reads from one store in one transaction. @param ask makes all its requests at once */
  read<T>(name: Store, ask: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    return this.use((connection) => ask(connection.transaction(name).objectStore(name)));
  }

  /** Runs writes on one store in one transaction: all of them are kept, or it rejects and none is. */
  commit(name: Store, writes: readonly ((store: IDBObjectStore) => void)[]): Promise<void> {
    return this.use(
      (connection) =>
        new Promise((resolve, reject) => {
          const transaction = connection.transaction(name, 'readwrite');
          transaction.oncomplete = () => resolve();
          transaction.onabort = () => reject(transaction.error ?? new Error('Not kept'));
          for (const write of writes) write(transaction.objectStore(name));
        }),
    );
  }

  /** Lets go of it for good; what is under way is still done. */
  close(): void {
    this.isClosed = true;
    if (this.connection) this.letGo(this.connection);
  }

  async connect(): Promise<IDBDatabase> {
    // A tab that slept through a logout must not bring back what that removed.
    if (this.wasRemembered && !this.isRemembered()) this.remove();
    if (this.isClosed) throw new Error('The database is closed');
    this.connecting ??= open(nameFor(this.userId)).finally(() => (this.connecting = null));
    const connection = await this.connecting;
    if (this.isClosed) connection.close();
    else if (this.connection !== connection) this.take(connection);
    return connection;
  }

  private async use<T>(work: (connection: IDBDatabase) => Promise<T>): Promise<T> {
    const connection = this.connection ?? (await this.connect());
    try {
      return await work(connection);
    } catch (error) {
      const isLost = LOST.has((error as Error | null)?.name ?? '');
      if (!isLost && this.connection === connection) throw error;
      this.letGo(connection);
      return work(this.connection ?? (await this.connect()));
    }
  }

  private take(connection: IDBDatabase): void {
    this.connection = connection;
    connection.onclose = () => this.letGo(connection);
    // Holding on would keep the data there, or the other tab waiting.
    connection.onversionchange = ({ newVersion }) => {
      if (newVersion === null) return this.remove();
      this.letGo(connection);
      this.told.onUpgraded?.();
    };
  }

  private remove(): void {
    this.close();
    this.told.onRemoved?.();
  }

  private letGo(connection: IDBDatabase): void {
    if (this.connection === connection) this.connection = null;
    connection.close();
  }

  private readonly isRemembered = () => rememberedUser()?.id === this.userId;
}

/** Also what a newer version of the app left here, before a rollback or in another tab. */
const open = (name: string): Promise<IDBDatabase> =>
  openAs(name, VERSION).catch((error: unknown) => {
    if ((error as Error | null)?.name !== 'VersionError') throw error;
    return openAs(name);
  });

function openAs(name: string, version?: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      reject(new Error('IndexedDB does not answer'));
    }, PATIENCE_MS);
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => {
      for (const [store, options] of Object.entries(STORES))
        if (!request.result.objectStoreNames.contains(store))
          request.result.createObjectStore(store, options);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error);
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      if (isLate) request.result.close();
      else resolve(request.result);
    };
  });
}

/** Removes all that this device keeps of a user. */
export function deleteDatabase(userId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(nameFor(userId));
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
}

/** Waits for one request; rejects with its error. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
