import type { Store as Subject } from '../../store.ts';
import type { LocalDatabase, Store, WritableStore } from './local-database.ts';

/** Where rows are kept, and who says so. */
export interface RowsHost {
  /** Whether nothing is stored any more: what was not stored by then is lost with this page. */
  readonly isClosed: boolean;
  /** Null where the browser stores nothing. */
  readonly database: Promise<LocalDatabase | null>;
  /** Called with true while the browser refuses to store rows, and false once all are stored. */
  noteRefusing(store: Store, failing: boolean): void;
  /** Called with true while rows of a store can't be read, and with false once they can. */
  noteUnreadable(store: Store, failing: boolean): void;
  /** Notified when the browser deleted what was stored. */
  readonly losses?: Subject;
}

const RETRY_MS = 5_000;

/**
 * Stores the rows of one store that only this device has until the server does: the journal, calls, pictures, recordings and walks.
 * What the browser refuses is tried again and reported; what it deleted under the open app is stored again.
 */
export class StoredRows<K extends string | number> {
  readonly #host: RowsHost;
  readonly #name: Store;
  readonly #valueOf: (key: K) => unknown;
  readonly #keys: () => Iterable<K>;
  /** Keys of rows that are not stored as they are now. */
  readonly #waiting = new Set<K>();
  /** What must be stored for a waiting row to be written; without one, it is written in any case. */
  readonly #conditions = new Map<K, (stored: unknown) => boolean>();
  /** Keys of those that are being stored. */
  #underway = new Set<K>();
  #storing: Promise<void> = Promise.resolve();
  #retry: ReturnType<typeof setTimeout> | undefined;
  #isScheduled = false;
  /** Whether what earlier starts stored is known here. Until then, nobody knows whether there is any. */
  isRead = false;

  /**
   * @param valueOf returns a row as it is now; undefined removes it
   * @param keys returns the keys of all rows
   */
  constructor(host: RowsHost, store: Store, valueOf: (key: K) => unknown, keys: () => Iterable<K>) {
    this.#keys = keys;
    this.#host = host;
    this.#name = store;
    this.#valueOf = valueOf;
    host.losses?.subscribe(() => void this.storeAll());
  }

  /**
   * Reads the rows of earlier starts. If that fails, it is tried again until this page closes.
   * @param take receives them, none where the browser stores nothing; perhaps late, when others were added meanwhile
   * @returns a promise that settles after the first try
   */
  async read<V>(take: (rows: ReadonlyMap<K, V>) => void): Promise<void> {
    let rows: ReadonlyMap<K, V>;
    try {
      rows = await this.readNow<V>();
    } catch {
      setTimeout(() => this.#host.isClosed || void this.read(take), RETRY_MS);
      return;
    }
    this.isRead = true;
    take(rows);
  }

  /** Returns the rows of all tabs; none where the browser stores nothing. @throws when they can't be read */
  async readNow<V>(): Promise<ReadonlyMap<K, V>> {
    const database = await this.#host.database;
    if (!database) return new Map();
    try {
      const [keys, values] = await database.read(this.#name, (store) =>
        Promise.all([store.getAllKeys() as Promise<K[]>, store.getAll() as Promise<V[]>]),
      );
      if (!this.#host.isClosed) this.#host.noteUnreadable(this.#name, false);
      return new Map(keys.map((key, i) => [key, values[i]!]));
    } catch (error) {
      console.warn(`Failed to read ${this.#name} on this device`, error);
      if (!this.#host.isClosed) this.#host.noteUnreadable(this.#name, true);
      throw error;
    }
  }

  /** Stores a row that changed: with everything that happens in this task, in one transaction that begins with its end. */
  changed(key: K): void {
    this.#conditions.delete(key);
    this.#wait(key);
  }

  #wait(key: K): void {
    this.#waiting.add(key);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#storing = this.#storing.then(() => this.#storeWaiting());
    });
  }

  /** As `changed`; settles as `flush`. */
  store(key: K): Promise<boolean> {
    this.changed(key);
    return this.flush();
  }

  /** As `store`, unless another tab has stored something else meanwhile. @param isExpected whether it has not */
  storeIf(key: K, isExpected: (stored: unknown) => boolean): Promise<boolean> {
    if (!this.#waiting.has(key) || this.#conditions.has(key)) this.#conditions.set(key, isExpected);
    this.#wait(key);
    return this.flush();
  }

  /** Whether a row is not stored as it is now. */
  isWaiting(key: K): boolean {
    return this.#waiting.has(key) || this.#underway.has(key);
  }

  /** Settles when all is stored, or could not be. @returns whether all is */
  async flush(): Promise<boolean> {
    await Promise.resolve();
    await this.#storing;
    return this.#waiting.size === 0 && (await this.#host.database) !== null;
  }

  /** Settles once a row is stored as it is now, after as many tries as that takes. @returns false where it never is */
  async whenStored(key: K): Promise<boolean> {
    if ((await this.#host.database) === null) return false;
    await this.flush();
    while (this.isWaiting(key)) {
      if (this.#host.isClosed) return false;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      await this.flush();
    }
    return true;
  }

  /** Stores every row again. */
  storeAll(): Promise<boolean> {
    for (const key of this.#keys()) this.changed(key);
    return this.flush();
  }

  async #storeWaiting(): Promise<void> {
    const database = await this.#host.database;
    if (!database || this.#host.isClosed || this.#waiting.size === 0) return;
    clearTimeout(this.#retry);
    const keys = [...this.#waiting];
    const conditions = new Map(this.#conditions);
    const writes = keys.map((key) => async (store: WritableStore) => {
      const isExpected = conditions.get(key);
      if (isExpected && !isExpected(await store.get(key))) return;
      const value = this.#valueOf(key);
      await (value === undefined ? store.delete(key) : store.put(value, key));
    });
    this.#waiting.clear();
    this.#conditions.clear();
    this.#underway = new Set(keys);
    try {
      await database.commit(this.#name, writes);
      if (this.#waiting.size === 0) this.#host.noteRefusing(this.#name, false);
    } catch (error) {
      if (this.#host.isClosed) return;
      console.warn(`Failed to write to ${this.#name} on this device`, error);
      for (const key of keys) {
        const isExpected = conditions.get(key);
        // What was to be written in any case still is.
        if (!isExpected) this.#conditions.delete(key);
        else if (!this.#waiting.has(key)) this.#conditions.set(key, isExpected);
        this.#waiting.add(key);
      }
      this.#host.noteRefusing(this.#name, true);
      this.#retry = setTimeout(() => {
        this.#storing = this.#storing.then(() => this.#storeWaiting());
      }, RETRY_MS);
    } finally {
      this.#underway.clear();
    }
  }
}
