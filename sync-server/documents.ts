import type { Logger } from 'pino';
import { markOf } from '#shared/sync/state-digest.ts';
import { Awake } from './awake.ts';
import { Beat } from './beat.ts';
import { paying } from './budget.ts';
import type { Content } from './content.ts';
import type { Database } from './database.ts';
import type { EphemeralSource } from './device.ts';
import { REMEMBERED_MAX } from './limits.ts';
import { loadDocument, type LoadedDocument } from './load-document.ts';
import type { ChangeLog } from './log.ts';
import { OpenDocument, type DocumentHost } from './open-document.ts';
import type { Projections } from './projections.ts';

/** A device that follows documents without having them open. */
export interface DocumentFollower {
  /** Told when a followed document is in memory again. */
  opened(document: OpenDocument): void;
  /** Sends the device an ephemeral message of another device. */
  relayed(documentId: string, from: EphemeralSource, data: Uint8Array): void;
}

/** The documents in memory: loaded when first needed, freed when nobody needs them. */
export class Documents implements DocumentHost {
  readonly #database: Database;
  readonly #log: ChangeLog;
  readonly #projections: Projections;
  readonly #logger: Logger;
  readonly #onFailure: (document: OpenDocument, failure: unknown) => void;
  readonly #onRead: (ownerUserId: string, ms: number) => void;
  readonly #open = new Map<string, OpenDocument>();
  readonly #awake = new Awake();
  readonly #beat = new Beat();
  readonly #opening = new Map<string, Promise<OpenDocument | null>>();
  /** Devices that have documents as they are, which need not be loaded for them. */
  readonly #followers = new Map<string, Set<DocumentFollower>>();
  /** The marks of documents that were closed lately. */
  readonly #remembered = new Map<string, string>();
  /** Documents that failed: the log may have more of them than is projected, now or when a commit without an answer lands. */
  readonly #doubtful = new Set<string>();

  /**
   * @param onFailure told of a document whose peers must start over
   * @param onRead told how long it took to read what somebody's document has, for its projection
   */
  constructor(
    database: Database,
    log: ChangeLog,
    projections: Projections,
    logger: Logger,
    onFailure: (document: OpenDocument, failure: unknown) => void,
    onRead: (ownerUserId: string, ms: number) => void,
  ) {
    this.#database = database;
    this.#log = log;
    this.#projections = projections;
    this.#logger = logger;
    this.#onFailure = onFailure;
    this.#onRead = onRead;
  }

  get size(): number {
    return this.#open.size;
  }

  /** The document if it is in memory. */
  inMemory(documentId: string): OpenDocument | undefined {
    return this.#open.get(documentId);
  }

