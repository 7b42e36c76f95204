import type { Logger } from 'pino';
import { databaseTrouble } from '#shared/server/database-errors.ts';
import { MINUTE_MS } from '#shared/time.ts';
import type { Database } from '../database.ts';

/** The pause before the first repetition, which doubles with each, up to about a day. */
const FIRST_PAUSE_MS = MINUTE_MS;
const DOUBLED_MAX = 10;
/** Documents that are repeated at a time. */
const DUE_MAX = 100;

/** What MongoDB refused to write, and why. */
interface Refused<T> {
  item: T;
  error: unknown;
}

/**
 * Writes items together. If that fails although the database works, finds by halves the items that fail alone, and writes all others.
 * @param write may be repeated with the same items
 * @throws when the database does not work
 */
export async function writeIsolated<T>(
  items: readonly T[],
  write: (items: readonly T[]) => Promise<unknown>,
): Promise<Refused<T>[]> {
  if (items.length === 0) return [];
  try {
    await write(items);
    return [];
  } catch (error) {
    if (databaseTrouble(error)) throw error;
    if (items.length === 1) return [{ item: items[0]!, error }];
  }
  const half = Math.ceil(items.length / 2);
  return [
    ...(await writeIsolated(items.slice(0, half), write)),
    ...(await writeIsolated(items.slice(half), write)),
  ];
}

/**
 * The documents of which something could not be projected, though the database works. Each notes in its row when all of it is projected
 * again: after a pause that grows with each failure (decision 122).
 */
export class RefusedProjections {
  readonly #documents: Database['documents'];
  readonly #log: Logger;
  readonly #count: () => void;

  /** @param count called with each refusal */
  constructor({ documents }: Pick<Database, 'documents'>, log: Logger, count: () => void) {
    this.#documents = documents;
    this.#log = log;
    this.#count = count;
  }

  /** Notes a failure. Nothing changes for a document that waits already. @throws when the database fails */
  async add(documentId: string, error: unknown): Promise<void> {
    this.#count();
    this.#log.error({ err: error, document: documentId }, 'failed to project; trying again later');
    const tries = { $ifNull: ['$projection.tries', 0] };
    const pauseMs = {
      $multiply: [FIRST_PAUSE_MS, { $pow: [2, { $min: [tries, DOUBLED_MAX] }] }],
    };
    const isWaiting = { 'projection.retry_at': { $gt: new Date() } };
    await this.#documents.updateOne({ _id: documentId, $nor: [isWaiting] }, [
      {
        $set: {
          projection: { tries: { $add: [tries, 1] }, retry_at: { $add: ['$$NOW', pauseMs] } },
        },
      },
    ]);
  }

  /**
   * Repeats what is due.
   * @param project projects all of a document, and calls `add` or throws if that fails
   * @throws when the database fails
   */
  async repeatDue(project: (documentId: string) => Promise<void>): Promise<void> {
    const due = await this.#documents
      .find({ 'projection.retry_at': { $lte: new Date() } }, { limit: DUE_MAX })
      .sort({ 'projection.retry_at': 1 })
      .project<{ _id: string; projection: { tries: number } }>({ projection: 1 })
      .toArray();
    for (const { _id, projection } of due) {
      try {
        await project(_id);
      } catch (error) {
        if (databaseTrouble(error)) throw error;
        await this.add(_id, error);
      }
      // Unless it failed again.
      await this.#documents.updateOne(
        { _id, 'projection.tries': projection.tries },
        { $unset: { projection: true } },
      );
    }
  }

  /** The number of documents that wait. */
  waiting(): Promise<number> {
    return this.#documents.countDocuments({ 'projection.retry_at': { $exists: true } });
  }
}
