import { Binary } from 'mongodb';
import type { Logger } from 'pino';
import { databaseTrouble } from '#shared/server/database-errors.ts';
import type { Database, DocumentRow } from '../database.ts';
import type { Documents } from '../documents/documents.ts';
import type { ChangeLog } from '../storage/change-log.ts';
import { release, retryLater } from './quarantine-rows.ts';
import type { ReadOnlyAccounts } from './read-only-accounts.ts';
import { runTrial } from './run-trial.ts';
import { readStored, type StoredChunks } from './stored-document.ts';

/** How often documents are looked for whose next trial is due. */
const LOOK_MS = 5_000;
/** A document that takes more CPU time stays in quarantine: everybody would wait for it. */
const RELEASED_BELOW_MS = 1_500;

interface QuarantineOptions {
  database: Database;
  documents: Documents;
  log: ChangeLog;
  /** Looked at before documents are tried. */
  accounts: ReadOnlyAccounts;
  /** Called with an account that may only read from now on, or may write again. */
  onReadOnly: (userId: string) => void;
  /** Called with a document that devices may open again. */
  onRelease: (documentId: string) => void;
  logger: Logger;
}

/**
 * Documents in whose processing a server ended repeatedly, or that cannot be loaded. They are not loaded; what is stored is sent to
 * devices as it is, and new changes are refused. Each is tried in a process of its own, and released when that works. A chunk that alone
 * prevents it stays in the collection, for operators. Decision 222.
 */
export class Quarantine {
  readonly #database: Database;
  readonly #documents: Documents;
  readonly #log: ChangeLog;
  readonly #logger: Logger;
  readonly #accounts: ReadOnlyAccounts;
  readonly #onReadOnly: (userId: string) => void;
  readonly #onRelease: (documentId: string) => void;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: QuarantineOptions) {
    this.#database = options.database;
    this.#documents = options.documents;
    this.#log = options.log;
    this.#accounts = options.accounts;
    this.#onReadOnly = options.onReadOnly;
    this.#onRelease = options.onRelease;
    this.#logger = options.logger;
  }

  start(): void {
    this.#look();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearInterval(this.#timer);
    await this.#running;
  }

  #look(): void {
    const run = () => this.tryDue();
    // Each node asks its own connections.
    this.#running ??= this.#lookAtAccounts()
      .then(() => this.#documents.nodes.alone('quarantine', run))
      .catch((error: unknown) =>
        this.#logger.warn({ err: error }, 'failed to try quarantined documents'),
      )
      .finally(() => (this.#running = null));
  }

  async #lookAtAccounts(): Promise<void> {
    for (const userId of await this.#accounts.refresh()) {
      this.#logger.warn(
        { user: userId, isReadOnly: this.#accounts.has(userId) },
        'an account may only read, or may write again',
      );
      this.#onReadOnly(userId);
    }
  }

  /** Tries all documents whose time has come, one after the other. @throws when the database fails */
  async tryDue(): Promise<void> {
    const { documents, quarantine } = this.#database;
    const due = await documents
      .find({ 'quarantine.retry_at': { $lte: new Date() } }, { sort: { 'quarantine.retry_at': 1 } })
      .project<Pick<DocumentRow, '_id' | 'owner_user_id' | 'place'>>({ owner_user_id: 1, place: 1 })
      .toArray();
    for (const row of due) {
      if (this.#isStopped) return;
      await this.#try(row).catch(async (err: unknown) => {
        if (databaseTrouble(err)) throw err;
        this.#logger.error({ err, document: row._id }, 'failed to try a document');
        await retryLater(documents, row._id);
      });
    }
    // What compaction moved there while its document was being released.
    for (const id of await quarantine.distinct('_id.document', { is_pending: true }))
      if (!(await documents.countDocuments({ _id: id, 'quarantine.retry_at': { $exists: true } })))
        await this.#putBack(id, new Set());
  }

  async #try({
    _id,
    owner_user_id,
    place,
  }: Pick<DocumentRow, '_id' | 'owner_user_id' | 'place'>): Promise<void> {
    const { documents } = this.#database;
    const stored = await readStored(this.#database, _id);
    if (!stored) return;
    const [snapshot, ...changes] = stored;
    const result = await runTrial({
      id: _id,
      ownerUserId: owner_user_id,
      ...(place && { place }),
      snapshot: snapshot!.chunks,
      chunks: changes.map(({ chunks }) => chunks),
    });
    if (!result || result.cpuMs > RELEASED_BELOW_MS) {
      this.#logger.error({ document: _id, ms: result?.cpuMs }, 'a document stays in quarantine');
      return retryLater(documents, _id);
    }
    const unusable = result.unusable.map((index) => changes[index]!);
    await this.#setUnusable(_id, unusable);
    await this.#putBack(_id, new Set(unusable.map(({ record }) => record!.toHexString())));
    await release(documents, _id);
    this.#logger.warn(
      { document: _id, unusable: unusable.length },
      'a document left the quarantine',
    );
    this.#onRelease(_id);
  }

  /** Keeps chunks out of their document. */
  async #setUnusable(document: string, chunks: StoredChunks[]): Promise<void> {
    const { log, quarantine } = this.#database;
    for (const { record, chunks: bytes } of chunks) {
      const $set = { chunks: new Binary(bytes) };
      const _id = { record: record!, document };
      await quarantine.updateOne({ _id }, { $set, $unset: { is_pending: true } }, { upsert: true });
      await log.updateOne({ _id: record! }, { $pull: { entries: { document } } });
    }
  }

  /** Puts changes that compaction moved into the quarantine back into the log, and has them projected. */
  async #putBack(document: string, unusable: ReadonlySet<string>): Promise<void> {
    const { quarantine } = this.#database;
    const pending = { '_id.document': document, is_pending: true as const };
    for await (const { _id, chunks } of quarantine.find(pending)) {
      if (unusable.has(_id.record.toHexString())) continue;
      await this.#log.append(document, chunks.buffer);
      await quarantine.deleteOne({ _id });
    }
    this.#documents.projectAgain(document);
  }
}
