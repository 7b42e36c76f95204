import type { Logger } from 'pino';
import { Beat } from './beat.ts';
import type { Database } from './database.ts';
import { loadDocument } from './load-document.ts';
import type { Log } from './log.ts';
import { OpenDocument, type DocumentHost } from './open-document.ts';
import type { Projections } from './projections.ts';

/** The documents in memory: loaded when first needed, freed when nobody needs them. */
export class Documents implements DocumentHost {
  readonly #database: Database;
  readonly #log: Log;
  readonly #projections: Projections;
  readonly #logger: Logger;
  readonly #onFailure: (document: OpenDocument, failure: unknown) => void;
  readonly #open = new Map<string, OpenDocument>();
  readonly #beat = new Beat();
  readonly #opening = new Map<string, Promise<OpenDocument | null>>();

  /** @param onFailure told of a document whose peers must start over */
  constructor(
    database: Database,
    log: Log,
    projections: Projections,
    logger: Logger,
    onFailure: (document: OpenDocument, failure: unknown) => void,
  ) {
    this.#database = database;
    this.#log = log;
    this.#projections = projections;
    this.#logger = logger;
    this.#onFailure = onFailure;
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
    try {
      if (document.kind === 'card')
        this.#projections.card(document.id, document.ownerUserId, document.value());
      const news = document.takeNews();
      if (news) this.#projections.part(news);
    } catch (error) {
      document.drop(error);
    }
  }

  closed(document: OpenDocument, failure: unknown): void {
    if (this.#open.get(document.id) === document) this.#open.delete(document.id);
    if (failure === null) return;
    this.#logger.warn({ err: failure, document: document.id }, 'a document was closed');
    this.#onFailure(document, failure);
  }

  #load(documentId: string): Promise<OpenDocument | null> {
    const opening = loadDocument(this.#database, documentId)
      .then((loaded) => {
        if (!loaded) return null;
        const document = new OpenDocument(loaded, this);
        this.#open.set(documentId, document);
        return document;
      })
      .finally(() => this.#opening.delete(documentId));
    this.#opening.set(documentId, opening);
    return opening;
  }
}
