import { setTimeout as wait } from 'node:timers/promises';
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { backoffMs } from '#shared/backoff.ts';
import { newId } from '#shared/ids.ts';
import { batchCalls } from '#shared/server/batches.ts';
import type { Log } from '#shared/server/log.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import type { QueueRow } from './collections.ts';
import type { Queued } from './messages.ts';
import { NotSent } from './sender.ts';

export interface WorkerSettings<M extends Queued> {
  rows: Collection<QueueRow<M>>;
  log: Log;
  /** @param row where it is queued @throws NotSent */
  send(message: M, row: QueueRow<M>): Promise<string | null>;
  /** Whether the recipient has opted out since it was queued. */
  hasOptedOut(message: M): Promise<boolean>;
  /** Called when a recipient has opted out at the provider. */
  onOptOut(message: M): Promise<void>;
  /** Called once it is stored that a message waits: what it waits for may have come in the meantime. */
  onPostponed?(message: M): Promise<void>;
  /** What else is written together with the result once a message was sent. */
  withSent?(message: M, row: QueueRow<M>): AnyBulkWriteOperation<QueueRow<M>>;
  /** How many messages are sent at a time. */
  concurrency?: number;
  /** The shortest time between looking twice for due messages, so that batches grow with the load. */
  gatherMs?: number;
  /** In milliseconds; replaced in tests. */
  now?(): number;
}

/** A try that takes longer died with its process, and another may begin. */
export const LEASE_MS = MINUTE_MS;
/** Messages that could not be sent for this long fail. */
export const GIVE_UP_MS = DAY_MS;
/** Pauses between tries: 10 to 20 s after the first one, at most an hour. */
export const PAUSES_MS = { first: 20_000, longest: HOUR_MS };
const CONCURRENCY = 4;
/** How long results are gathered before they are stored together. */
const GATHER_RESULTS_MS = 20;

/** Sends due messages. Any number of servers may run it: only the holder of a message's lease sends it. */
export class QueueWorker<M extends Queued> {
  readonly #settings: WorkerSettings<M>;
  readonly #now: () => number;
  #running: Promise<void> | null = null;
  #again = false;
  #lookedAt = -Infinity;
  readonly #closing = new AbortController();
  readonly #store: (results: AnyBulkWriteOperation<QueueRow<M>>[]) => Promise<unknown>;

