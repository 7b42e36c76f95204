import { type DocHandle, type UrlHeads, decodeHeads } from '@automerge/automerge-repo/slim';
import * as A from '@automerge/automerge/slim';
import type { Doc, Heads } from '@automerge/automerge/slim';
import type { RefusalReason } from '#shared/sync/refusals.ts';
import { nextTask } from '../../scheduling/next-task.ts';
import type { RefusedDocuments } from '../connection/refused-documents.ts';
import type { SyncState } from '../state/document-state.ts';
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
  readonly #heads = new Map<string, A.Heads>();
  readonly #database: LocalDatabase | null;
  /** Ids of documents whose heads are to be stored or removed. */
  readonly #waiting = new Set<string>();
  #stored: Promise<void> = Promise.resolve();

  constructor(database: LocalDatabase | null) {
    this.#database = database;
  }

  /** Settles when all that was confirmed so far is stored. @throws when the browser refuses it */
  whenStored(): Promise<void> {
    return this.#stored;
  }

  /** Reads the stored heads of documents. */
  async load(documentIds: readonly string[]): Promise<void> {
    if (!this.#database) return;
    const stored = await this.#database.read('confirmed', (store) =>
      Promise.all(documentIds.map((id): Promise<A.Heads | undefined> => store.get(id))),
    );
    for (const [i, id] of documentIds.entries()) {
      const heads = stored[i];
      // Heads confirmed meanwhile are newer.
      if (heads && !this.#heads.has(id)) this.#heads.set(id, heads);
    }
  }

  /** Removes the heads of a document that is removed from this device. */
  forget(documentId: string): void {
    this.#heads.delete(documentId);
    this.#store(documentId);
  }

  get(documentId: string): A.Heads | null {
    return this.#heads.get(documentId) ?? null;
  }

  set(documentId: string, heads: A.Heads): void {
    this.#heads.set(documentId, heads);
    this.#store(documentId);
  }

  #store(documentId: string): void {
    const database = this.#database;
    const waiting = this.#waiting;
    if (!database) return;
    waiting.add(documentId);
    if (waiting.size > 1) return;
    const soon = new Promise((resolve) => setTimeout(resolve, STORE_AFTER_MS));
    this.#stored = soon.then(() => {
      const writes = Array.from(waiting, (id) => (store: WritableStore) => {
        const heads = this.#heads.get(id);
        return heads ? store.put(heads, id) : store.delete(id);
      });
      waiting.clear();
      return database.commit('confirmed', writes);
    });
    // After a failure, the next start only shows 'not saved yet' a moment longer.
    this.#stored.catch((error: unknown) =>
      console.warn('Failed to store the confirmed heads', error),
    );
  }
}

/** How a document counts. */
interface Tracking {
  /** Whether nothing counts as confirmed while the document is not here. */
  isNeeded?: boolean;
  /** Whether this device may change it. What only others change is never sent from here. */
  isWritten?: boolean;
}

interface Tracked extends Required<Tracking> {
  noteRemote(event: { heads: UrlHeads }): void;
  noteLocal(): void;
  counted: Counted | null;
}

interface Counted {
  doc: Doc<unknown>;
  heads: Heads;
  confirmed: Heads | null;
  /** See `unconfirmedChanges`. */
  unconfirmed: number | null;
}

/**
 * Counts only what is new since the last count: with each edit, all that waits would take long.
 * @returns null when the server has confirmed something else since, or the last count is unknown
 */
function countOn(last: Counted | null, doc: Doc<unknown>, confirmed: Heads | null): number | null {
  if (!last || last.unconfirmed === null || last.confirmed !== confirmed) return null;
  if (!A.hasHeads(doc, last.heads)) return null;
  return last.unconfirmed + A.getChangesMetaSince(doc, last.heads).length;
}

/** Receives a document of which the server confirmed more, or that arrived. */
export type Settle = (documentId: string, doc: Doc<unknown>, confirmed: Heads | null) => void;

type Refusals = Pick<RefusedDocuments, 'reasonOf' | 'forget'>;

/** Counts the unconfirmed changes of the documents on this device. */
export class Confirmations {
  readonly heads: ConfirmedHeads;
  readonly #refusals: Refusals;
  readonly #onChange: () => void;
  readonly #settle: Settle;
  readonly #hasLeftOut: (documentId: string) => boolean;
  readonly #intentsIn: (documentId: string) => number;
  readonly #tracked = new Map<DocHandle<unknown>, Tracked>();
  /** Ids of documents that may not be changed for now. */
  readonly #frozen = new Set<string>();
  /** Ids of documents of which the server said over this connection what it has. */
  readonly #compared = new Set<string>();

  /**
   * @param onChange called soon after a tracked document changed, or the server confirmed changes
   * @param options.hasLeftOut whether nothing is known of what the server has of a document
   * @param options.intentsIn how much the user did in a document that the server may not have, where nothing else is known
   */
  constructor(
    heads: ConfirmedHeads,
    onChange: () => void,
    {
      refusals = { reasonOf: () => null, forget() {} },
      settle = () => {},
      hasLeftOut = () => false,
      intentsIn = () => 0,
    }: {
      refusals?: Refusals;
      settle?: Settle;
      hasLeftOut?: (documentId: string) => boolean;
      intentsIn?: (documentId: string) => number;
    } = {},
  ) {
    this.#intentsIn = intentsIn;
    this.#hasLeftOut = hasLeftOut;
    this.#settle = settle;
    this.heads = heads;
    this.#refusals = refusals;
    this.#onChange = onChange;
  }

