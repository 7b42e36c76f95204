import type { Database } from '../database.ts';

/** How long a node names what it loads, after one that did not say what it worked on has crashed. */
const CAREFUL_MS = 10 * 60_000;

/**
 * The documents that this node loads, in its row: should it crash, one of them may be the reason. Usually nothing is noted, because the
 * watchdog notices what takes long. Crashes are rare, and a sudden one is followed by some minutes in which each load waits for a write.
 */
export class LoadMarks {
  readonly #nodes: Database['syncNodes'];
  readonly #node: string;
  readonly #loading = new Map<string, number>();
  #until = -Infinity;
  #writing: Promise<unknown> | null = null;
  #next: Promise<unknown> | null = null;

  /** @param node the id of this node */
  constructor({ syncNodes }: Pick<Database, 'syncNodes'>, node: string) {
    this.#nodes = syncNodes;
    this.#node = node;
  }

  /** Notes loads for some minutes from now on. */
  beCareful(): void {
    this.#until = performance.now() + CAREFUL_MS;
  }

  /** Runs work that loads documents. */
  async during<T>(documentIds: readonly string[], work: () => Promise<T>): Promise<T> {
    if (performance.now() > this.#until) return work();
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
      this.#writing = this.#nodes
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
