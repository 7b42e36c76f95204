import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import { DAY_MS } from '#shared/time.ts';
import type { Database } from '../database.ts';
import { FAILURES_MAX, quarantineUntried } from './quarantine-rows.ts';

/** An account is held when this many of the documents that it writes were quarantined within a day, because servers ended. */
const DOCUMENTS_MAX = 3;
const WRITTEN = (Object.keys(documentKinds) as DocumentKind[]).filter(
  (kind) => documentKinds[kind].ownerWrites,
);

/**
 * The accounts of which several documents ended servers. For a day, they may only read their documents, and each of the others is tried in a
 * process of its own before a server loads it: so one account ends servers a few times a day at most, however many documents it has.
 */
export class ReadOnlyAccounts {
  readonly #documents: Database['documents'];
  #ids: ReadonlySet<string> = new Set();

  constructor({ documents }: Pick<Database, 'documents'>) {
    this.#documents = documents;
  }

  readonly has = (userId: string): boolean => this.#ids.has(userId);

  /**
   * Looks which accounts are held now.
   * @returns those for whom that has changed
   * @throws when the database fails
   */
  async refresh(): Promise<string[]> {
    const found = await this.#documents
      .aggregate<{ _id: string }>([
        {
          $match: {
            'quarantine.failed_at': { $gt: new Date(Date.now() - DAY_MS) },
            'quarantine.failures': { $gte: FAILURES_MAX },
            kind: { $in: WRITTEN },
          },
        },
        { $group: { _id: '$owner_user_id', documents: { $sum: 1 } } },
        { $match: { documents: { $gte: DOCUMENTS_MAX } } },
      ])
      .toArray();
    const before = this.#ids;
    const now = new Set(found.map(({ _id }) => _id));
    this.#ids = now;
    for (const userId of now)
      if (!before.has(userId)) await quarantineUntried(this.#documents, userId, WRITTEN);
    return [
      ...[...now].filter((userId) => !before.has(userId)),
      ...[...before].filter((userId) => !now.has(userId)),
    ];
  }
}
