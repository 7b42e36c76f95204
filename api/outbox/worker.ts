import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import { DAY_MS } from '#shared/time.ts';
import type { Log } from '../log.ts';
import type { Message } from './messages.ts';
import { NotSent } from './sender.ts';
import type { OutboxRow } from './collections.ts';

export interface WorkerSettings {
  rows: Collection<OutboxRow>;
  log: Log;
  /** @throws NotSent */
  send(message: Message, key: string): Promise<string | null>;
  /** Whether the recipient has said stop since it was posted. */
  isRefused(message: Message): Promise<boolean>;
  /** Hears of recipients who told the provider to stop. */
  onOptOut(message: Message): Promise<void>;
  /** Milliseconds; tests have their own. */
  now?(): number;
}

/** A try that has not come to its end by now died with its process, and another may begin. */
export const LEASE_MS = 60_000;
/** After so long nobody waits for it any more. */
export const GIVE_UP_MS = DAY_MS;
const FIRST_PAUSE_MS = 15_000;
const PAUSE_MAX_MS = 60 * 60 * 1000;
const AT_ONCE = 4;

/** How long to wait after so many tries: doubled each time up to an hour, and a little uneven. */
export const pauseAfter = (attempts: number, random = Math.random()): number =>
  Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20)) * (0.75 + random / 2);

/** Sends what is due, on any number of nodes at once: a message is tried by who holds its lease. */
export class OutboxWorker {
  readonly #settings: WorkerSettings;
  readonly #now: () => number;
  #running: Promise<void> | null = null;
  #again = false;
  #closed = false;

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
    this.#now = settings.now ?? Date.now;
  }

  /** Sends all that is due now; who asks meanwhile waits for a round that begins after that. */
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

  /** Takes up nothing more, and waits for what is being sent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running?.catch(() => null);
  }

  async #rounds(): Promise<void> {
    do {
      this.#again = false;
      await Promise.all(Array.from({ length: AT_ONCE }, () => this.#drain()));
    } while (this.#again && !this.#closed);
  }

  async #drain(): Promise<void> {
    while (!this.#closed) {
      const row = await this.#claim();
      if (!row) return;
      await this.#deliver(row);
    }
  }

  async #claim(): Promise<OutboxRow | null> {
    const now = this.#now();
    return this.#settings.rows.findOneAndUpdate(
      { status: 'waiting', due_at: { $lte: new Date(now) } },
      { $set: { due_at: new Date(now + LEASE_MS), lease: randomUUID() }, $inc: { attempts: 1 } },
      { sort: { due_at: 1 }, returnDocument: 'after' },
    );
  }

  async #deliver(row: OutboxRow): Promise<void> {
    const { message, _id: key } = row;
    if (!message) return this.#settle(row, 'failed', { trouble: 'no message' });
    if (message.unsolicited && (await this.#settings.isRefused(message)))
      return this.#settle(row, 'dropped');
    // Tries that die with their process are tries too.
    if (this.#now() - row.created_at.getTime() > GIVE_UP_MS) return this.#settle(row, 'failed');
    try {
      const provider_id = await this.#settings.send(message, key);
      await this.#settle(row, 'sent', { provider_id, trouble: null });
    } catch (error) {
      await this.#failed(row, message, error);
    }
  }

  async #failed(row: OutboxRow, message: Message, error: unknown): Promise<void> {
    const known = error instanceof NotSent ? error : new NotSent('unknown', { cause: error });
    const trouble = known.code;
    const { _id: key, attempts } = row;
    this.#settings.log.warn({ key, attempts, trouble }, 'failed to send a message');
    if (known.isOptOut) {
      await this.#settings.onOptOut(message);
      return this.#settle(row, 'dropped', { trouble });
    }
    const due = this.#now() + Math.max(known.retryAfterMs ?? 0, pauseAfter(attempts));
    if (known.isFinal || due - row.created_at.getTime() > GIVE_UP_MS)
      return this.#settle(row, 'failed', { trouble });
    await this.#update(row, { due_at: new Date(due), lease: null, trouble });
  }

  /** The end of it: what it said is not kept. */
  async #settle(
    row: OutboxRow,
    status: 'sent' | 'failed' | 'dropped',
    more: Partial<OutboxRow> = {},
  ): Promise<void> {
    const settled_at = new Date(this.#now());
    await this.#update(row, { status, settled_at, lease: null, ...more }, { message: '' });
  }

  /** Only as long as nobody else has taken over. */
  async #update(
    { _id, lease }: OutboxRow,
    set: Partial<OutboxRow>,
    unset?: { message: '' },
  ): Promise<void> {
    await this.#settings.rows.updateOne(
      { _id, lease },
      { $set: set, ...(unset ? { $unset: unset } : {}) },
    );
  }
}
