import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { BatchPace } from '#shared/server/batches.ts';
import { stateDigest } from '#shared/sync/state-digest.ts';
import type { Database } from '../database.ts';
import { BATCH_INTERVAL_MS, CLOSED_MARKS_MAX } from '../limits.ts';
import { measureAndCharge } from '../measure-and-charge.ts';
import type { ChangeLog } from '../storage/change-log.ts';
import { currentDocument } from './current-document.ts';
import type { DerivedRows } from './derived-rows.ts';
import type { DocumentContent } from './document-content.ts';
import { DocumentEviction } from './document-eviction.ts';
import { noOtherNodes, type DocumentNodes, type PassiveSubscriber } from './document-nodes.ts';
import { EndingEpochs } from './ending-epochs.ts';
import { chunksInLog, loadDocument, UnreadableDocument } from './load-document.ts';
import type { LoadMarks } from './load-marks.ts';
import { migrateIfNeeded } from './migrate-document.ts';
import {
  OpenDocument,
  type DocumentHost,
  type EphemeralSource,
  type LoadedDocument,
} from './open-document.ts';
import { SERVERS, Turns, type WorkFor } from './turns.ts';

/** A document failed: the log may have changes that are not projected, now or after a late write. */
interface Failure {
  /** When the database answered for the first time afterwards. */
  answeredAt: number | null;
}

interface DocumentsOptions {
  database: Database;
  log: ChangeLog;
  projections: DerivedRows;
  logger: Logger;
  /** Called with a document whose peers have to reconnect. */
  onFailure: (document: OpenDocument, failure: unknown) => void;
  /** Called with the milliseconds that a projection took to read. */
  onProjected: (ownerUserId: string, ms: number) => void;
}

/** When the database has answered for this long, no write from before the answer is carried out any more. */
const LATE_WRITE_MS = 10_000;
/** How long documents have to be stored and projected when the server closes. The process ends after 10 s. */
const CLOSE_WITHIN_MS = 5_000;
const CLOSE_LOOK_MS = 10;

/** The documents in memory: loaded on demand, and freed when they are no longer used. Decision 31. */
export class Documents implements DocumentHost {
  readonly #database: Database;
  readonly #log: ChangeLog;
  readonly #projections: DerivedRows;
  readonly #logger: Logger;
  readonly #onFailure: (document: OpenDocument, failure: unknown) => void;
  readonly #onProjected: (ownerUserId: string, ms: number) => void;
  readonly #open = new Map<string, OpenDocument>();
  readonly #loading = new Map<string, Promise<OpenDocument | null>>();
  readonly #eviction = new DocumentEviction();
  /** Whose work is done next. */
  readonly turns = new Turns();
  readonly #subscribers = new Map<string, Set<PassiveSubscriber>>();
  /** The marks of documents that were closed recently. */
  readonly #closedMarks = new Map<string, string>();
  readonly #failures = new Map<string, Failure>();
  #hasEverFailed = false;
  readonly #endingEpochs: EndingEpochs;
  /** Documents that another node changed while they were being loaded. */
  readonly #changedMeanwhile = new Set<string>();
  readonly #watches = new Set<{ ids: Set<string>; changed: Set<string> }>();
  nodes: DocumentNodes = noOtherNodes;
  /** Notes which documents are being loaded. */
  marks: Pick<LoadMarks, 'during' | 'isSuspect'> = {
    during: (_, load) => load(),
    isSuspect: () => false,
  };
  #batch: [userId: string, work: () => void][] = [];
  readonly #pace = new BatchPace(BATCH_INTERVAL_MS);
  #isClosing = false;

  constructor({ database, log, projections, logger, onFailure, onProjected }: DocumentsOptions) {
    this.#database = database;
    this.#log = log;
    this.#projections = projections;
    this.#logger = logger;
    this.#onFailure = onFailure;
    this.#onProjected = onProjected;
    this.#endingEpochs = new EndingEpochs(database, logger);
  }

  get size(): number {
    return this.#open.size;
  }

  /** The document if it is in memory. */
  inMemory(documentId: string): OpenDocument | undefined {
    return this.#open.get(documentId);
  }

