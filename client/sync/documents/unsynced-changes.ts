import type { Doc, Heads } from '@automerge/automerge/slim';
import type { DocHandle, UrlHeads } from '@automerge/automerge-repo/slim';
import type { ConfirmedHeads } from './confirmed-heads.ts';
import { nextTask } from '../../scheduling/next-task.ts';

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
