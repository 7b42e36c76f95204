import { setTimeout as wait } from 'node:timers/promises';
import { MongoError, type ObjectId } from 'mongodb';
import type { Logger } from 'pino';
import { readProjectedAccount } from '#shared/account/projected-account.ts';
import { databaseTrouble } from '#shared/server/database-errors.ts';
import { HOUR_MS } from '#shared/time.ts';
import type { Database, LogRow } from './database.ts';
import { loadCore, saveCore } from './documents/automerge-core.ts';
import { currentDocument } from './documents/current-document.ts';
import type { DerivedRows } from './documents/derived-rows.ts';
import type { Documents } from './documents/documents.ts';
import { loadDocument, QuarantinedDocument } from './documents/load-document.ts';
import type { LoadedDocument, OpenDocument } from './documents/open-document.ts';
import { collectChanges } from './documents/segment-changes.ts';
import {
  COMPACTED_AT_ONCE,
  COMPACTION_GAP_MS,
  COMPACTION_PAUSE,
  LOG_MAX_BYTES,
  LOG_MAX_RECORDS,
} from './limits.ts';
import { quarantineNow } from './quarantine/quarantine-rows.ts';
import { moveToQuarantine } from './quarantine/stored-document.ts';
import { snapshotWriter } from './storage/snapshots.ts';

/** Copies of cards for friends (`FriendCards`). */
interface CardCopies {
  /** Settles when all copies in progress are made. @returns false once copying was stopped */
  settled(): Promise<boolean>;
  /** Updates one friend card. @throws when it cannot be updated now */
  update(userId: string, documentId: string): Promise<void>;
}

interface CompactionOptions {
  database: Database;
  documents: Documents;
  projections: DerivedRows;
  friendCards: CardCopies;
  /** Identifies this process in the records that it writes. */
  writer: string;
  logger: Logger;
}

/** Steps between which tests can make it fail. */
export type CompactionStep = 'chosen' | 'snapshot' | 'covered';

/** How long records stay in the log when a document of theirs has no new snapshot, although the database works. */
const KEPT_MS = HOUR_MS;
/** Documents that are projected between two notes of which they are (`LoadMarks`). */
const PROJECTED_AT_ONCE = 8;

/** The chosen records with changes of a document, and whether another process wrote any of them. */
interface Touched {
  records: ObjectId[];
  isForeign: boolean;
}

/**
 * Moves the oldest records of the log into snapshots. A record has changes of several documents, and is deleted when each of
 * them has a snapshot with these changes: at any moment, snapshots and log together are complete.
 */
export class Compaction {
  /** Called between steps; tests throw here. */
  onStep: (step: CompactionStep) => void = () => {};
  readonly #database: Database;
  readonly #documents: Documents;
  readonly #projections: DerivedRows;
  readonly #friendCards: CardCopies;
  readonly #writer: string;
  readonly #logger: Logger;
  readonly #replace: ReturnType<typeof snapshotWriter>;
  /** Documents whose snapshots failed, and until when they are left out. */
  readonly #failed = new Map<string, number>();
  #records = 0;
  #bytes = 0;
  #notBefore = 0;
  #running: Promise<void> | null = null;
  #isStopped = false;

  constructor(options: CompactionOptions) {
    this.#database = options.database;
    this.#documents = options.documents;
    this.#projections = options.projections;
    this.#friendCards = options.friendCards;
    this.#writer = options.writer;
    this.#logger = options.logger;
    this.#replace = snapshotWriter(options.database.documents);
  }

