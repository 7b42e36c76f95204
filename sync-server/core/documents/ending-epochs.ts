import type { Logger } from 'pino';
import type { Database } from '../database.ts';
import type { OpenDocument } from './open-document.ts';

/** Notes in the rows of documents that others should replace them before they are full (decision 392). */
export class EndingEpochs {
  readonly #database: Pick<Database, 'documents'>;
  readonly #logger: Logger;
  readonly #noted = new Set<string>();

  constructor(database: Pick<Database, 'documents'>, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Call it after a document was loaded, and after each commit. */
  note({ id, isReplaced, content }: OpenDocument): void {
    if (isReplaced || this.#noted.has(id) || !content.isEpochDue) return;
    this.#noted.add(id);
    this.#database.documents
      .updateOne(
        { _id: id, successor: { $exists: false }, epoch_due: { $exists: false } },
        { $set: { epoch_due: true } },
      )
      .catch((err: unknown) => {
        this.#noted.delete(id);
        this.#logger.warn({ err, document: id }, 'failed to note that an epoch ends');
      });
  }

  forget(documentId: string): void {
    this.#noted.delete(documentId);
  }
}
