import { setTimeout as wait } from 'node:timers/promises';
import type { Collection, Db, FindCursor, MongoError, WithId } from 'mongodb';
import type { SignalRow } from './collections.ts';

/** A signal, or 'lost': some may have been missed, so drop everything that was cached. */
export type SignalListener = (signal: SignalRow | 'lost') => void;

export interface Signals {
  /** Tells every server, this one at once, that something about a user changed. */
  send(topic: SignalRow['topic'], userId: string): Promise<void>;
  /** @returns the way to stop listening */
  listen(listener: SignalListener): () => void;
  /** Whether the tail was alive within the last second, so that what was cached may be trusted. */
  isFresh(): boolean;
  close(): Promise<void>;
}

const SIZE_BYTES = 1024 * 1024;
const NAMESPACE_EXISTS = 48;
const AWAIT_MS = 300;
/** The embedded engine answers at once instead of awaiting; it is not asked more often than this. */
const PAUSE_MS = 100;
const FRESH_MS = 1_000;
const RETRY_MS = 200;
/** Clocks of two machines may differ by so much. */
const CLOCKS_MS = 5_000;

/** Makes the collection of signals, unless another server was first. */
export async function ensureSignals(db: Db): Promise<void> {
  await db
    .createCollection('signals', { capped: true, size: SIZE_BYTES })
    .catch((error: MongoError) => {
      if (error.code !== NAMESPACE_EXISTS) throw error;
    });
}

/**
 * Tails the capped collection of signals: one tail a process.
 * @param onFailure told why the tail broke; it is followed again
 */
export function openSignals(
  signals: Collection<SignalRow>,
  onFailure: (error: unknown) => void,
): Signals {
  const listeners = new Set<SignalListener>();
  const stopped = new AbortController();
  let aliveAt = 0;
  let cursor: FindCursor<WithId<SignalRow>> | undefined;

  const tell = (signal: SignalRow | 'lost') => {
    for (const listener of listeners) listener(signal);
  };

  async function tail(since: Date): Promise<void> {
    // A tailable cursor on an empty collection is dead at once.
    if (!(await signals.findOne()))
      await signals.insertOne({ topic: 'user', user_id: '', at: new Date() });
    cursor = signals.find(
      { at: { $gte: since } },
      { tailable: true, awaitData: true, maxAwaitTimeMS: AWAIT_MS },
    );
    // What happened before the cursor stood is not in it.
    tell('lost');
    while (!stopped.signal.aborted && !cursor.closed) {
      const asked = Date.now();
      const signal = await cursor.tryNext();
      aliveAt = Date.now();
      if (signal) tell(signal);
      else if (aliveAt - asked < PAUSE_MS) await wait(PAUSE_MS);
    }
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await tail(new Date(Date.now() - CLOCKS_MS)).catch((error: unknown) => {
        if (!stopped.signal.aborted) onFailure(error);
      });
      aliveAt = 0;
      tell('lost');
      await cursor?.close().catch(() => {});
      if (!stopped.signal.aborted) await wait(RETRY_MS);
    }
  }

  const running = run();
  return {
    async send(topic, userId) {
      const signal: SignalRow = { topic, user_id: userId, at: new Date() };
      await signals.insertOne({ ...signal });
      tell(signal);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isFresh: () => Date.now() - aliveAt < FRESH_MS,
    async close() {
      stopped.abort();
      await cursor?.close().catch(() => {});
      await running;
    },
  };
}
