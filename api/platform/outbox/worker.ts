import type { Collection, UpdateFilter } from 'mongodb';
import { backoffMs } from '#shared/backoff.ts';
import { newId } from '#shared/ids.ts';
import type { Log } from '#shared/server/log.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import type { OutboxRow } from './collections.ts';
import type { Queued } from './messages.ts';
import { NotSent } from './sender.ts';

export interface WorkerSettings<M extends Queued> {
  rows: Collection<OutboxRow<M>>;
  log: Log;
  /** @param row where it is queued @throws NotSent */
  send(message: M, row: OutboxRow<M>): Promise<string | null>;
  /** Whether the recipient has opted out since it was queued. */
  hasOptedOut(message: M): Promise<boolean>;
  /** Called when a recipient has opted out at the provider. */
  onOptOut(message: M): Promise<void>;
  /** Called once it is stored that a message waits: what it waits for may have come in the meantime. */
  onPostponed?(message: M): Promise<void>;
  /** How many messages are sent at a time. */
  concurrency?: number;
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

/** Sends due messages. Any number of servers may run it: only the holder of a message's lease sends it. */
export class OutboxWorker<M extends Queued> {
  readonly #settings: WorkerSettings<M>;
  readonly #now: () => number;
  #running: Promise<void> | null = null;
  #again = false;
  #closed = false;

  constructor(settings: WorkerSettings<M>) {
    this.#settings = settings;
    this.#now = settings.now ?? Date.now;
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
    this.#closed = true;
    await this.#running?.catch(() => null);
  }

  async #rounds(): Promise<void> {
    do {
      this.#again = false;
      await this.#sendDue();
    } while (this.#again && !this.#closed);
  }

  /** Claims one message after the other, so that looking costs one query when nothing is due. */
  async #sendDue(): Promise<void> {
    const { concurrency = CONCURRENCY } = this.#settings;
    const deliveries = new Set<Promise<unknown>>();
    const errors: unknown[] = [];
    while (!this.#closed && errors.length === 0) {
      const row = await this.#claim();
      if (!row) break;
      const delivery = this.#deliver(row)
        .catch((error: unknown) => errors.push(error))
        .finally(() => deliveries.delete(delivery));
      deliveries.add(delivery);
      if (deliveries.size >= concurrency) await Promise.race(deliveries);
    }
    await Promise.all(deliveries);
    if (errors.length > 0) throw errors[0];
  }

  async #claim(): Promise<OutboxRow<M> | null> {
    const now = this.#now();
    return this.#settings.rows.findOneAndUpdate(
      { status: 'waiting', due_at: { $lte: new Date(now) } },
      { $set: { due_at: new Date(now + LEASE_MS), lease: newId() }, $inc: { attempts: 1 } },
      { sort: { due_at: 1 }, returnDocument: 'after' },
    );
  }

  async #deliver(row: OutboxRow<M>): Promise<void> {
    const { message } = row;
    if (!message) return this.#settle(row, 'failed', { error_code: 'no message' });
    if (message.unsolicited && (await this.#settings.hasOptedOut(message)))
      return this.#settle(row, 'dropped');
    // Tries that died with their process count, too.
    if (this.#now() - row.created_at.getTime() > GIVE_UP_MS) return this.#settle(row, 'failed');
    try {
      const provider_id = await this.#settings.send(message, row);
      await this.#settle(row, 'sent', { provider_id, error_code: null });
    } catch (error) {
      await this.#failed(row, message, error);
    }
  }

  async #failed(row: OutboxRow<M>, message: M, error: unknown): Promise<void> {
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
    row: OutboxRow<M>,
    status: 'sent' | 'failed' | 'dropped',
    more: Partial<OutboxRow<M>> = {},
  ): Promise<void> {
    const settled_at = new Date(this.#now());
    await this.#update(row, { status, settled_at, lease: null, ...more }, { message: '' });
  }

  /** Updates the row unless another try has taken over its lease. */
  async #update(
    { _id, lease }: OutboxRow<M>,
    set: Partial<OutboxRow<M>>,
    unset?: { message: '' },
  ): Promise<void> {
    const update = { $set: set, ...(unset ? { $unset: unset } : {}) };
    await this.#settings.rows.updateOne({ _id, lease }, update as UpdateFilter<OutboxRow<M>>);
  }
}