  /**
   * Opens a document; null if it does not exist. The caller releases it.
   * @param who is charged if it is not in memory
   * @throws UnreadableDocument when it is damaged, or an error of the database
   */
  async open(documentId: string, who = SERVERS): Promise<OpenDocument | null> {
    for (;;) {
      if (this.#isClosing) throw new Error('the server is closing');
      const ready = this.#open.get(documentId);
      if (ready) {
        ready.users++;
        return ready;
      }
      const document = await (this.#loading.get(documentId) ?? this.#load(documentId, who));
      if (!document) return null;
      // Another caller that waited for it may have released it already.
      if (this.#open.get(documentId) !== document) continue;
      document.users++;
      return document;
    }
  }

  /**
   * Opens no more documents, and waits until calls and devices have left all of them.
   * @returns whether all changes were passed on to be projected
   */
  async close(): Promise<boolean> {
    this.#isClosing = true;
    const end = performance.now() + CLOSE_WITHIN_MS;
    while (this.#open.size + this.#loading.size > 0) {
      if (performance.now() > end) {
        this.#logger.warn({ documents: this.openIds }, 'documents are still in use');
        return false;
      }
      await wait(CLOSE_LOOK_MS);
    }
    return !this.hasFailed;
  }

  readonly onUse = (content: DocumentContent): void => this.#eviction.used(content);

  /**
   * Runs work at the next batch. While the server is busy, batches are some milliseconds apart: waking up for each message
   * costs more than the message, and changes of one batch are stored together. After an idle moment, there is no delay. Work of a user who
   * has much takes turns with that of others.
   */
  schedule(userId: string, work: () => void): void {
    this.#batch.push([userId, work]);
    if (this.#batch.length > 1) return;
    const pause = this.#pace.pauseMs;
    if (pause > 1) setTimeout(this.#runBatch, pause);
    else setImmediate(this.#runBatch);
  }

  readonly #runBatch = (): void => {
    const batch = this.#batch;
    this.#batch = [];
    this.#pace.started();
    for (const [userId, work] of batch) this.turns.runSoon(userId, work);
    this.#pace.ended();
  };

  async append(document: OpenDocument, chunks: Uint8Array): Promise<void> {
    const record = await this.#log.append(document.id, chunks);
    await this.nodes.stored(document, chunks, record);
  }

  committed(document: OpenDocument): void {
    this.project(document);
    this.#migrate(document);
    this.#endingEpochs.note(document);
  }

  #migrate(document: OpenDocument): void {
    const charge = (ms: number) => this.#onProjected(document.ownerUserId, ms);
    void migrateIfNeeded(document, this, charge, this.#logger);
  }

  /** Starts writing the projection of a document, if its kind has one. */
  project(document: OpenDocument): void {
    const { id, kind, ownerUserId, content } = document;
    if (document.isReplaced) return;
    const read = () => {
      if (kind === 'card')
        this.#projections.card(id, ownerUserId, content.value(), document.operations);
      const account = document.takeAccount();
      if (account) this.#projections.account(id, ownerUserId, account, document.operations);
      const changes = document.takeSegmentChanges();
      if (changes) this.#projections.segment(changes);
    };
    try {
      // Reading a document of maximum size takes 0.1 s, even after a small change.
      const charge = (ms: number) => this.#onProjected(ownerUserId, ms);
      measureAndCharge(charge, () => currentDocument.during(id, read));
    } catch (error) {
      document.drop(error);
    }
  }

  closed(document: OpenDocument, failure: unknown): void {
    if (this.#open.get(document.id) === document) this.#open.delete(document.id);
    this.nodes.unfollow(document.id);
    this.#eviction.removed(document.content);
    if (failure === null) return this.#rememberMark(document);
    this.#failures.set(document.id, { answeredAt: null });
    this.#hasEverFailed = true;
    this.#logger.warn({ err: failure, document: document.id }, 'a document was closed');
    this.#onFailure(document, failure);
  }

  /** Returns which of these documents may differ from their snapshots. Call it before reading the snapshots. */
  async withChangesInLog(documentIds: string[]): Promise<Set<string>> {
    const isHere = (id: string) => this.#open.has(id) || this.#closedMarks.has(id);
    const found = new Set(documentIds.filter(isHere));
    const others = documentIds.filter((id) => !found.has(id));
    if (others.length === 0) return found;
    const records = this.#database.log
      .find({ 'entries.document': { $in: others } })
      .project<{ entries: { document: string }[] }>({ _id: 0, 'entries.document': 1 });
    for await (const { entries } of records)
      for (const { document } of entries) found.add(document);
    return found;
  }

  /** Has a document projected that changed without being loaded, and its subscribers join it. */
  projectAgain(documentId: string): void {
    this.#failures.set(documentId, { answeredAt: null });
    this.#openForSubscribers(documentId);
  }

  /** The ids of all documents in memory. */
  get openIds(): string[] {
    return [...this.#open.keys()];
  }

  /**
   * Notes that another node changed a document that is not in memory.
   * @returns whether anything here may depend on it
   */
  changedElsewhere(documentId: string): boolean {
    if (this.#loading.has(documentId)) {
      this.#changedMeanwhile.add(documentId);
      return true;
    }
    for (const { ids, changed } of this.#watches) if (ids.has(documentId)) changed.add(documentId);
    return this.#openForSubscribers(documentId) || this.#watches.size > 0;
  }

  /** Opens a document that has subscribers: they join it and get what they lack. @returns whether it has any */
  #openForSubscribers(documentId: string): boolean {
    if (!this.#subscribers.has(documentId)) return false;
    this.open(documentId).then(
      (document) => document?.release(),
      (err: unknown) => this.#logger.warn({ err, document: documentId }, 'failed to open it'),
    );
    return true;
  }

  /** Collects which of these documents other nodes change until `end` is called. */
  watch(documentIds: string[]): { readonly changed: ReadonlySet<string>; end(): void } {
    const { nodes } = this;
    const watch = { ids: new Set(documentIds), changed: new Set<string>() };
    this.#watches.add(watch);
    for (const id of documentIds) nodes.follow(id);
    return {
      changed: watch.changed,
      end: () => {
        this.#watches.delete(watch);
        for (const id of documentIds) nodes.unfollow(id);
      },
    };
  }

  /** The mark of a document that is open, or that this process closed recently. */
  markInMemory(documentId: string): string | null {
    const open = this.inMemory(documentId);
    if (open) return stateDigest(documentId, open.content.heads);
    return this.#closedMarks.get(documentId) ?? null;
  }

  subscribersOf(documentId: string): Iterable<PassiveSubscriber> {
    return this.#subscribers.get(documentId) ?? [];
  }

  subscribe(documentId: string, subscriber: PassiveSubscriber): void {
    const others = this.#subscribers.get(documentId);
    if (others) others.add(subscriber);
    else {
      this.#subscribers.set(documentId, new Set([subscriber]));
      this.nodes.follow(documentId);
    }
  }

  unsubscribe(documentId: string, subscriber: PassiveSubscriber): void {
    const others = this.#subscribers.get(documentId);
    if (!others?.delete(subscriber) || others.size > 0) return;
    this.#subscribers.delete(documentId);
    this.nodes.unfollow(documentId);
  }

  /**
   * Loads what other nodes have stored by now.
   * @throws when the database cannot be read
   */
  async refresh(document: OpenDocument): Promise<void> {
    await this.nodes.refresh(document);
  }

  /** Runs a named change, while no other node changes the same server-written document. */
  exclusively<T>(document: OpenDocument, work: () => Promise<T>): Promise<T> {
    return this.nodes.exclusively(document, work);
  }

  /** Forwards an ephemeral message to the other nodes. */
  sendEphemeral(documentId: string, source: EphemeralSource, data: Uint8Array): void {
    this.nodes.sendEphemeral(documentId, source, data);
  }

  /** Whether changes of some document may not be projected. */
  get hasFailed(): boolean {
    return this.#failures.size > 0;
  }

  /** Whether a document was closed since the start because it failed: one that is open may lack changes that this process stored. */
  get hasEverFailed(): boolean {
    return this.#hasEverFailed;
  }

  /** Whether changes of a document may not be projected. */
  isFailed(documentId: string): boolean {
    return this.#failures.has(documentId);
  }

  /**
   * Projects documents that failed as they are stored, until no more can be stored that was sent before they failed.
   * @param projectClosed starts projecting a document that is not open
   * @throws when the database fails
   */
  async projectFailed(projectClosed: (documentId: string) => Promise<void>): Promise<void> {
    for (const [id, failure] of this.#failures) {
      const startedAt = performance.now();
      const open = this.#open.get(id);
      if (!open) await projectClosed(id);
      else if (!(await this.#projectOpen(open))) continue;
      await this.#projections.settled();
      failure.answeredAt ??= performance.now();
      // It may have failed again meanwhile.
      if (startedAt - failure.answeredAt > LATE_WRITE_MS && this.#failures.get(id) === failure)
        this.#failures.delete(id);
    }
  }

  /** Projects all of a document in memory, as it is stored. @returns whether it was and still is there */
  async projectFully(documentId: string): Promise<boolean> {
    const open = this.#open.get(documentId);
    return open !== undefined && this.#projectOpen(open, true);
  }

  /**
   * Projects all that is stored.
   * @param isFull whether what was projected is written again
   * @returns whether the document is still open
   */
  async #projectOpen(document: OpenDocument, isFull = false): Promise<boolean> {
    const stored = await chunksInLog(this.#database, document.id);
    const isOpen = await document.receiveStored(stored.map(({ chunks }) => chunks));
    return isOpen !== null && document.projectAgain(isFull);
  }

  /** Closes a document that was removed. @returns whether it was in memory */
  remove(documentId: string): boolean {
    const open = this.#open.get(documentId);
    const isHere = open !== undefined || this.#loading.has(documentId);
    open?.drop(new Error('the document was removed'));
    this.forget(documentId);
    return isHere;
  }

  /** Forgets a document that was removed. Callers that are waiting for it get null. */
  forget(documentId: string): void {
    this.#closedMarks.delete(documentId);
    this.#endingEpochs.forget(documentId);
    this.#failures.delete(documentId);
    this.#loading.delete(documentId);
  }

  #rememberMark({ id, content }: OpenDocument): void {
    // Another node may change it.
    if (this.nodes.hasOthers) return;
    const mark = stateDigest(id, content.heads);
    if (mark === null) return;
    this.#closedMarks.set(id, mark);
    if (this.#closedMarks.size <= CLOSED_MARKS_MAX) return;
    const [oldest] = this.#closedMarks.keys();
    this.#closedMarks.delete(oldest!);
  }

  #load(documentId: string, { userId, charge }: WorkFor): Promise<OpenDocument | null> {
    const { nodes } = this;
    // Before it is read, so that no change is missed in between. An open document follows until it is closed.
    nodes.follow(documentId);
    let isFollowed = false;
    const inTurn = <T>(work: () => T) => this.turns.run(userId, work);
    const load = () => loadDocument(this.#database, documentId, charge, inTurn);
    const loading: Promise<OpenDocument | null> = this.marks
      .during([documentId], load)
      .then((loaded) => {
        if (!loaded) return null;
        if (this.#loading.get(documentId) !== loading) {
          loaded.core.free();
          return null;
        }
        isFollowed = true;
        return currentDocument.during(documentId, () => this.#loaded(loaded));
      })
      .finally(() => {
        if (!isFollowed) nodes.unfollow(documentId);
        this.#changedMeanwhile.delete(documentId);
        if (this.#loading.get(documentId) === loading) this.#loading.delete(documentId);
      });
    this.#loading.set(documentId, loading);
    return loading;
  }

  /** @throws when it failed before, and cannot be projected now */
  #loaded(loaded: LoadedDocument): OpenDocument {
    const documentId = loaded.row._id;
    // Two nodes may each have projected one of several heads.
    const isMerged = this.nodes.hasOthers && loaded.core.getHeads().length > 1;
    const isDue = this.#failures.has(documentId) || isMerged;
    // Changes in the snapshot were projected before it was made.
    const document = new OpenDocument(loaded, this, isDue ? loaded.snapshotHeads : undefined);
    this.#open.set(documentId, document);
    this.#closedMarks.delete(documentId);
    if (isDue) this.project(document);
    const { ownerUserId, operations, projectedAccount } = document;
    if (!isDue && !document.isReplaced && projectedAccount)
      this.#projections.accountOpened(documentId, ownerUserId, projectedAccount, operations);
    if (this.#open.get(documentId) !== document)
      throw new UnreadableDocument('the document cannot be projected');
    for (const subscriber of this.subscribersOf(documentId)) subscriber.documentOpened(document);
    if (this.#changedMeanwhile.delete(documentId))
      this.nodes.reload(document).catch((error: unknown) => document.drop(error));
    this.#migrate(document);
    this.#endingEpochs.note(document);
    return document;
  }
}
