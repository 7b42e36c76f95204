import { MINUTE_MS } from '#shared/time.ts';
import type { Database } from '../database.ts';

/** How long a node names what it loads, after one that did not say what it worked on has crashed. */
const CAREFUL_MS = 10 * MINUTE_MS;

/**
 * The documents that this node loads, in its row: should it crash, one of them may be the reason. Usually nothing is noted, because the
 * watchdog notices what takes long. Crashes are rare, and a sudden one is followed by some minutes in which each load waits for a write.
 * Documents that were loaded together when a node crashed are then loaded alone: only one of them can be the reason for the next crash.
 */
export class LoadMarks {
  readonly #database: Pick<Database, 'documents' | 'syncNodes'>;
  readonly #node: string;
  readonly #loading = new Map<string, number>();
  readonly #suspects = new Set<string>();
  readonly #running = new Set<Promise<unknown>>();
  /** The last document that is loaded alone. */
  #alone: Promise<unknown> = Promise.resolve();
  #until = -Infinity;
  #writing: Promise<unknown> | null = null;
  #next: Promise<unknown> | null = null;

  /** @param node the id of this node */
  constructor(database: Pick<Database, 'documents' | 'syncNodes'>, node: string) {
    this.#database = database;
    this.#node = node;
  }

  /** Notes loads for some minutes from now on. @param suspects the documents that are loaded alone */
  beCareful(suspects: readonly string[]): void {
    this.#until = performance.now() + CAREFUL_MS;
    this.#suspects.clear();
    for (const id of suspects) this.#suspects.add(id);
  }

  get #isCareful(): boolean {
    return performance.now() < this.#until;
  }

  isSuspect(documentId: string): boolean {
    return this.#isCareful && this.#suspects.has(documentId);
  }

  /** Runs work that loads documents: a suspect, or others. */
  async during<T>(documentIds: readonly string[], work: () => Promise<T>): Promise<T> {
    if (!this.#isCareful) return work();
    if (documentIds.some((id) => this.#suspects.has(id))) return this.#runAlone(documentIds, work);
    for (let alone; alone !== this.#alone;) {
      alone = this.#alone;
      await alone;
    }
    const running = this.#noted(documentIds, work);
    const ended = running.catch(() => {}).finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return running;
  }

  async #runAlone<T>(documentIds: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = [this.#alone, ...this.#running];
    const running = Promise.all(before).then(() => this.#noted(documentIds, work));
    this.#alone = running.catch(() => {});
    const result = await running;
    // It did not crash the node.
    for (const id of documentIds) this.#suspects.delete(id);
    const _id = { $in: [...documentIds] };
    await this.#database.documents.updateMany({ _id }, { $unset: { suspected_at: true } });
    return result;
  }

  async #noted<T>(documentIds: readonly string[], work: () => Promise<T>): Promise<T> {
    for (const id of documentIds) this.#loading.set(id, (this.#loading.get(id) ?? 0) + 1);
    try {
      await this.#write();
      return await work();
    } finally {
      for (const id of documentIds) {
        const left = this.#loading.get(id)! - 1;
        if (left > 0) this.#loading.set(id, left);
        else this.#loading.delete(id);
      }
      // Otherwise, the next load writes it.
      if (this.#loading.size === 0) this.#write().catch(() => {});
    }
  }

  /** Resolves when the row has all that was noted before the call. */
  #write(): Promise<unknown> {
    if (!this.#writing) {
      const loading = [...this.#loading.keys()];
      this.#writing = this.#database.syncNodes
        .updateOne({ _id: this.#node }, { $set: { loading } })
        .finally(() => (this.#writing = null));
      return this.#writing;
    }
    // One that is running may have begun before.
    this.#next ??= this.#writing
      .catch(() => {})
      .then(() => {
        this.#next = null;
        return this.#write();
      });
    return this.#next;
  }
}