  /** Counts a record that was added to the log, and starts a run when the log has become too large. */
  recordAdded(bytes: number): void {
    this.#records++;
    this.#bytes += bytes;
    if (
      this.#running ||
      this.#isStopped ||
      performance.now() < this.#notBefore ||
      (this.#records <= LOG_MAX_RECORDS && this.#bytes <= LOG_MAX_BYTES)
    )
      return;
    this.#running = this.#runAlone()
      .catch((error: unknown) =>
        this.#logger.warn({ err: error }, 'compaction failed; the log is unchanged'),
      )
      .finally(() => {
        this.#running = null;
        this.#notBefore = performance.now() + COMPACTION_GAP_MS;
      });
  }

  /** Counts the records that are there. */
  async start(): Promise<void> {
    this.#records = await this.#database.log.estimatedDocumentCount();
  }

  /**
   * Projects documents in the log again, in case a crash prevented it.
   * @param writers the processes whose changes are projected; by default, all
   */
  async redoProjections(writers?: string[]): Promise<void> {
    const filter = writers ? { writer: { $in: writers } } : {};
    const touched = await this.#database.log.distinct('entries.document', filter);
    const projected = this.#database.documents.find(
      { _id: { $in: touched }, kind: { $in: ['card', 'account', 'segment'] } },
      { projection: { _id: 1 } },
    );
    let batch: string[] = [];
    for await (const { _id } of projected) {
      if (this.#documents.marks.isSuspect(_id)) {
        await this.#projectAllStored([_id]);
        continue;
      }
      batch.push(_id);
      if (batch.length < PROJECTED_AT_ONCE) continue;
      await this.#projectAllStored(batch);
      batch = [];
    }
    await this.#projectAllStored(batch);
    await this.#projections.settled();
  }

