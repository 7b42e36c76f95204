import { IndexedDBStorageAdapter } from '@automerge/automerge-repo-storage-indexeddb';
import type { Chunk, StorageKey } from '@automerge/automerge-repo/slim';
import { isConnectionLost, opensInTime } from './indexed-db.ts';

const DATABASE = 'leashwise-documents';
const STORE = 'chunks';
/** Never stored: a read of it tells that everything before it is done. */
const NOTHING = [''];

export type ChunkWrite =
  | { save: StorageKey; data: Uint8Array }
  | { remove: StorageKey }
  | { removeRange: StorageKey };

/**
 * The chunks of one user's documents, in automerge-repo's IndexedDB adapter. All users share its database, apart by the first
 * part of the key: the adapter never closes a connection, so the browser could not delete a database of one user.
 */
export class ChunkDatabase {
  private readonly userId: string;
  private readonly checkOpen: () => Promise<unknown>;
  private adapter: Promise<IndexedDBStorageAdapter> | null = null;

  /** @param checkOpen rejects when nothing of the user may be read or stored any more, as after a logout */
  constructor(userId: string, checkOpen: () => Promise<unknown>) {
    this.userId = userId;
    this.checkOpen = checkOpen;
  }

  /** Removes everything of one user. */
  static async clear(userId: string): Promise<void> {
    await new ChunkDatabase(userId, async () => {}).write({ removeRange: [] });
  }

  /** @throws when the browser does not open it */
  open(): Promise<IndexedDBStorageAdapter> {
    this.adapter ??= openAdapter().catch((error: unknown) => {
      this.adapter = null;
      throw error;
    });
    return this.adapter;
  }

  /** @throws when it cannot be read */
  load(key: StorageKey): Promise<Uint8Array | undefined> {
    return this.use((adapter) => adapter.load(this.keyOf(key)));
  }

  /** @throws when it cannot be read */
  async loadRange(prefix: StorageKey): Promise<Chunk[]> {
    const chunks = await this.use((adapter) => adapter.loadRange(this.keyOf(prefix)));
    return chunks.map(({ key, data }) => ({ key: key.slice(1), data }));
  }

  /** Settles when it is stored. @throws when it is not */
  write(write: ChunkWrite): Promise<void> {
    return this.use(async (adapter) => {
      const isDone = this.begin(adapter, write).then(() => true);
      // The adapter does not tell when the browser aborts a transaction, as it does when there is no room left. The read
      // is answered after the transaction has ended.
      const hasEnded = adapter.load(NOTHING).then(() => false);
      if (!(await Promise.race([isDone, hasEnded]))) throw new Error('The browser stored nothing');
    });
  }

  private begin(adapter: IndexedDBStorageAdapter, write: ChunkWrite): Promise<void> {
    if ('save' in write) return adapter.save(this.keyOf(write.save), write.data);
    if ('remove' in write) return adapter.remove(this.keyOf(write.remove));
    return adapter.removeRange(this.keyOf(write.removeRange));
  }

  private readonly keyOf = (key: StorageKey): string[] => [this.userId, ...key];

  /** Does it once more over a new connection when the browser closed this one: the adapter does not open another. */
  private async use<T>(work: (adapter: IndexedDBStorageAdapter) => Promise<T>): Promise<T> {
    await this.checkOpen();
    const opened = this.open();
    try {
      return await work(await opened);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      if (this.adapter === opened) this.adapter = null;
      return work(await this.open());
    }
  }
}

async function openAdapter(): Promise<IndexedDBStorageAdapter> {
  const adapter = new IndexedDBStorageAdapter(DATABASE, STORE);
  await opensInTime(adapter.load(NOTHING), () => {});
  return adapter;
}
