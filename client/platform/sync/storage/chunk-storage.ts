import type { Chunk, StorageKey } from '@automerge/automerge-repo/slim';
import type { DocumentStorage } from './document-storage.ts';
import type { ChunkWrite, LocalDatabase } from './local-database.ts';

const RETRY_MS = 5_000;

/**
 * Stores the chunks of documents for the Repo. A write that the browser rejects (disk full, storage revoked) stays in memory and is
 * retried in order, so that a chunk is never removed before its replacement is stored. The Repo does not notice. Decision 12.
 */
export class ChunkStorage implements DocumentStorage {
  #waiting: ChunkWrite[] = [];
  #flushing: Promise<void> = Promise.resolve();
  #isClosed = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  readonly #database: LocalDatabase;
  readonly #onFailing: (failing: boolean) => void;
  readonly #removedIds: Set<string>;

  /**
   * @param onFailing receives true when writes begin to be refused, and false when all are stored
   * @param removedIds ids of documents of which nothing is stored
   */
  constructor(
    database: LocalDatabase,
    onFailing: (failing: boolean) => void,
    removedIds: Set<string>,
  ) {
    this.#database = database;
    this.#onFailing = onFailing;
    this.#removedIds = removedIds;
  }

  load(key: StorageKey): Promise<Uint8Array | undefined> {
    return readOr(undefined, this.#database.chunks.load(key));
  }

  loadRange(prefix: StorageKey): Promise<Chunk[]> {
    return readOr([], this.#database.chunks.loadRange(prefix));
  }

  keys(): Promise<StorageKey[]> {
    return readOr([], this.#database.chunks.keys());
  }

  loadAll(keys: readonly StorageKey[]): Promise<(Uint8Array | undefined)[]> {
    return readOr([], this.#database.chunks.loadAll(keys));
  }

  async save(key: StorageKey, data: Uint8Array): Promise<void> {
    if (!this.#removedIds.has(key[0] ?? '')) await this.#write({ save: key, data });
  }

  remove(key: StorageKey): Promise<void> {
    return this.#write({ remove: key });
  }

  removeRange(prefix: StorageKey): Promise<void> {
    return this.#write({ removeRange: prefix });
  }

  /** Returns any chunk of a document; undefined when there is none, or it cannot be read. */
  async sample(documentId: string): Promise<Uint8Array | undefined> {
    return (await this.loadRange([documentId]))[0]?.data;
  }

  /** Removes all chunks of a document. @returns whether they are off the disk by now */
  async forget(documentId: string): Promise<boolean> {
    const removal: ChunkWrite = { removeRange: [documentId] };
    await this.#write(removal);
    // Other writes may wait by now; this one waits only if it was rejected.
    return !this.#isClosed && !this.#waiting.includes(removal);
  }

  /** Stops retrying: what is not stored by now is lost. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    this.#waiting = [];
    this.#database.close();
  }

  #write(write: ChunkWrite): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#waiting.push(write);
    return this.#flush();
  }

  #flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#storeWaiting());
    return this.#flushing;
  }

  async #storeWaiting(): Promise<void> {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    clearTimeout(this.#retry);
    try {
      for (let next = waiting[0]; next && !this.#isClosed; next = waiting[0]) {
        await this.#database.chunks.write(next);
        waiting.shift();
      }
      this.#onFailing(false);
    } catch (error) {
      if (this.#isClosed) return;
      console.warn('Failed to store a change on this device', error);
      this.#onFailing(true);
      this.#retry = setTimeout(() => void this.#flush(), RETRY_MS);
    }
  }
}

/** Treats an unreadable chunk as missing, so that the Repo asks the server instead of loading forever. */
async function readOr<T>(missing: T, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    console.warn('Failed to read documents on this device', error);
    return missing;
  }
}