  constructor(settings: WorkerSettings<M>) {
    this.#settings = settings;
    this.#now = settings.now ?? Date.now;
    const { rows } = settings;
    this.#store = batchCalls((results) => rows.bulkWrite(results.flat(), { ordered: false }), {
      pauseMs: GATHER_RESULTS_MS,
    });
  }

  get #closed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Sends all due messages. A call during a run makes that run look once more. */
  async run(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#rounds().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Starts no more tries and waits for the current ones. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running?.catch(() => null);
  }

  async #rounds(): Promise<void> {
    do {
      await this.#gather();
      this.#again = false;
      if (!this.#closed) await this.#sendDue();
    } while (this.#again && !this.#closed);
  }

  async #gather(): Promise<void> {
    const { gatherMs = 0 } = this.#settings;
    const pause = Math.min(gatherMs, this.#lookedAt + gatherMs - performance.now());
    const { signal } = this.#closing;
    if (pause > 0) await wait(pause, undefined, { signal }).catch(() => {});
    this.#lookedAt = performance.now();
  }

  /** Claims as many messages at a time as there is room for. */
  async #sendDue(): Promise<void> {
    const { concurrency = CONCURRENCY } = this.#settings;
    const deliveries = new Set<Promise<unknown>>();
    const errors: unknown[] = [];
    while (!this.#closed && errors.length === 0) {
      const room = concurrency - deliveries.size;
      const { claimed, isAll } = await this.#claim(room);
      for (const row of claimed) {
        const delivery = this.#deliver(row)
          .catch((error: unknown) => errors.push(error))
          .finally(() => deliveries.delete(delivery));
        deliveries.add(delivery);
      }
      if (isAll) break;
      if (deliveries.size >= concurrency) await Promise.race(deliveries);
    }
    await Promise.all(deliveries);
    if (errors.length > 0) throw errors[0];
  }

  /** @returns those claimed, and whether no more are due */
  async #claim(most: number): Promise<{ claimed: QueueRow<M>[]; isAll: boolean }> {
    const rows = this.#settings.rows as unknown as Collection<QueueRow<Queued>>;
    const now = this.#now();
    const due = { status: 'waiting' as const, due_at: { $lte: new Date(now) } };
    const found = await rows.find(due, { sort: { due_at: 1 }, limit: most }).toArray();
    const isAll = found.length < most;
    if (found.length === 0) return { claimed: [], isAll };
    const lease = { due_at: new Date(now + LEASE_MS), lease: newId() };
    const { modifiedCount } = await rows.bulkWrite(
      found.map(({ _id }) => ({
        updateOne: { filter: { _id, ...due }, update: { $set: lease, $inc: { attempts: 1 } } },
      })),
      { ordered: false },
    );
    const ids = found.map(({ _id }) => _id);
    const claimed =
      modifiedCount === found.length
        ? found.map((row) => ({ ...row, ...lease, attempts: row.attempts + 1 }))
        : // Others were claimed elsewhere, or settled meanwhile.
          await rows
            .find({ _id: { $in: ids }, lease: lease.lease }, { sort: { due_at: 1 } })
            .toArray();
    return { claimed: claimed as QueueRow<M>[], isAll };
  }

  async #deliver(row: QueueRow<M>): Promise<void> {
    const { message } = row;
    if (!message) return this.#settle(row, 'failed', { error_code: 'no message' });
    if (message.unsolicited && (await this.#settings.hasOptedOut(message)))
      return this.#settle(row, 'dropped');
    // Tries that died with their process count, too.
    if (this.#now() - row.created_at.getTime() > GIVE_UP_MS) return this.#settle(row, 'failed');
    try {
      const provider_id = await this.#settings.send(message, row);
      const also = this.#settings.withSent?.(message, row);
      await this.#settle(row, 'sent', { provider_id, error_code: null }, also ? [also] : []);
    } catch (error) {
      await this.#failed(row, message, error);
    }
  }

  async #failed(row: QueueRow<M>, message: M, error: unknown): Promise<void> {
    const known = error instanceof NotSent ? error : new NotSent('unknown', { cause: error });
    const error_code = known.code;
    const { _id: key, attempts } = row;
    if (known.isUnwanted) return this.#settle(row, 'dropped', { error_code });
    if (!known.isPostponed)
      this.#settings.log.warn({ key, attempts, error_code }, 'failed to send a message');
    if (known.isOptOut) {
      await this.#settings.onOptOut(message);
      return this.#settle(row, 'dropped', { error_code });
    }
    const pauseMs = known.isPostponed ? 0 : backoffMs(PAUSES_MS, attempts - 1);
    const due = this.#now() + Math.max(known.retryAfterMs ?? 0, pauseMs);
    if (known.isFinal || due - row.created_at.getTime() > GIVE_UP_MS)
      return this.#settle(row, 'failed', { error_code });
    await this.#update(row, { due_at: new Date(due), lease: null, error_code });
    if (known.isPostponed) await this.#settings.onPostponed?.(message);
  }

  /** Ends the message and deletes its content. */
  async #settle(
    row: QueueRow<M>,
    status: 'sent' | 'failed' | 'dropped',
    more: Partial<QueueRow<M>> = {},
    also: AnyBulkWriteOperation<QueueRow<M>>[] = [],
  ): Promise<void> {
    const settled_at = new Date(this.#now());
    await this.#update(row, { status, settled_at, lease: null, ...more }, { message: '' }, also);
  }

  /** Updates the row unless another try has taken over its lease. */
  async #update(
    { _id, lease }: QueueRow<M>,
    set: Partial<QueueRow<M>>,
    unset?: { message: '' },
    also: AnyBulkWriteOperation<QueueRow<M>>[] = [],
  ): Promise<void> {
    const update = { $set: set, ...(unset ? { $unset: unset } : {}) };
    const result = { updateOne: { filter: { _id, lease }, update } };
    await this.#store([result as AnyBulkWriteOperation<QueueRow<M>>, ...also]);
  }
}