  /**
   * Opens a document, or null when there is none. Whoever opens it releases it.
   * @throws when it cannot be read now
   */
  async open(documentId: string): Promise<OpenDocument | null> {
    for (;;) {
      const ready = this.#open.get(documentId);
      if (ready) {
        ready.holds++;
        return ready;
      }
      const document = await (this.#opening.get(documentId) ?? this.#load(documentId));
      if (!document) return null;
      // Another that waited for it may have been done with it already.
      if (this.#open.get(documentId) !== document) continue;
      document.holds++;
      return document;
    }
  }

  readonly inUse = (content: Content): void => this.#awake.used(content);

  soon(work: () => void): void {
    this.#beat.soon(work);
  }

  append(documentId: string, chunks: Uint8Array): Promise<void> {
    return this.#log.append(documentId, chunks);
  }

  committed(document: OpenDocument): void {
    this.project(document);
  }

  /** Has the projection of a document written, if its kind has one. */
  project(document: OpenDocument): void {
    const { id, kind, ownerUserId, content } = document;
    const read = () => {
      if (kind === 'card') this.#projections.card(id, ownerUserId, content.value());
      const sharing = document.takeSharing();
      if (sharing !== null) this.#projections.sharing(ownerUserId, sharing);
      const news = document.takeNews();
      if (news) this.#projections.part(news);
    };
    try {
      // All that a document may hold takes a tenth of a second, for each small change of it.
      paying((ms) => this.#onRead(ownerUserId, ms), read);
    } catch (error) {
      document.drop(error);
    }
  }

  closed(document: OpenDocument, failure: unknown): void {
    if (this.#open.get(document.id) === document) this.#open.delete(document.id);
    this.#awake.gone(document.content);
    if (failure === null) return this.#remember(document);
    this.#doubtful.add(document.id);
    this.#logger.warn({ err: failure, document: document.id }, 'a document was closed');
    this.#onFailure(document, failure);
  }

  /** Which of these documents may not be as their snapshots are. To be asked before the snapshots are. */
  async movedOnOf(documentIds: string[]): Promise<Set<string>> {
    const movedOn = new Set(documentIds.filter((id) => this.#remembered.has(id)));
    const others = documentIds.filter((id) => !movedOn.has(id));
    if (others.length === 0) return movedOn;
    const records = this.#database.log
      .find({ 'entries.document': { $in: others } })
      .project<{ entries: { document: string }[] }>({ _id: 0, 'entries.document': 1 });
    for await (const { entries } of records)
      for (const { document } of entries) movedOn.add(document);
    return movedOn;
  }

  /** The mark of a document that this process closed, and nobody has opened since. */
  restingMark(documentId: string): string | null {
    return this.#remembered.get(documentId) ?? null;
  }

  followersOf(documentId: string): Iterable<DocumentFollower> {
    return this.#followers.get(documentId) ?? [];
  }

  follow(documentId: string, follower: DocumentFollower): void {
    const others = this.#followers.get(documentId);
    if (others) others.add(follower);
    else this.#followers.set(documentId, new Set([follower]));
  }

  unfollow(documentId: string, follower: DocumentFollower): void {
    const followers = this.#followers.get(documentId);
    if (followers?.delete(follower) && followers.size === 0) this.#followers.delete(documentId);
  }

  /** A document that failed has all of it projected: it is opened, and let go of again. */
  async projectDoubtful(documentId: string): Promise<void> {
    if (this.#doubtful.has(documentId)) (await this.open(documentId))?.release();
  }

  /** Nothing of the document is known here any more: it was removed. Who is about to open it finds none. */
  forget(documentId: string): void {
    this.#remembered.delete(documentId);
    this.#doubtful.delete(documentId);
    this.#opening.delete(documentId);
  }

  #remember({ id, content }: OpenDocument): void {
    const mark = markOf(id, content.heads);
    if (mark === null) return;
    this.#remembered.set(id, mark);
    if (this.#remembered.size <= REMEMBERED_MAX) return;
    const [oldest] = this.#remembered.keys();
    this.#remembered.delete(oldest!);
  }

  #load(documentId: string): Promise<OpenDocument | null> {
    const opening: Promise<OpenDocument | null> = loadDocument(this.#database, documentId)
      .then((loaded) => {
        if (!loaded) return null;
        if (this.#opening.get(documentId) !== opening) {
          loaded.core.free();
          return null;
        }
        return this.#opened(loaded);
      })
      .finally(() => {
        if (this.#opening.get(documentId) === opening) this.#opening.delete(documentId);
      });
    this.#opening.set(documentId, opening);
    return opening;
  }

  /** @throws when it failed before, and cannot be projected now */
  #opened(loaded: LoadedDocument): OpenDocument {
    const documentId = loaded.row._id;
    const isDoubtful = this.#doubtful.has(documentId);
    // Whatever is in the snapshot was projected before it was made.
    const document = new OpenDocument(loaded, this, isDoubtful ? loaded.snapshotHeads : undefined);
    this.#open.set(documentId, document);
    this.#remembered.delete(documentId);
    if (isDoubtful) this.project(document);
    if (this.#open.get(documentId) !== document) throw new Error('it cannot be projected');
    for (const follower of this.followersOf(documentId)) follower.opened(document);
    return document;
  }
}