  async #projectAllStored(documentIds: string[]): Promise<void> {
    const work = async () => {
      for (const id of documentIds) await this.#projectStored(id);
    };
    await this.#documents.marks.during(documentIds, work);
  }

  /** Projects documents that failed. Called again and again. @throws when the database fails */
  async projectFailed(): Promise<void> {
    await this.#documents.projectFailed((id) => this.#projectStored(id));
  }

  /** Projects all of the documents of which MongoDB refused something, when they are due. @throws when the database fails */
  async projectRefused(): Promise<void> {
    const run = () => this.#projections.refused.repeatDue((id) => this.#projectFully(id));
    await this.#documents.nodes.alone('refused projections', run);
  }

  /** @throws when it cannot be read or projected */
  async #projectFully(documentId: string): Promise<void> {
    const friendCard = await this.#database.documents.findOne(
      { _id: documentId, subject_user_id: { $exists: true } },
      { projection: { subject_user_id: 1 } },
    );
    if (friendCard) return this.#friendCards.update(friendCard.subject_user_id!, documentId);
    if (!(await this.#documents.projectFully(documentId)))
      await this.#documents.marks.during([documentId], () => this.#projectFromStart(documentId));
    await this.#projections.settled();
  }

  async #projectFromStart(documentId: string): Promise<void> {
    const loaded = await loadDocument(this.#database, documentId);
    if (!loaded) return;
    try {
      this.#project(loaded, []);
    } finally {
      loaded.core.free();
    }
  }

  /** @param since the heads whose changes are projected already; what is in the snapshot was projected before it was made */
  #project(loaded: LoadedDocument, since = loaded.snapshotHeads): void {
    currentDocument.during(loaded.row._id, () => this.#projectLoaded(loaded, since));
  }

  #projectLoaded(
    {
      row: { _id, kind, owner_user_id, place, successor, operations_before = 0 },
      core,
    }: LoadedDocument,
    since: string[],
  ): void {
    if (successor !== undefined) return;
    const numOps = operations_before + core.stats().numOps;
    if (kind === 'card') this.#projections.card(_id, owner_user_id, core.materialize('/'), numOps);
    if (kind === 'account')
      this.#projections.account(
        _id,
        owner_user_id,
        readProjectedAccount(core.materialize('/')),
        numOps,
      );
    const segment = { id: _id, ownerUserId: owner_user_id };
    const changes = place && collectChanges(core, segment, place, since);
    if (changes) this.#projections.segment(changes);
  }

  /** Waits for the current run and starts no other. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  #runAlone(): Promise<void> {
    return this.#documents.nodes.alone('compaction', () => this.run());
  }

  /**
   * Moves the older half of the log into snapshots.
   * @throws when the database fails; nothing is lost then
   */
  async run(): Promise<void> {
    const count = Math.ceil((await this.#database.log.estimatedDocumentCount()) / 2);
    this.#records = 0;
    this.#bytes = 0;
    for (const [id, until] of this.#failed) if (until < performance.now()) this.#failed.delete(id);
    const oldest = await this.#database.log
      .find(
        { 'entries.document': { $nin: [...this.#failed.keys()] } },
        { sort: { _id: 1 }, limit: Math.max(1, count) },
      )
      .project<Pick<LogRow, '_id' | 'writer'> & { entries: { document: string }[] }>({
        writer: 1,
        'entries.document': 1,
      })
      .toArray();
    const { nodes } = this.#documents;
    const chosen = oldest.filter((record) => nodes.isReadByAll(record));
    this.onStep('chosen');
    const touched = new Map<string, Touched>();
    for (const { _id, writer, entries } of chosen)
      for (const { document } of entries) {
        const { records, isForeign } = touched.get(document) ?? { records: [], isForeign: false };
        records.push(_id);
        touched.set(document, { records, isForeign: isForeign || writer !== this.#writer });
      }
    const documents = [...touched];
    const kept = new Set<ObjectId>();
    for (let at = 0; at < documents.length; at += COMPACTED_AT_ONCE) {
      if (this.#isStopped) return;
      const startedAt = performance.now();
      for (const record of await this.#writeSnapshots(documents.slice(at, at + COMPACTED_AT_ONCE)))
        kept.add(record);
      // Devices don't wait for it.
      await wait((performance.now() - startedAt) * COMPACTION_PAUSE);
    }
    await this.#projections.settled();
    // Cards of documents that are not in the log are not published again at the next start.
    if (!(await this.#friendCards.settled())) return;
    this.onStep('covered');
    const covered = chosen.map((row) => row._id).filter((id) => !kept.has(id));
    await this.#database.log.deleteMany({ _id: { $in: covered } });
    this.#records += await this.#database.log.estimatedDocumentCount();
    this.#logger.info({ records: covered.length, documents: touched.size }, 'log compacted');
  }

  /**
   * Writes the snapshots of some documents.
   * @returns the records that must stay for now, because a document has no snapshot with them
   * @throws when the database does not work; all were tried then
   */
  async #writeSnapshots(
    documents: [documentId: string, changes: Touched][],
  ): Promise<Set<ObjectId>> {
    const outcomes = await Promise.allSettled(
      documents.map(async ([documentId, changes]) => {
        const isWritten = await this.#writeSnapshot(documentId, changes);
        if (isWritten) this.onStep('snapshot');
        return isWritten;
      }),
    );
    const kept = new Set<ObjectId>();
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled' && outcome.value) continue;
      const [document, { records }] = documents[index]!;
      if (outcome.status === 'rejected') {
        const { reason: err } = outcome;
        if (databaseTrouble(err)) throw err;
        this.#logger.error({ err, document }, 'failed to write a snapshot; trying again later');
        this.#failed.set(document, performance.now() + KEPT_MS);
      }
      for (const record of records) kept.add(record);
    }
    return kept;
  }

  /**
   * Writes a snapshot that has a document's changes of the chosen records.
   * @returns false if another process was faster and the records must stay for now
   */
  async #writeSnapshot(documentId: string, changes: Touched): Promise<boolean> {
    if (this.#documents.isFailed(documentId)) await this.#projectStored(documentId);
    const open = this.#documents.inMemory(documentId);
    const { isForeign } = changes;
    if (open && (await this.#apply(open, changes))) {
      if (isForeign) await this.#projectStored(documentId);
      const { heads } = open.content;
      const { snapshotVersion } = open;
      const saved = currentDocument.during(documentId, () => saveVerified(open));
      const isWritten =
        saved !== null &&
        (await this.#isProjected(open)) &&
        (await this.#replace({ documentId, version: snapshotVersion, saved, heads }));
      if (isWritten) {
        open.snapshotVersion = Math.max(open.snapshotVersion, snapshotVersion + 1);
        return true;
      }
    }
    const closed = await this.#saveClosed(documentId, isForeign).catch((error: unknown) => {
      if (error instanceof MongoError) throw error;
      return this.#quarantine(documentId, error);
    });
    if (!closed) return true;
    const { saved, version } = closed;
    await this.#projections.settled();
    if (!(await this.#replace({ documentId, ...closed }))) return this.#isRemoved(documentId);
    const opened = this.#documents.inMemory(documentId);
    if (opened) {
      opened.applyStored([saved]);
      opened.snapshotVersion = Math.max(opened.snapshotVersion, version + 1);
      // Its peers get the new changes.
      opened.enqueue(() => {});
    }
    return true;
  }

  /**
   * Returns a document that is not in memory in its saved form; null if it was removed.
   * @param isProjected whether it is projected, because the node that changed it may have crashed before
   * @throws when the stored or the saved form cannot be loaded
   */
  async #saveClosed(
    documentId: string,
    isProjected: boolean,
  ): Promise<{ saved: Uint8Array; heads: string[]; version: number } | null> {
    const loaded = await loadDocument(this.#database, documentId);
    if (!loaded) return null;
    const { core, row } = loaded;
    try {
      const saved = currentDocument.during(documentId, () => {
        const bytes = saveCore(core, core.saveNoCompress().length);
        loadCore(bytes).free();
        return bytes;
      });
      if (isProjected) this.#project(loaded);
      return { saved, heads: core.getHeads(), version: row.snapshot_version };
    } finally {
      core.free();
    }
  }

  /** Quarantines a document that cannot be loaded. Its changes leave the log. */
  async #quarantine(documentId: string, cause: unknown): Promise<null> {
    if (!(cause instanceof QuarantinedDocument)) {
      this.#logger.error({ err: cause, document: documentId }, 'a document cannot be loaded');
      await quarantineNow(this.#database.documents, documentId);
    }
    await moveToQuarantine(this.#database, documentId);
    return null;
  }

  /**
   * Applies records to an open document. Even those of this process after a failure: the document may have been opened again
   * before a change was stored that was on its way.
   * @returns whether it is still open
   */
  async #apply(open: OpenDocument, { records, isForeign }: Touched): Promise<boolean> {
    if (!isForeign && !this.#documents.hasEverFailed) return true;
    const rows = await this.#database.log
      .find({ _id: { $in: records } })
      .project<Pick<LogRow, 'entries'>>({ entries: { $elemMatch: { document: open.id } } })
      .toArray();
    if (this.#documents.inMemory(open.id) !== open) return false;
    open.applyStored(rows.flatMap(({ entries }) => entries.map(({ chunks }) => chunks.buffer)));
    return true;
  }

  /**
   * Starts projecting a document as it is stored, because the node that changed it may not have done so. One that cannot be read is
   * projected later, and one that was opened meanwhile keeps what was projected of a newer state.
   * @throws when the database fails
   */
  async #projectStored(documentId: string): Promise<void> {
    try {
      const loaded = await loadDocument(this.#database, documentId);
      if (!loaded) return;
      try {
        this.#project(loaded);
      } finally {
        loaded.core.free();
      }
    } catch (error) {
      if (databaseTrouble(error)) throw error;
      await this.#projections.refused.add(documentId, error);
    }
  }

  /** Waits until the current state of an open document is projected. @returns whether it is still open */
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

  async #isRemoved(documentId: string): Promise<boolean> {
    return (await this.#database.documents.countDocuments({ _id: documentId }, { limit: 1 })) === 0;
  }
}

/** Saves a document and checks that it can be loaded again; otherwise closes it and returns null. */
function saveVerified(open: OpenDocument): Uint8Array | null {
  try {
    const saved = open.content.save();
    loadCore(saved).free();
    return saved;
  } catch (error) {
    open.drop(error);
    return null;
  }
}
