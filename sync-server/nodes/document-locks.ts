import { setTimeout as wait } from 'node:timers/promises';
import { isDuplicate } from '#shared/server/duplicate-key.ts';
import type { Database } from '../database.ts';

/** Longer than anything that is done with a lock; a node that crashed keeps it for so long. */
const HELD_MAX_MS = 15_000;
/** The clocks of two nodes may differ by this much. */
const CLOCKS_MS = 5_000;
const AGAIN_MS = 15;

/**
 * Locks of documents between nodes, in MongoDB. Named changes of documents that only the server writes depend on what is there, such
 * as a version; two nodes that make them at the same time would leave the choice to Automerge.
 */
export class DocumentLocks {
  readonly #locks: Database['locks'];
  readonly #node: string;
  /** The last work by document: this node takes a lock once at a time. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor({ locks }: Pick<Database, 'locks'>, node: string) {
    this.#locks = locks;
    this.#node = node;
  }

  /**
   * Runs work while this node has the lock of a document.
   * @throws when another node has it for too long, or took it over because the work took too long
   */
  run<T>(documentId: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#queues.get(documentId) ?? Promise.resolve()).then(() =>
      this.#withLock(documentId, work),
    );
    const settled: Promise<unknown> = Promise.allSettled([turn]).finally(() => {
      if (this.#queues.get(documentId) === settled) this.#queues.delete(documentId);
    });
    this.#queues.set(documentId, settled);
    return turn;
  }

  /** Runs work if no other node has the lock. */
  async runIfFree(name: string, work: () => Promise<void>): Promise<void> {
    if (!(await this.#take(name))) return;
    try {
      await work();
    } finally {
      await this.#locks.deleteOne({ _id: name, node: this.#node });
    }
  }

  async #withLock<T>(documentId: string, work: () => Promise<T>): Promise<T> {
    const until = Date.now() + HELD_MAX_MS;
    while (!(await this.#take(documentId))) {
      if (Date.now() > until) throw new Error('another node has the lock of the document');
      await wait(AGAIN_MS);
    }
    let isHeld = false;
    let result: T;
    try {
      result = await work();
    } finally {
      const { deletedCount } = await this.#locks.deleteOne({ _id: documentId, node: this.#node });
      isHeld = deletedCount === 1;
    }
    if (!isHeld) throw new Error('another node took over the lock of the document');
    return result;
  }

  async #take(documentId: string): Promise<boolean> {
    const free = new Date(Date.now() - HELD_MAX_MS - CLOCKS_MS);
    try {
      await this.#locks.updateOne(
        { _id: documentId, taken_at: { $lt: free } },
        { $set: { node: this.#node, taken_at: new Date() } },
        { upsert: true },
      );
      return true;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return false;
    }
  }
}
