import * as A from '@automerge/automerge/slim';
import { decodeHeads, type UrlHeads } from '@automerge/automerge-repo/slim';
import type { LocalDatabase, WritableStore } from '../storage/local-database.ts';

/** What the server tells at about the same time is kept together, after what came of it was drawn. */
const KEEP_AFTER_MS = 20;

/**
 * How many changes of a document the server's disk is not known to have.
 * @param confirmed the heads that the server last told, which it tells only of what is on its disk
 * @returns null when that cannot be told: the server has said nothing yet, or has changes that are not here
 */
export function unconfirmedChanges(doc: A.Doc<unknown>, confirmed: A.Heads | null): number | null {
  if (!confirmed || !A.hasHeads(doc, confirmed)) return null;
  return A.getChangesMetaSince(doc, confirmed).length;
}

/** The heads that the server confirmed, kept on this device so that a start without a network can count. */
export class ConfirmedHeads {
  private readonly heads = new Map<string, A.Heads>();
  private readonly database: LocalDatabase | null;
  /** Documents whose heads are still to be kept, or forgotten. */
  private readonly waiting = new Set<string>();

  constructor(database: LocalDatabase | null) {
    this.database = database;
  }

  /** Reads what was kept for these documents. */
  async load(documentIds: readonly string[]): Promise<void> {
    if (!this.database) return;
    const kept = await this.database.read('confirmed', (store) =>
      Promise.all(documentIds.map((id): Promise<A.Heads | undefined> => store.get(id))),
    );
    for (const [i, id] of documentIds.entries()) {
      const heads = kept[i];
      // What was told meanwhile is newer.
      if (heads && !this.heads.has(id)) this.heads.set(id, heads);
    }
  }

  /** How many changes of a document the server's disk is not known to have; null when that cannot be told. */
  missing(documentId: string, doc: A.Doc<unknown>): number | null {
    return unconfirmedChanges(doc, this.get(documentId));
  }

  /** As `set`, with heads as a document's `remote-heads` event has them. */
  setEncoded(documentId: string, heads: UrlHeads): void {
    this.set(documentId, decodeHeads(heads));
  }

  /** Of a document that is removed from this device. */
  forget(documentId: string): void {
    this.heads.delete(documentId);
    this.keep(documentId);
  }

  get(documentId: string): A.Heads | null {
    return this.heads.get(documentId) ?? null;
  }

  set(documentId: string, heads: A.Heads): void {
    this.heads.set(documentId, heads);
    this.keep(documentId);
  }

  private keep(documentId: string): void {
    const { database, waiting } = this;
    if (!database) return;
    waiting.add(documentId);
    if (waiting.size > 1) return;
    setTimeout(() => {
      const writes = Array.from(waiting, (id) => (store: WritableStore) => {
        const heads = this.heads.get(id);
        return heads ? store.put(heads, id) : store.delete(id);
      });
      waiting.clear();
      // Failing to keep it only makes a later start say 'not saved yet' for a moment longer.
      database
        .commit('confirmed', writes)
        .catch((error: unknown) => console.warn('Failed to store the confirmed heads', error));
    }, KEEP_AFTER_MS);
  }
}
