import * as A from '@automerge/automerge/slim';
import type { Doc, Heads } from '@automerge/automerge/slim';
import { type DocHandle, type UrlHeads, decodeHeads } from '@automerge/automerge-repo/slim';
import { nextTask } from '../../scheduling/next-task.ts';
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

interface Tracked {
  /** Whether nothing is confirmed while it is not here. */
  isNeeded: boolean;
  noteRemote(told: { heads: UrlHeads }): void;
  noteLocal(): void;
  counted: { doc: Doc<unknown>; confirmed: Heads | null; missing: number | null } | null;
}

/** How many changes of the documents on this device the server's disk is not known to have. */
export class Confirmations {
  readonly heads: ConfirmedHeads;
  private readonly onChange: () => void;
  private readonly tracked = new Map<DocHandle<unknown>, Tracked>();

  /** @param onChange told, soon, when a tracked document changed, here or on the server's disk */
  constructor(heads: ConfirmedHeads, onChange: () => void) {
    this.heads = heads;
    this.onChange = onChange;
  }

  /** @param isNeeded whether nothing is confirmed while it is not here */
  track(handle: DocHandle<unknown>, isNeeded = false): void {
    if (this.tracked.has(handle)) return;
    const noteRemote = ({ heads }: { heads: UrlHeads }) => {
      this.heads.setEncoded(handle.documentId, heads);
      this.changed();
    };
    // Reading a document is a task's work: what comes of it waits for the next. An edit of one that is here does not.
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

  letGo(handle: DocHandle<unknown>): void {
    const tracked = this.tracked.get(handle);
    if (!tracked) return;
    this.tracked.delete(handle);
    handle.off('heads-changed', tracked.noteLocal);
    handle.off('remote-heads', tracked.noteRemote);
  }

  /** What is still to be confirmed, of all that is tracked. What did not change is not counted again. */
  sum(): { isConfirmed: boolean; unconfirmed: number } {
    let unconfirmed = 0;
    let isConfirmed = true;
    for (const [handle, tracked] of this.tracked) {
      if (!handle.isReady() && !tracked.isNeeded) continue;
      const missing = handle.isReady() ? this.count(handle, tracked) : null;
      isConfirmed &&= missing === 0;
      unconfirmed += missing ?? 0;
    }
    return { isConfirmed, unconfirmed };
  }

  private count(handle: DocHandle<unknown>, tracked: Tracked): number | null {
    const doc = handle.doc();
    const confirmed = this.heads.get(handle.documentId);
    const { counted } = tracked;
    if (counted?.doc === doc && counted.confirmed === confirmed) return counted.missing;
    const missing = this.heads.missing(handle.documentId, doc);
    tracked.counted = { doc, confirmed, missing };
    return missing;
  }

  private readonly changed = () => queueMicrotask(this.onChange);
}
