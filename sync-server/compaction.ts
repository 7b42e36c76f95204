import type { Logger } from 'pino';
import { Binary, MongoError, type ObjectId } from 'mongodb';
import { readSharing } from '#shared/profile/sharing.ts';
import { markOf } from '#shared/sync/state-digest.ts';
import { loadCore, saveCore } from './automerge-core.ts';
import type { Database, LogRow } from './database.ts';
import type { Documents } from './documents.ts';
import type { FriendCards } from './friend-cards.ts';
import type { OpenDocument } from './open-document.ts';
import { LOG_MAX_BYTES, LOG_MAX_RECORDS } from './limits.ts';
import { loadDocument, type LoadedDocument } from './load-document.ts';
import { newsOf } from './part-news.ts';
import type { Projections } from './projections.ts';

/** Steps that a test may fail between. */
export type CompactionStep = 'chosen' | 'snapshot' | 'covered';

/**
 * Moves the log's oldest records into snapshots. A record holds changes of several documents, and goes when each of
 * them has a snapshot made after its changes were read: at any moment, snapshot and log together hold everything.
 */
export class Compaction {
  /** Called between steps; tests throw here. */
  onStep: (step: CompactionStep) => void = () => {};
  readonly #database: Database;
  readonly #documents: Documents;
  readonly #projections: Projections;
  readonly #friendCards: FriendCards;
  readonly #writer: string;
  readonly #logger: Logger;
  #records = 0;
  #bytes = 0;
  #running: Promise<void> | null = null;
  #stopped = false;

  /** @param writer how this process names itself in the records it writes */
  constructor(
    database: Database,
    documents: Documents,
    projections: Projections,
    friendCards: FriendCards,
    writer: string,
    logger: Logger,
  ) {
    this.#database = database;
    this.#documents = documents;
    this.#projections = projections;
    this.#friendCards = friendCards;
    this.#writer = writer;
    this.#logger = logger;
  }

