import {
  IDBCursor,
  IDBDatabase,
  IDBFactory,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBRequest,
  IDBTransaction,
} from 'fake-indexeddb';

/** The classes that client code and `idb` expect as globals in addition to `indexedDB`. */
export const INDEXED_DB_CLASSES = {
  IDBCursor,
  IDBDatabase,
  IDBIndex,
  IDBKeyRange,
  IDBObjectStore,
  IDBRequest,
  IDBTransaction,
};

/** Gives the code under test a browser that stores nothing yet. */
export function freshIndexedDb(): void {
  Object.assign(globalThis, INDEXED_DB_CLASSES, { indexedDB: new IDBFactory() });
}

/** Returns the names of the databases with data. All users share the documents database, so it stays when it is empty. */
export async function usedDatabases(): Promise<string[]> {
  const names = (await indexedDB.databases()).map(({ name }) => name!);
  const used = await Promise.all(names.map(isUsed));
  return names.filter((_, i) => used[i]);
}

async function isUsed(name: string): Promise<boolean> {
  if (name !== 'leashwise-documents') return true;
  const database = await answerOf(indexedDB.open(name));
  const [store] = database.objectStoreNames;
  const count = await answerOf(database.transaction(store!).objectStore(store!).count());
  database.close();
  return count > 0;
}

/** Waits for one request; rejects with its error. */
export function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
