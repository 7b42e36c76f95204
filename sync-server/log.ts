import { randomUUID } from 'node:crypto';
import { Binary, ObjectId } from 'mongodb';
import type { Database, LogRow } from './database.ts';
import { RECORD_MAX_BYTES } from './limits.ts';
import { LogLane } from './log-lane.ts';

interface Waiter {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Makes changes durable, many documents at a time: while one commit is on its way to the disk, what changes
 * meanwhile gathers for the next.
 */
export class Log {
  /** Names this process in the records it writes. */
  readonly writer: string = randomUUID();
  readonly #lane: LogLane;
  readonly #onCommit: (records: number, bytes: number) => void;
  #pending = new Map<string, Uint8Array[]>();
  #waiters: Waiter[] = [];
  #busy = false;

  /** @param onCommit told what each commit added to the log */
  constructor(
    { client, log }: Pick<Database, 'client' | 'log'>,
    onCommit: (records: number, bytes: number) => void,
  ) {
    this.#lane = new LogLane(client, log);
    this.#onCommit = onCommit;
  }

  /**
   * Resolves when the chunks are on the disk.
   * @throws when they may not be
   */
  append(documentId: string, chunks: Uint8Array): Promise<void> {
    const gathered = this.#pending.get(documentId);
    if (gathered) gathered.push(chunks);
    else this.#pending.set(documentId, [chunks]);
    const durable = new Promise<void>((resolve, reject) => this.#waiters.push({ resolve, reject }));
    if (!this.#busy) {
      this.#busy = true;
      // All that is appended at the same beat goes together.
      setImmediate(() => void this.#commit());
    }
    return durable;
  }

  async #commit(): Promise<void> {
    while (this.#waiters.length > 0) {
      const waiters = this.#waiters;
      const pending = this.#pending;
      this.#waiters = [];
      this.#pending = new Map();
      const { records, bytes } = this.#recordsOf(pending);
      try {
        await this.#lane.insert(records, bytes);
      } catch (error) {
        for (const waiter of waiters) waiter.reject(error);
        continue;
      }
      this.#onCommit(records.length, bytes);
      for (const waiter of waiters) waiter.resolve();
    }
    this.#busy = false;
  }

  #recordsOf(pending: Map<string, Uint8Array[]>): { records: LogRow[]; bytes: number } {
    const records: LogRow[] = [];
    let entries: LogRow['entries'] = [];
    let room = RECORD_MAX_BYTES;
    let bytes = 0;
    for (const [document, chunks] of pending) {
      const joined = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      if (joined.length > room && entries.length > 0) {
        records.push({ _id: new ObjectId(), writer: this.writer, entries });
        entries = [];
        room = RECORD_MAX_BYTES;
      }
      entries.push({ document, chunks: new Binary(joined) });
      room -= joined.length;
      bytes += joined.length;
    }
    records.push({ _id: new ObjectId(), writer: this.writer, entries });
    return { records, bytes };
  }
}
