import { BSON } from 'mongodb';
import type { MessageRow } from '#shared/server/collections.ts';
import type { ThreadRow } from '../../api/features/chat/collections.ts';
import type { ArchivedRow } from './archive.ts';

/** The documents that the threads and messages of an archive name, and those that it has. */
export class SegmentReferences {
  readonly #named = new Set<string>();
  readonly #had = new Set<string>();

  /** Passes rows on, and notes them. */
  async *noting(rows: AsyncIterable<ArchivedRow>): AsyncGenerator<ArchivedRow> {
    for await (const row of rows) {
      this.#note(row);
      yield row;
    }
  }

  /** Whether the archive lacks a document that it names. */
  get areBroken(): boolean {
    return [...this.#named].some((id) => !this.#had.has(id));
  }

  #note({ collection, bytes }: ArchivedRow): void {
    if (collection === 'documents') this.#had.add(String(BSON.deserialize(bytes)['_id']));
    if (collection === 'messages')
      this.#named.add((BSON.deserialize(bytes) as MessageRow).document_id);
    if (collection !== 'threads') return;
    const { is_live, segments } = BSON.deserialize(bytes) as ThreadRow;
    for (const { documents, is_made } of is_live ? segments : [])
      for (const id of is_made ? Object.values(documents) : []) this.#named.add(id);
  }
}
