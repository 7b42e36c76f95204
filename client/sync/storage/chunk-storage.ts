import type { Chunk, StorageAdapterInterface, StorageKey } from '@automerge/automerge-repo/slim';
import { answerOf, type LocalDatabase } from './local-database.ts';

type Write = (store: IDBObjectStore) => void;

const RETRY_MS = 5_000;
const within = (prefix: StorageKey) => IDBKeyRange.bound(prefix, [...prefix, '￿']);

/**
 * Where the Repo keeps the chunks of documents. A write that the browser refuses (no room left, storage
 * taken away) stays in memory and is tried again, in order, so that a chunk is never removed before the
 * one that replaces it is kept. The Repo itself would go on as if it had been kept.
 */
export class ChunkStorage implements StorageAdapterInterface {
  private waiting: Write[] = [];
  private committing: Promise<void> = Promise.resolve();
  private isClosed = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly database: LocalDatabase;
  private readonly onFailing: (failing: boolean) => void;
  private readonly gone: Set<string>;

  /**
   * @param onFailing told when writes begin to be refused, and when all are kept again
   * @param gone documents of which nothing is kept, whoever would save it
   */
  constructor(database: LocalDatabase, onFailing: (failing: boolean) => void, gone: Set<string>) {
    this.database = database;
    this.onFailing = onFailing;
    this.gone = gone;
  }

  load(key: StorageKey | IDBKeyRange): Promise<Uint8Array | undefined> {
    return this.read(undefined, (store) => answerOf<Uint8Array | undefined>(store.get(key)));
  }

  async save(key: StorageKey, data: Uint8Array): Promise<void> {
    if (!this.gone.has(key[0] ?? '')) await this.write((store) => store.put(data, key));
  }

  remove(key: StorageKey): Promise<void> {
    return this.write((store) => store.delete(key));
  }

  loadRange(prefix: StorageKey): Promise<Chunk[]> {
    return this.read([], async (store) => {
      const [keys, values] = await Promise.all([
        answerOf(store.getAllKeys(within(prefix))),
        answerOf<Uint8Array[]>(store.getAll(within(prefix))),
      ]);
      return keys.map((key, i) => ({ key: key as StorageKey, data: values[i] }));
    });
  }

  /** Any of what is kept of a document; undefined where there is none, or it cannot be read. */
  sample(documentId: string): Promise<Uint8Array | undefined> {
    return this.load(within([documentId]));
  }

  removeRange(prefix: StorageKey): Promise<void> {
    return this.write((store) => store.delete(within(prefix)));
  }

  /** Removes all that is kept of a document. @returns whether it is off the disk by now */
  async forget(documentId: string): Promise<boolean> {
    const removal: Write = (store) => store.delete(within([documentId]));
    await this.write(removal);
    // Others may wait by now; a refused one waits again itself.
    return !this.isClosed && !this.waiting.includes(removal);
  }

  /** Stops trying; what is not kept by now never will be. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
    this.waiting = [];
    this.database.close();
  }

  /** What cannot be read counts as none, so that the Repo asks the server: it would show 'loading' for ever. */
  private async read<T>(none: T, ask: (store: IDBObjectStore) => Promise<T>): Promise<T> {
    try {
      return await this.database.read('chunks', ask);
    } catch (error) {
      console.warn('This device could not read what it keeps', error);
      return none;
    }
  }

  private write(write: Write): Promise<void> {
    if (this.isClosed) return Promise.resolve();
    this.waiting.push(write);
    this.committing = this.committing.then(() => this.flush());
    return this.committing;
  }

  private async flush(): Promise<void> {
    const batch = this.waiting;
    if (batch.length === 0 || this.isClosed) return;
    this.waiting = [];
    clearTimeout(this.retry);
    try {
      await this.database.commit('chunks', batch);
      this.onFailing(false);
    } catch (error) {
      console.warn('This device could not keep a change', error);
      this.waiting = [...batch, ...this.waiting];
      this.onFailing(true);
      this.retry = setTimeout(() => {
        this.committing = this.committing.then(() => this.flush());
      }, RETRY_MS);
    }
  }
}
