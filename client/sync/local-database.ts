/**
 * What this device keeps of one user: `chunks` of documents, the heads of each document that the
 * server's disk has `confirmed`, and `pictures` on their way to the server.
 */
const STORES = ['chunks', 'confirmed', 'pictures'] as const;
export type Store = (typeof STORES)[number];

const PATIENCE_MS = 4_000;

const nameFor = (userId: string) => `leashwise-${userId}`;

/**
 * Opens the database of one user.
 * @throws where the browser keeps nothing, as in some private windows, or does not answer
 */
export function openDatabase(userId: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('IndexedDB does not answer')), PATIENCE_MS);
    const request = indexedDB.open(nameFor(userId), 1);
    request.onupgradeneeded = () => {
      for (const store of STORES) request.result.createObjectStore(store);
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
