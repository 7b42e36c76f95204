import { setTimeout as wait } from 'node:timers/promises';
import type { ObjectId } from 'mongodb';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Bus } from '#shared/bus/bus.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import type { Database, LogRow } from '../core/database.ts';
import type { DocumentNodes } from '../core/documents/document-nodes.ts';
import type { Documents } from '../core/documents/documents.ts';
import type { EphemeralSource, OpenDocument } from '../core/documents/open-document.ts';
import type { DocumentLocks } from './document-locks.ts';
import { LogReader, type ListedRecord } from './log-reader.ts';
import type { Verification } from './verification.ts';

/** How often the log is read for what the bus did not carry: with the bus, and without. */
const POLL_MS = 5_000;
const POLL_WITHOUT_BUS_MS = 400;
/** When the log is read after documents were opened, at most once in this time. */
const POLL_AFTER_FOLLOWING_MS = 1_000;
/** Messages on the bus have less than 1 MB: of larger changes, only the heads are sent. */
const CHUNKS_MAX_BYTES = 512 * 1024;
/**
 * Records stay in the log for at least `RECORD_MIN_MS` after a node has seen them. A node that did not read the log for
 * `GAP_MS` may have missed some.
 */
const RECORD_MIN_MS = 40_000;
const GAP_MS = 30_000;
const POLL_SUBJECT = 'documents-poll';

const subjectOf = (documentId: string) => `documents.${documentId}`;

const changesMessage = z.object({
  record: z.string(),
  heads: z.array(z.string()),
  /** In base64. */
  chunks: z.string().optional(),
});
const ephemeralMessage = z.object({
  source: z.object({ peerId: z.string(), count: z.number(), sessionId: z.string() }),
  data: z.string(),
});
const documentMessage = z.union([changesMessage, ephemeralMessage]);
type Message = z.input<typeof documentMessage>;

interface Host {
  database: Pick<Database, 'log' | 'documents' | 'signals' | 'syncNodes'>;
  bus: Bus;
  documents: Documents;
  locks: DocumentLocks;
  verification: Verification;
  logger: Logger;
  /** The id of this node in the records that it writes. */
  writer: string;
  /** Called when changes may have been missed, with clients that may rely on their documents being complete. */
  onGap: () => void;
}

/**
 * Exchanges changes of documents with the other nodes. Changes are durable before the bus carries them. Whatever it loses is found in
 * the log: by the heads that the next message names, or by reading which records are new.
 */