  /** Counts a record that was added to the log, and starts a run when the log has become too large. */
  recordAdded(bytes: number): void {
    this.#records++;
    this.#bytes += bytes;
    if (
      this.#running ||
      this.#stopped ||
      (this.#records <= LOG_MAX_RECORDS && this.#bytes <= LOG_MAX_BYTES)
    )
      return;
    this.#running = this.run()
      .catch((error: unknown) =>
        this.#logger.warn({ err: error }, 'compaction failed; the log stays'),
      )
      .finally(() => (this.#running = null));
  }

  /** Writes what is projected of all documents in the log again: what a crash came before. */
  async redoProjections(): Promise<void> {
    this.#records = await this.#database.log.estimatedDocumentCount();
    const touched = await this.#database.log.distinct('entries.document');
    const projected = this.#database.documents.find(
      { _id: { $in: touched }, kind: { $in: ['card', 'account', 'part'] } },
      { projection: { _id: 1 } },
    );
    for await (const { _id } of projected) {
      try {
        const loaded = await loadDocument(this.#database, _id);
        if (loaded) this.#redo(loaded);
      } catch (error) {
        if (error instanceof MongoError) throw error;
        this.#logger.error({ err: error, document: _id }, 'a document cannot be projected');
      }
    }
    await this.#projections.settled();
  }

  #redo({ row: { _id, kind, owner_user_id, place }, core, snapshotHeads }: LoadedDocument): void {
    try {
      if (kind === 'card') this.#projections.card(_id, owner_user_id, core.materialize('/'));
      const sharing = kind === 'account' ? readSharing(core.materialize('/')) : null;
      if (sharing !== null) this.#projections.sharing(owner_user_id, sharing);
      // What is in the snapshot was projected before it was made.
      const news =
        place && newsOf(core, { id: _id, ownerUserId: owner_user_id }, place, snapshotHeads);
      if (news) this.#projections.part(news);
    } finally {
      core.free();
    }
  }

  /** Waits for what is under way, and does nothing more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /**
   * Moves the older half of the log into snapshots.
   * @throws when the database does; nothing is lost then
   */
  async run(): Promise<void> {
    const count = Math.ceil((await this.#database.log.estimatedDocumentCount()) / 2);
    this.#records = 0;
    this.#bytes = 0;
    const chosen = await this.#database.log
      .find({}, { sort: { _id: 1 }, limit: Math.max(1, count) })
      .project<Pick<LogRow, '_id' | 'writer'> & { entries: { document: string }[] }>({
        writer: 1,
        'entries.document': 1,
      })
      .toArray();
    this.onStep('chosen');
    const touched = new Map<string, ObjectId[]>();
    for (const { _id, writer, entries } of chosen)
      for (const { document } of entries) {
        const foreign = touched.get(document) ?? [];
        if (writer !== this.#writer) foreign.push(_id);
        touched.set(document, foreign);
      }
    for (const [documentId, foreign] of touched) {
      if (this.#stopped) return;
      if (!(await this.#cover(documentId, foreign))) return;
      this.onStep('snapshot');
    }
    await this.#projections.settled();
    // What is not in the log any more is not published again at the next start.
    if (!(await this.#friendCards.settled())) return;
    this.onStep('covered');
    await this.#database.log.deleteMany({ _id: { $in: chosen.map((row) => row._id) } });
    this.#records += await this.#database.log.estimatedDocumentCount();
    this.#logger.info({ records: chosen.length, documents: touched.size }, 'log compacted');
  }

  /**
   * Writes a snapshot that holds a document's part of the chosen records.
   * @param foreign those of them that another process wrote
   * @returns false when another process was quicker and the records must stay for now
   */
  async #cover(documentId: string, foreign: ObjectId[]): Promise<boolean> {
    await this.#documents.projectDoubtful(documentId).catch((error: unknown) => {
      if (error instanceof MongoError) throw error;
      this.#logger.error({ err: error, document: documentId }, 'a document cannot be projected');
    });
    const open = this.#documents.inMemory(documentId);
    if (open && (await this.#learn(open, foreign))) {
      const { heads } = open.content;
      const saved = savedSoundly(open);
      const isWritten =
        saved !== null &&
        (await this.#isProjected(open)) &&
        (await this.#replace(documentId, open.snapshotVersion, saved, heads));
      if (isWritten) {
        open.snapshotVersion++;
        return true;
      }
    }
    const resting = await this.#saveResting(documentId).catch((error: unknown) => {
      if (error instanceof MongoError) throw error;
      return this.#setAside(documentId, error);
    });
    if (!resting) return true;
    const { saved, version, heads } = resting;
    await this.#projections.settled();
    if (!(await this.#replace(documentId, version, saved, heads))) return this.#isGone(documentId);
    const opened = this.#documents.inMemory(documentId);
    if (opened) {
      opened.content.learn(saved);
      opened.snapshotVersion = version + 1;
    }
    return true;
  }

  /**
   * A document that is not in memory, as it is saved; null when it is gone.
   * @throws when what is on the disk, or what would be saved, cannot be loaded
   */
  async #saveResting(
    documentId: string,
  ): Promise<{ saved: Uint8Array; heads: string[]; version: number } | null> {
    const loaded = await loadDocument(this.#database, documentId);
    if (!loaded) return null;
    const { core, row } = loaded;
    try {
      const saved = saveCore(core, core.saveNoCompress().length);
      loadCore(saved).free();
      return { saved, heads: core.getHeads(), version: row.snapshot_version };
    } finally {
      core.free();
    }
  }

  /**
   * Keeps, byte for byte and apart from the log, what no longer makes a document: somebody made changes by hand that
   * Automerge took in one by one and cannot read together. Only their own document suffers.
   */
  async #setAside(documentId: string, cause: unknown): Promise<null> {
    this.#logger.error(
      { err: cause, document: documentId },
      'a document cannot be read; setting its log aside',
    );
    const rows = this.#database.log
      .find({ 'entries.document': documentId })
      .project<Pick<LogRow, '_id' | 'entries'>>({
        entries: { $elemMatch: { document: documentId } },
      });
    for await (const { _id, entries } of rows)
      await this.#database.setAside.replaceOne(
        { _id: { record: _id, document: documentId } },
        { chunks: entries[0]!.chunks },
        { upsert: true },
      );
    return null;
  }

  /** Has an open document take in what other processes logged. @returns whether it is still open */
  async #learn(open: OpenDocument, foreign: ObjectId[]): Promise<boolean> {
    if (foreign.length > 0) {
      const rows = await this.#database.log
        .find({ _id: { $in: foreign } })
        .project<Pick<LogRow, 'entries'>>({ entries: { $elemMatch: { document: open.id } } })
        .toArray();
      if (this.#documents.inMemory(open.id) !== open) return false;
      for (const row of rows)
        for (const { chunks } of row.entries) open.content.learn(chunks.buffer);
    }
    return true;
  }

  /** Waits until all that is in an open document now is projected. @returns whether it is still open */
  async #isProjected(open: OpenDocument): Promise<boolean> {
    const isOpen = await new Promise<boolean>((resolve) =>
      open.enqueue(
        () => resolve(true),
        () => resolve(false),
      ),
    );
    await this.#projections.settled();
    return isOpen;
  }

  async #replace(
    documentId: string,
    version: number,
    saved: Uint8Array,
    heads: string[],
  ): Promise<boolean> {
    const { matchedCount } = await this.#database.documents.updateOne(
      { _id: documentId, snapshot_version: version },
      {
        $set: { snapshot: new Binary(saved), mark: markOf(documentId, heads) },
        $inc: { snapshot_version: 1 },
      },
    );
    return matchedCount === 1;
  }

  async #isGone(documentId: string): Promise<boolean> {
    return (await this.#database.documents.countDocuments({ _id: documentId }, { limit: 1 })) === 0;
  }
}

/** A document as it is saved, if what is saved can be loaded again; otherwise it is dropped. */
function savedSoundly(open: OpenDocument): Uint8Array | null {
  try {
    const saved = open.content.save();
    loadCore(saved).free();
    return saved;
  } catch (error) {
    open.drop(error);
    return null;
  }
}
