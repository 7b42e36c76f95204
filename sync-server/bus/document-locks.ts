import { setTimeout as wait } from 'node:timers/promises';
import type { Bus } from '#shared/bus/bus.ts';
import { newId } from '#shared/ids.ts';
import { takeLease } from '#shared/server/lease.ts';
import type { Database } from '../core/database.ts';

/** Longer than anything that is done with a lock; a node that crashed keeps it for so long. */
const HELD_MAX_MS = 15_000;
/** How often a lock is tried to be taken of which the bus does not say that it is free. */
const AGAIN_MS = 100;

const subjectOf = (documentId: string) => `document-locks.${documentId}`;

interface Lock {
  _id: string;
  holder: string;
}

/**
 * Locks of documents between nodes, in MongoDB. Named changes of documents that only the server writes depend on what is there, such
 * as a version; two nodes that make them at the same time would leave the choice to Automerge.
 */
export class DocumentLocks {
  readonly #locks: Database['locks'];
  readonly #bus: Bus;
  /** The last work by document: this node takes a lock once at a time. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor({ locks }: Pick<Database, 'locks'>, bus: Bus) {
    this.#locks = locks;
    this.#bus = bus;
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
    const lock = (await this.#take(documentId)) ?? (await this.#waitFor(documentId));
    let isHeld = false;
    let result: T;
    try {
      result = await work();
    } finally {
      const { deletedCount } = await this.#locks.deleteOne(lock);
      isHeld = deletedCount === 1;
      this.#bus.publish(subjectOf(documentId), {});
    }
    if (!isHeld) throw new Error('another node took over the lock of the document');
    return result;
  }

  /** Takes a lock when the node that has it releases it. */
  async #waitFor(documentId: string): Promise<Lock> {
    const until = performance.now() + HELD_MAX_MS;
    let wake = () => {};
    const unsubscribe = this.#bus.subscribe(subjectOf(documentId), () => wake());
    try {
      for (;;) {
        const released = new Promise<void>((resolve) => (wake = resolve));
        const lock = await this.#take(documentId);
        if (lock) return lock;
        if (performance.now() > until) throw new Error('another node has the lock of the document');
        await Promise.race([released, wait(AGAIN_MS)]);
      }
    } finally {
      unsubscribe();
    }
  }

  async #take(_id: string): Promise<Lock | null> {
    const holder = newId();
    const row = await takeLease(this.#locks, _id, holder, { lastsMs: HELD_MAX_MS });
    return row?.holder === holder ? { _id, holder } : null;
  }
}
