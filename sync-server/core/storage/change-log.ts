import { setImmediate as nextTurn } from 'node:timers/promises';
import { Binary, ObjectId } from 'mongodb';
import { newId } from '#shared/ids.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import type { Database, LogRow } from '../database.ts';
import { BATCH_MAX_BYTES } from '../limits.ts';

interface Append {
  documentId: string;
  chunks: Uint8Array;
  resolve(record: ObjectId): void;
  reject(error: unknown): void;
}

/**
 * Writes changes of all documents to the log in batches that grow with the load: while one batch is being written, the
 * next one collects. Batches are written in order, one at a time.
 *
 * The records of this process appear in the order of their ids, so that other nodes only look for those after the last one that they
 * read (`LogReader`).
 */
export class ChangeLog {
  /** Identifies this process in the records that it writes. */
  readonly writer: string = newId();
  readonly #records: Database['log'];
  readonly #onCommit: (bytes: number, seconds: number) => void;
  #waiting: Append[] = [];
  #isWriting = false;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #appended = 0;
  #finished = 0;
  #lastId = ObjectId.createFromTime(0);
  /** The id of a write that failed, and may be carried out later. */
  #failedId: ObjectId | null = null;

  /**
   * @param log a collection whose writes are durable when they return
   * @param onCommit called after each batch with the bytes that it added and the seconds that it took
   */
  constructor({ log }: Pick<Database, 'log'>, onCommit: (bytes: number, seconds: number) => void) {
    this.#records = log;
    this.#onCommit = onCommit;
  }

  /**
   * Resolves when the chunks are durable, to the id of their record.
   * @throws when they may not be
   */
  append(documentId: string, chunks: Uint8Array): Promise<ObjectId> {
    return new Promise((resolve, reject) => {
      this.#appended++;
      this.#waiting.push({ documentId, chunks, resolve, reject });
      if (this.#isWriting) return;
      this.#isWriting = true;
      // Everything that is appended in this turn of the event loop goes into one batch.
      setImmediate(() => void this.#writeBatches());
    });
  }

  /** Resolves when everything that was appended so far is written or has failed. */
  async settled(): Promise<void> {
    const until = this.#appended;
    while (this.#finished < until) {
      await this.#lastWrite.catch(() => {});
      await nextTurn();
    }
  }

  /** Deletes the changes of a removed document. */
  async forget(documentId: string): Promise<void> {
    const entry = { 'entries.document': documentId };
    await this.#records.updateMany(entry, { $pull: { entries: { document: documentId } } });
  }

  async #writeBatches(): Promise<void> {
    while (this.#waiting.length > 0) {
      const { batch, bytes } = this.#takeBatch();
      const startedAt = performance.now();
      const writing = this.#insert(entriesOf(batch));
      this.#lastWrite = writing;
      let record: ObjectId;
      try {
        record = await writing;
      } catch (error) {
        for (const { reject } of batch) reject(error);
        continue;
      } finally {
        this.#finished += batch.length;
      }
      this.#onCommit(bytes, (performance.now() - startedAt) / 1000);
      for (const { resolve } of batch) resolve(record);
    }
    this.#isWriting = false;
  }

  /** Takes as many of the waiting appends as fit into one record, and at least one. */
  #takeBatch(): { batch: Append[]; bytes: number } {
    let count = 0;
    let bytes = 0;
    for (const { chunks } of this.#waiting) {
      if (count > 0 && bytes + chunks.length > BATCH_MAX_BYTES) break;
      count++;
      bytes += chunks.length;
    }
    return { batch: this.#waiting.splice(0, count), bytes };
  }

  /**
   * Inserts a record. It takes the id of one that failed before: then only one of the two can be carried out, now or later.
   * @throws when it may not be durable
   */
  async #insert(entries: LogRow['entries']): Promise<ObjectId> {
    const failedId = this.#failedId;
    const _id = failedId ?? this.#nextId();
    this.#failedId = _id;
    try {
      await this.#records.insertOne({ _id, writer: this.writer, entries });
    } catch (error) {
      if (!failedId || !isDuplicate(error)) throw error;
      // The failed one was carried out.
      this.#failedId = null;
      return this.#insert(entries);
    }
    this.#failedId = null;
    return _id;
  }

  /** Returns a larger id than before, even if the clock was set back or the counter in the ids begins again. */
  #nextId(): ObjectId {
    const last = this.#lastId;
    let seconds = Math.max(Math.floor(Date.now() / 1000), last.getTimestamp().getTime() / 1000);
    let id = new ObjectId(ObjectId.generate(seconds));
    while (id.toHexString() <= last.toHexString()) id = new ObjectId(ObjectId.generate(++seconds));
    this.#lastId = id;
    return id;
  }
}

/** A record has one entry per document: readers look for the first that matches. */
function entriesOf(batch: Append[]): LogRow['entries'] {
  const chunksOf = new Map<string, Uint8Array[]>();
  for (const { documentId, chunks } of batch) {
    const earlier = chunksOf.get(documentId);
    if (earlier) earlier.push(chunks);
    else chunksOf.set(documentId, [chunks]);
  }
  return [...chunksOf].map(([document, chunks]) => ({
    document,
    chunks: new Binary(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)),
  }));
}
