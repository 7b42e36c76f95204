import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '#shared/ids.ts';
import { takeLease } from '#shared/server/lease.ts';
import type { Database } from '../database.ts';

/** Longer than anything that is done with a lock; a node that crashed keeps it for so long. */
const HELD_MAX_MS = 15_000;
const AGAIN_MS = 15;

/**
 * Locks of documents between nodes, in MongoDB. Named changes of documents that only the server writes depend on what is there, such
 * as a version; two nodes that make them at the same time would leave the choice to Automerge.
 */
export class DocumentLocks {
  readonly #locks: Database['locks'];
  /** The last work by document: this node takes a lock once at a time. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor({ locks }: Pick<Database, 'locks'>) {
    this.#locks = locks;
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
    const lock = await this.#take(name);
    if (!lock) return;
    try {
      await work();
    } finally {
      await this.#locks.deleteOne(lock);
    }
  }

  async #withLock<T>(documentId: string, work: () => Promise<T>): Promise<T> {
    const until = performance.now() + HELD_MAX_MS;
    let lock;
    while (!(lock = await this.#take(documentId))) {
      if (performance.now() > until) throw new Error('another node has the lock of the document');
      await wait(AGAIN_MS);
    }
    let isHeld = false;
    let result: T;
    try {
      result = await work();
    } finally {
      const { deletedCount } = await this.#locks.deleteOne(lock);
      isHeld = deletedCount === 1;
    }
    if (!isHeld) throw new Error('another node took over the lock of the document');
    return result;
  }

  async #take(_id: string): Promise<{ _id: string; holder: string } | null> {
    const holder = newId();
    const row = await takeLease(this.#locks, _id, holder, HELD_MAX_MS);
    return row?.holder === holder ? { _id, holder } : null;
  }
}
