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

/** One more whenever STORES gets another: what is there stays. */
const VERSION = 3;

const PATIENCE_MS = 4_000;

const nameFor = (userId: string) => `leashwise-${userId}`;

/**
 * Opens the database of one user.
 * @throws where the browser keeps nothing, as in some private windows, or does not answer
 */
export function openDatabase(userId: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('IndexedDB does not answer')), PATIENCE_MS);
    const request = indexedDB.open(nameFor(userId), VERSION);
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
      // Another tab wants to remove it, at logout: holding on would keep the data there.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
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

/** Runs writes on one store in one transaction: all of them are kept, or it rejects and none is. */
export function commit(
  database: IDBDatabase,
  store: Store,
  writes: readonly ((store: IDBObjectStore) => void)[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(store, 'readwrite');
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('Not kept'));
    for (const write of writes) write(transaction.objectStore(store));
  });
}