export class DocumentExchange implements DocumentNodes {
  readonly hasOthers = true;
  readonly #host: Host;
  readonly #followed = new Map<string, { count: number; unsubscribe(): void }>();
  /** All documents in memory have the changes of the records that it has read. */
  readonly #reader: LogReader;
  /** Documents that have the changes of a record which was not read yet. */
  readonly #received = new Map<string, Set<string>>();
  readonly #refreshing = new Map<string, Promise<void>>();
  readonly #stopListening: (() => void)[];
  #readAt = 0;
  #isUnannounced = false;
  #wake: () => void = () => {};
  #isDue = false;
  #followTimer: NodeJS.Timeout | null = null;
  #isStopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(host: Host) {
    this.#host = host;
    this.#reader = new LogReader(host.database, RECORD_MIN_MS);
    const { bus } = host;
    this.#stopListening = [
      bus.subscribe(POLL_SUBJECT, () => this.poll()),
      bus.onReconnect(() => {
        this.poll();
        bus.publish(POLL_SUBJECT, {});
      }),
    ];
  }

  /** Starts reading the log. @throws when the database cannot be read */
  async start(): Promise<void> {
    // Nothing is in memory yet.
    this.#readAt = performance.now();
    await this.#reader.skip();
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#followTimer) clearTimeout(this.#followTimer);
    for (const stop of this.#stopListening) stop();
    for (const { unsubscribe } of this.#followed.values()) unsubscribe();
    this.#wake();
    await this.#running;
  }

  follow(documentId: string): void {
    const followed = this.#followed.get(documentId);
    if (followed) {
      followed.count++;
      return;
    }
    const unsubscribe = this.#host.bus.subscribe(subjectOf(documentId), (message) =>
      this.#receive(documentId, documentMessage.parse(message)),
    );
    this.#followed.set(documentId, { count: 1, unsubscribe });
    // A change may have been announced before NATS knew of the subscription, and after the document was read.
    this.#followTimer ??= setTimeout(() => {
      this.#followTimer = null;
      this.poll();
    }, POLL_AFTER_FOLLOWING_MS);
  }

  unfollow(documentId: string): void {
    const followed = this.#followed.get(documentId);
    if (!followed || --followed.count > 0) return;
    followed.unsubscribe();
    this.#followed.delete(documentId);
  }

  async stored(document: OpenDocument, chunks: Uint8Array, record: ObjectId): Promise<void> {
    const { bus, documents, verification } = this.#host;
    const id = record.toHexString();
    // One that was closed meanwhile may have been opened again without this record.
    if (documents.inMemory(document.id) === document) this.#markReceived(id, document.id);
    bus.publish(subjectOf(document.id), {
      record: id,
      heads: document.content.heads,
      ...(chunks.length <= CHUNKS_MAX_BYTES && { chunks: Buffer.from(chunks).toString('base64') }),
    } satisfies Message);
    if (!bus.isConnected()) this.#isUnannounced = true;
    if (!verification.isVerified()) await verification.verified();
  }

  sendEphemeral(documentId: string, source: EphemeralSource, data: Uint8Array): void {
    const message = { source, data: Buffer.from(data).toString('base64') } satisfies Message;
    this.#host.bus.publish(subjectOf(documentId), message);
  }

  async exclusively<T>(document: OpenDocument, work: () => Promise<T>): Promise<T> {
    const refreshed = async () => {
      await this.refresh(document);
      return work();
    };
    // Concurrent changes of what devices write are merged anyway.
    return documentKinds[document.kind].ownerWrites
      ? refreshed()
      : this.#host.locks.run(document.id, refreshed);
  }

  async alone(work: string, run: () => Promise<void>): Promise<void> {
    await this.#host.locks.runIfFree(work, run);
  }

  async reload(document: OpenDocument): Promise<void> {
    await this.#loadMissing(document, () => true);
  }

  /** Loads everything that is durable at the time of the call. */
  async refresh(document: OpenDocument): Promise<void> {
    // One that is running may have read the log before.
    await this.#refreshing.get(document.id)?.catch(() => {});
    const running = this.#refreshing.get(document.id);
    if (running) return running;
    const isMissing = (record: Pick<LogRow, '_id' | 'writer'>) =>
      !this.#reader.hasRead(record) && !this.#isReceived(record._id, document.id);
    const refreshing = this.#loadMissing(document, isMissing).finally(() =>
      this.#refreshing.delete(document.id),
    );
    this.#refreshing.set(document.id, refreshing);
    return refreshing;
  }

  /** Reads the log soon. */
  poll(): void {
    this.#isDue = true;
    this.#wake();
  }

  isReadByAll(record: Pick<LogRow, '_id' | 'writer'>): boolean {
    return this.#reader.hadReadBefore(record, RECORD_MIN_MS);
  }

  #receive(documentId: string, message: Message): void {
    const { documents, verification } = this.#host;
    if ('source' in message) return this.#receiveEphemeral(documentId, message);
    // The permissions of those who would get it may have ended.
    if (!verification.isVerified()) return this.#pollWhenVerified();
    const open = documents.inMemory(documentId);
    if (!open) return void documents.changedElsewhere(documentId);
    void this.#apply(open, message);
  }

  async #apply(
    open: OpenDocument,
    { record, heads, chunks }: z.output<typeof changesMessage>,
  ): Promise<void> {
    const stored = chunks ? [Buffer.from(chunks, 'base64')] : [];
    const hasAll = await open.receiveStored(stored, heads);
    if (hasAll === null) return;
    if (hasAll) this.#markReceived(record, open.id);
    else this.#refreshSoon(open);
  }

  #receiveEphemeral(documentId: string, { source, data }: z.output<typeof ephemeralMessage>): void {
    const { documents, verification } = this.#host;
    if (!verification.isVerified()) return;
    const bytes = Buffer.from(data, 'base64');
    for (const { device } of documents.inMemory(documentId)?.peers ?? [])
      device.sendEphemeral(documentId, source, bytes);
    for (const subscriber of documents.subscribersOf(documentId))
      subscriber.sendEphemeral(documentId, source, bytes);
  }

  #pollWhenVerified(): void {
    void this.#host.verification.verified().then(() => this.poll());
  }

  #refreshSoon(document: OpenDocument): void {
    this.refresh(document).catch((error: unknown) => {
      this.#host.logger.warn({ err: error, document: document.id }, 'failed to read the log');
      this.poll();
    });
  }

  #markReceived(record: string, documentId: string): void {
    const received = this.#received.get(record);
    if (received) received.add(documentId);
    else this.#received.set(record, new Set([documentId]));
  }

  #isReceived(record: ObjectId, documentId: string): boolean {
    return this.#received.get(record.toHexString())?.has(documentId) ?? false;
  }

  /** Loads what is in the log and not in an open document. Reads the log first, as `loadDocument`. */
  async #loadMissing(
    document: OpenDocument,
    isMissing: (record: Pick<LogRow, '_id' | 'writer'>) => boolean,
  ): Promise<void> {
    const { log, documents: rows } = this.#host.database;
    const { id } = document;
    const listed = await log
      .find({ 'entries.document': id }, { projection: { writer: 1 } })
      .toArray();
    const missing = listed.filter(isMissing);
    const chunks =
      missing.length > 0
        ? await this.#chunksOf(
            id,
            missing.map(({ _id }) => _id),
          )
        : [];
    const row = await rows.findOne({ _id: id }, { projection: { snapshot_version: 1 } });
    // A document that was removed is closed by its order.
    if (!row) return;
    const stored =
      row.snapshot_version > document.snapshotVersion
        ? await rows.findOne({ _id: id }, { projection: { snapshot: 1, snapshot_version: 1 } })
        : null;
    if (stored) chunks.push(stored.snapshot.buffer);
    if (chunks.length > 0 && (await document.receiveStored(chunks)) === null) return;
    // Not earlier: a compaction replaces the snapshot of this version by the document as it is.
    if (stored)
      document.snapshotVersion = Math.max(document.snapshotVersion, stored.snapshot_version);
    for (const { _id } of missing) this.#markReceived(_id.toHexString(), id);
  }

  async #chunksOf(documentId: string, records: ObjectId[]): Promise<Uint8Array[]> {
    const rows = await this.#host.database.log
      .find({ _id: { $in: records } })
      .project<{ entries?: { chunks: { buffer: Uint8Array } }[] }>({
        _id: 0,
        entries: { $elemMatch: { document: documentId } },
      })
      .toArray();
    return rows.flatMap(({ entries }) => entries?.map(({ chunks }) => chunks.buffer) ?? []);
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      await this.#pause();
      if (this.#isStopped) return;
      try {
        // What it finds may only be forwarded then.
        await this.#host.verification.verified();
        await this.#announce();
        await this.#readLog();
      } catch (error) {
        this.#host.logger.warn({ err: error }, 'failed to read the log; trying again');
        await wait(POLL_WITHOUT_BUS_MS);
      }
    }
  }

  async #pause(): Promise<void> {
    if (this.#isDue) {
      this.#isDue = false;
      return;
    }
    const started = performance.now();
    // The bus may break meanwhile.
    while (!this.#isDue && !this.#isStopped) {
      const left =
        (this.#host.bus.isConnected() ? POLL_MS : POLL_WITHOUT_BUS_MS) -
        performance.now() +
        started;
      if (left <= 0) break;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(left, POLL_WITHOUT_BUS_MS));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isDue = false;
  }

  /** Signals to nodes with the bus that this node wrote without it. */
  async #announce(): Promise<void> {
    if (!this.#isUnannounced) return;
    this.#isUnannounced = false;
    const { database, writer } = this.#host;
    await database.signals.insertOne({ topic: 'documents', user_id: writer, at: new Date() });
  }

  /** Finds records that are new, and loads their changes of documents that are in memory. */
  async #readLog(): Promise<void> {
    const started = performance.now();
    // They were durable before they were received, so they are read now, or have been.
    const received = [...this.#received.keys()];
    const records = await this.#reader.newRecords();
    for (const [documentId, ids] of this.#notReceived(records)) await this.#load(documentId, ids);
    if (started - this.#readAt > GAP_MS) {
      this.#host.logger.warn(
        'changes of other nodes may have been missed; closing all connections',
      );
      this.#host.onGap();
    }
    this.#readAt = started;
    this.#reader.advance(records);
    for (const id of received) this.#received.delete(id);
  }

  /** Returns the records by document, without those that the bus carried. */
  #notReceived(records: ListedRecord[]): Map<string, ObjectId[]> {
    const documents = new Map<string, ObjectId[]>();
    for (const { _id, entries } of records)
      for (const { document } of entries) {
        if (this.#isReceived(_id, document)) continue;
        const ids = documents.get(document);
        if (ids) ids.push(_id);
        else documents.set(document, [_id]);
      }
    return documents;
  }

  async #load(documentId: string, records: ObjectId[]): Promise<void> {
    const { documents } = this.#host;
    const open = documents.inMemory(documentId);
    if (!open) return void documents.changedElsewhere(documentId);
    await open.receiveStored(await this.#chunksOf(documentId, records));
  }
}
