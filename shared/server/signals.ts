import { setTimeout as wait } from 'node:timers/promises';
import {
  ObjectId,
  type Collection,
  type Db,
  type FindCursor,
  type MongoError,
  type WithId,
} from 'mongodb';
import { backoffMs } from '../backoff.ts';
import type { SignalRow } from './collections.ts';

/** Receives a signal, or 'lost' if some may have been missed: then everything that was cached is invalid. */
export type SignalListener = (signal: SignalRow | 'lost') => void;

/** Decision 2 has the reasons. */
export interface Signals {
  /** Announces to all servers that data of a user changed; to this one at once. */
  send(topic: SignalRow['topic'], userId: string): Promise<void>;
  /** Returns a function that stops listening. */
  listen(listener: SignalListener): () => void;
  /** Whether the tail worked within the last second, so cached data is valid. */
  isFresh(): boolean;
  /** Resolves when the tail works, or when this is closed. */
  whenFresh(): Promise<void>;
  close(): Promise<void>;
}

const SIZE_BYTES = 1024 * 1024;
const NAMESPACE_EXISTS = 48;
const AWAIT_MS = 300;
/** Time between two queries of the embedded engine, which answers at once instead of waiting for data. */
const PAUSE_MS = 100;
const FRESH_MS = 1_000;
const RETRY_MS = { first: 200, longest: 1_000 };
/** The clocks of two machines may differ by this much. */
const CLOCKS_MS = 5_000;

/** Creates the collection of signals if it does not exist. */
export async function ensureSignals(db: Db): Promise<void> {
  await db
    .createCollection('signals', { capped: true, size: SIZE_BYTES })
    .catch((error: MongoError) => {
      if (error.code !== NAMESPACE_EXISTS) throw error;
    });
}

/**
 * Tails the capped collection of signals. Open it once per process.
 * @param onFailure called with the error when the tail breaks, before it is opened again
 * @param topics those that the process listens to, if not all: MongoDB answers the tail only for these
 */
export function openSignals(
  signals: Collection<SignalRow>,
  onFailure: (error: unknown) => void,
  topics?: readonly SignalRow['topic'][],
): Signals {
  const listeners = new Set<SignalListener>();
  /** Ids of signals that this process sent and has not read yet: its listeners are notified when they are stored. */
  const sent = new Set<string>();
  const stopped = new AbortController();
  /** In monotonic milliseconds, like the other times here: the wall clock may be set back. */
  let aliveAt = -Infinity;
  let waiting: (() => void)[] = [];
  let cursor: FindCursor<WithId<SignalRow>> | undefined;

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  }

  const isFresh = () => performance.now() - aliveAt < FRESH_MS;
  const notify = (signal: SignalRow | 'lost') => {
    for (const listener of listeners) listener(signal);
  };

  async function tail(since: Date): Promise<void> {
    // A tailable cursor on an empty collection is closed at once.
    if (!(await signals.findOne()))
      await signals.insertOne({ topic: 'user', user_id: '', at: new Date() });
    cursor = signals.find(
      { at: { $gte: since }, ...(topics && { topic: { $in: topics } }) },
      { tailable: true, awaitData: true, maxAwaitTimeMS: AWAIT_MS },
    );
    // Signals from before the cursor was opened are not in it.
    sent.clear();
    notify('lost');
    let askedAt = 0;
    while (!stopped.signal.aborted && !cursor.closed) {
      if (cursor.bufferedCount() === 0) askedAt = performance.now();
      const signal = await cursor.tryNext();
      if (signal && !sent.delete(signal._id.toHexString())) notify(signal);
      const isPauseDue = !signal && performance.now() - askedAt < PAUSE_MS;
      if (cursor.bufferedCount() === 0) {
        // An answer may have been on its way for long: it tells what was there when the database stopped waiting.
        aliveAt = Math.min(performance.now(), askedAt + AWAIT_MS);
        if (isFresh()) wake();
      }
      if (isPauseDue) await wait(PAUSE_MS);
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !stopped.signal.aborted; failures += 1) {
      const openedAt = performance.now();
      await tail(new Date(Date.now() - CLOCKS_MS)).catch((error: unknown) => {
        if (!stopped.signal.aborted) onFailure(error);
      });
      if (aliveAt > openedAt) failures = 0;
      aliveAt = -Infinity;
      notify('lost');
      await cursor?.close().catch(() => {});
      if (!stopped.signal.aborted) await wait(backoffMs(RETRY_MS, failures));
    }
  }

  const running = run();
  return {
    async send(topic, userId) {
      const signal: SignalRow = { topic, user_id: userId, at: new Date() };
      const _id = new ObjectId();
      sent.add(_id.toHexString());
      try {
        await signals.insertOne({ _id, ...signal });
      } catch (error) {
        // It may be stored nevertheless.
        sent.delete(_id.toHexString());
        throw error;
      }
      notify(signal);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isFresh,
    whenFresh: () =>
      isFresh() || stopped.signal.aborted
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push(resolve)),
    async close() {
      stopped.abort();
      wake();
      await cursor?.close().catch(() => {});
      await running;
    },
  };
}
