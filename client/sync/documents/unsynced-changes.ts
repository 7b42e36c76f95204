import * as A from '@automerge/automerge/slim';
import type { Doc, Heads } from '@automerge/automerge/slim';
import { type DocHandle, type UrlHeads, decodeHeads } from '@automerge/automerge-repo/slim';
import type { RefusalReason } from '#shared/sync/refusals.ts';
import { nextTask } from '../../scheduling/next-task.ts';
import type { RefusedDocuments } from '../connection/refused-documents.ts';
import type { SyncState } from './document-state.ts';
import type { LocalDatabase, WritableStore } from '../storage/local-database.ts';

/** Heads that are confirmed within this time are stored together, after rendering. */
const STORE_AFTER_MS = 20;

/**
 * Counts a document's changes that the server has not confirmed.
 * @param confirmed the heads that the server last confirmed, after storing them
 * @returns null when unknown: the server has confirmed nothing yet, or has changes that are not here
 */
export function unconfirmedChanges(doc: A.Doc<unknown>, confirmed: A.Heads | null): number | null {
  if (!confirmed || !A.hasHeads(doc, confirmed)) return null;
  return A.getChangesMetaSince(doc, confirmed).length;
}

/** The heads that the server confirmed, stored on this device to count unconfirmed changes after an offline start. */
export class ConfirmedHeads {
  private readonly heads = new Map<string, A.Heads>();
  private readonly database: LocalDatabase | null;
  /** Ids of documents whose heads are to be stored or removed. */
  private readonly waiting = new Set<string>();

  constructor(database: LocalDatabase | null) {
    this.database = database;
  }

  /** Reads the stored heads of documents. */
  async load(documentIds: readonly string[]): Promise<void> {
    if (!this.database) return;
    const stored = await this.database.read('confirmed', (store) =>
      Promise.all(documentIds.map((id): Promise<A.Heads | undefined> => store.get(id))),
    );
    for (const [i, id] of documentIds.entries()) {
      const heads = stored[i];
      // Heads confirmed meanwhile are newer.
      if (heads && !this.heads.has(id)) this.heads.set(id, heads);
    }
  }

  /** Removes the heads of a document that is removed from this device. */
  forget(documentId: string): void {
    this.heads.delete(documentId);
    this.store(documentId);
  }

  get(documentId: string): A.Heads | null {
    return this.heads.get(documentId) ?? null;
  }

  set(documentId: string, heads: A.Heads): void {
    this.heads.set(documentId, heads);
    this.store(documentId);
  }

  private store(documentId: string): void {
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
      // After a failure, the next start only shows 'not saved yet' a moment longer.
      database
        .commit('confirmed', writes)
        .catch((error: unknown) => console.warn('Failed to store the confirmed heads', error));
    }, STORE_AFTER_MS);
  }
}

interface Tracked {
  /** Whether nothing counts as confirmed while the document is not here. */
  isNeeded: boolean;
  noteRemote(event: { heads: UrlHeads }): void;
  noteLocal(): void;
  counted: { doc: Doc<unknown>; confirmed: Heads | null; missing: number | null } | null;
}

type Refusals = Pick<RefusedDocuments, 'reasonOf' | 'forget'>;

/** Counts the unconfirmed changes of the documents on this device. */
export class Confirmations {
  readonly heads: ConfirmedHeads;
  private readonly refusals: Refusals;
  private readonly onChange: () => void;
  private readonly tracked = new Map<DocHandle<unknown>, Tracked>();

  /** @param onChange called soon after a tracked document changed, or the server confirmed changes */
  constructor(
    heads: ConfirmedHeads,
    onChange: () => void,
    refusals: Refusals = { reasonOf: () => null, forget() {} },
  ) {
    this.heads = heads;
    this.refusals = refusals;
    this.onChange = onChange;
  }

  /** @param isNeeded whether nothing counts as confirmed while the document is not here */
  track(handle: DocHandle<unknown>, isNeeded = false): void {
    if (this.tracked.has(handle)) return;
    const noteRemote = ({ heads }: { heads: UrlHeads }) => {
      this.heads.set(handle.documentId, decodeHeads(heads));
      this.changed();
    };
    // Loading a document takes a whole task, so what follows waits for the next one. An edit does not wait.
    let wasHere = handle.isReady();
    const noteLocal = () => {
      if (wasHere) this.changed();
      else void nextTask().then(this.onChange);
      wasHere = true;
    };
    this.tracked.set(handle, { isNeeded, noteRemote, noteLocal, counted: null });
    handle.on('heads-changed', noteLocal);
    handle.on('remote-heads', noteRemote);
    void this.heads
      .load([handle.documentId])
      .then(this.changed, (error: unknown) =>
        console.warn('Failed to read the confirmed heads', error),
      );
  }

  untrack(handle: DocHandle<unknown>): void {
    const tracked = this.tracked.get(handle);
    if (!tracked) return;
    this.tracked.delete(handle);
    handle.off('heads-changed', tracked.noteLocal);
    handle.off('remote-heads', tracked.noteRemote);
  }

  /** Forgets a document that is removed from this device. */
  forget(documentId: string): void {
    this.heads.forget(documentId);
    this.refusals.forget(documentId);
  }

  /**
   * Sums up the unconfirmed changes of all tracked documents, apart from those that the server refused. Unchanged documents are not
   * counted again.
   */
  sum(): Pick<SyncState, 'isConfirmed' | 'unconfirmed' | 'refused' | 'refusal'> {
    let unconfirmed = 0;
    let isConfirmed = true;
    let refused = 0;
    let refusal: RefusalReason | null = null;
    for (const [handle, tracked] of this.tracked) {
      if (!handle.isReady() && !tracked.isNeeded) continue;
      const missing = handle.isReady() ? this.count(handle, tracked) : null;
      const reason = this.refusals.reasonOf(handle.documentId);
      if (reason !== null && missing !== 0) {
        refused += missing ?? 0;
        refusal ??= reason;
        continue;
      }
      if (reason !== null) this.refusals.forget(handle.documentId);
      isConfirmed &&= missing === 0;
      unconfirmed += missing ?? 0;
    }
    return { isConfirmed, unconfirmed, refused, refusal };
  }

  private count(handle: DocHandle<unknown>, tracked: Tracked): number | null {
    const doc = handle.doc();
    const confirmed = this.heads.get(handle.documentId);
    const { counted } = tracked;
    if (counted?.doc === doc && counted.confirmed === confirmed) return counted.missing;
    const missing = unconfirmedChanges(doc, confirmed);
    tracked.counted = { doc, confirmed, missing };
    return missing;
  }

  private readonly changed = () => queueMicrotask(this.onChange);
}