  track(handle: DocHandle<unknown>, { isNeeded = false, isWritten = true }: Tracking = {}): void {
    this.#frozen.delete(handle.documentId);
    if (this.#tracked.has(handle)) return;
    const noteRemote = ({ heads }: { heads: UrlHeads }) => {
      this.heads.set(handle.documentId, decodeHeads(heads));
      this.#compared.add(handle.documentId);
      this.#changed();
    };
    // Loading a document takes a whole task, so what follows waits for the next one. An edit does not wait.
    let wasHere = handle.isReady();
    const noteLocal = () => {
      if (wasHere) this.#changed();
      else void nextTask().then(this.#onChange);
      wasHere = true;
    };
    this.#tracked.set(handle, { isNeeded, isWritten, noteRemote, noteLocal, counted: null });
    handle.on('heads-changed', noteLocal);
    handle.on('remote-heads', noteRemote);
    void this.heads
      .load([handle.documentId])
      .then(this.#changed, (error: unknown) =>
        console.warn('Failed to read the confirmed heads', error),
      );
  }

  untrack(handle: DocHandle<unknown>): void {
    const tracked = this.#tracked.get(handle);
    if (!tracked) return;
    this.#tracked.delete(handle);
    this.#frozen.delete(handle.documentId);
    handle.off('heads-changed', tracked.noteLocal);
    handle.off('remote-heads', tracked.noteRemote);
  }

  /** Like `track`, for a document whose changes the server does not accept for now: they count as refused. */
  freeze(handle: DocHandle<unknown>): void {
    this.track(handle);
    this.#frozen.add(handle.documentId);
  }

  /** The server is about to say again what it has. */
  forgetComparisons(): void {
    this.#compared.clear();
  }

  /** The server said what it has of a document. */
  readonly noteCompared = (documentId: string): void => {
    // What it has is known once the message was processed.
    void nextTask()
      .then(() => this.#compared.add(documentId))
      .then(this.#onChange);
  };

  /** Whether the changes of a document are in the sum. */
  counts(documentId: string): boolean {
    const handle = [...this.#tracked.keys()].find((each) => each.documentId === documentId);
    return handle?.isReady() ?? false;
  }

  /** Forgets a document that is removed from this device. */
  forget(documentId: string): void {
    for (const handle of this.#tracked.keys())
      if (handle.documentId === documentId) this.untrack(handle);
    this.heads.forget(documentId);
    this.#refusals.forget(documentId);
  }

  /**
   * Sums up the unconfirmed changes of all tracked documents, apart from those that the server refused or cannot confirm. Unchanged documents are not
   * counted again.
   */
  sum(): Pick<SyncState, 'isConfirmed' | 'isCompared' | 'unconfirmed' | 'refused' | 'refusal'> {
    let unconfirmed = 0;
    let isConfirmed = true;
    let isCompared = true;
    let refused = 0;
    let refusal: RefusalReason | null = null;
    for (const [handle, tracked] of this.#tracked) {
      const isHere = handle.isReady();
      if (!isHere && !tracked.isNeeded) continue;
      const missing = isHere ? this.#count(handle, tracked) : null;
      // Of a document that isn't here, the journal counts them as loose.
      const waiting = missing ?? (isHere ? this.#intentsIn(handle.documentId) : 0);
      const isFrozen = this.#frozen.has(handle.documentId);
      if (isFrozen || this.#hasLeftOut(handle.documentId)) {
        if (waiting) refusal ??= isFrozen ? 'not_yours' : 'unavailable';
        refused += waiting;
        continue;
      }
      isCompared &&= this.#compared.has(handle.documentId);
      const reason = this.#refusals.reasonOf(handle.documentId);
      if (reason !== null && missing !== 0) {
        refused += waiting;
        refusal ??= reason;
        continue;
      }
      if (reason !== null) this.#refusals.forget(handle.documentId);
      isConfirmed &&= missing === 0;
      unconfirmed += waiting;
    }
    return { isConfirmed, isCompared, unconfirmed, refused, refusal };
  }

  #count(handle: DocHandle<unknown>, tracked: Tracked): number | null {
    const doc = handle.doc();
    const confirmed = this.heads.get(handle.documentId);
    if (tracked.counted?.doc !== doc || tracked.counted.confirmed !== confirmed) {
      const unconfirmed =
        countOn(tracked.counted, doc, confirmed) ?? this.#countAnew(handle, doc, confirmed);
      tracked.counted = { doc, heads: A.getHeads(doc), confirmed, unconfirmed };
    }
    const { unconfirmed } = tracked.counted;
    // After a restored backup, the server lacks changes that only it can make.
    return unconfirmed !== null && !tracked.isWritten ? 0 : unconfirmed;
  }

  #countAnew(
    handle: DocHandle<unknown>,
    doc: Doc<unknown>,
    confirmed: Heads | null,
  ): number | null {
    void this.#settleOnceStored(handle, confirmed);
    return unconfirmedChanges(doc, confirmed);
  }

  /** Not before that is stored: the next start would find changes that are neither confirmed nor in the journal. */
  async #settleOnceStored(handle: DocHandle<unknown>, confirmed: Heads | null): Promise<void> {
    try {
      await this.heads.whenStored();
    } catch {
      return;
    }
    if (this.#tracked.has(handle) && handle.isReady())
      this.#settle(handle.documentId, handle.doc(), confirmed);
  }

  readonly #changed = () => queueMicrotask(this.#onChange);
}
