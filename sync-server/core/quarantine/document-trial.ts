import type { SegmentPlace } from '#shared/chat/document.ts';
import { coreIsSound, loadCore, saveCore, type CoreDocument } from '../documents/automerge-core.ts';
import { collectChanges } from '../documents/segment-changes.ts';

/** A stored document that is tried in this process. */
export interface TrialDocument {
  id: string;
  ownerUserId: string;
  /** Of thread segments. */
  place?: SegmentPlace;
  snapshot: Uint8Array;
  /** Changes since the snapshot. */
  chunks: Uint8Array[];
}

/** What a trial found; a process that ends without it has failed. */
export interface TrialResult {
  /** The indices of chunks that cannot be loaded with the others. */
  unusable: number[];
  /** The CPU time that loading and reading all others took. */
  cpuMs: number;
}

/** Loads a document. @param isVerifying whether each step is checked that its stored form can be loaded again */
function load(
  { snapshot, chunks }: TrialDocument,
  skipped: ReadonlySet<number>,
  isVerifying: boolean,
): { core: CoreDocument; failedAt: number | null } {
  const core = loadCore(snapshot);
  for (const [index, chunk] of chunks.entries()) {
    if (skipped.has(index)) continue;
    try {
      core.loadIncremental(chunk);
      if (isVerifying) loadCore(saved(core)).free();
    } catch (error) {
      if (!coreIsSound()) throw error;
      return { core, failedAt: index };
    }
  }
  return { core, failedAt: null };
}

const saved = (core: CoreDocument): Uint8Array => saveCore(core, core.saveNoCompress().length);

/** Does all that a server does with a document that it opens, and finds the chunks without which that is possible. */
function tryDocument(document: TrialDocument): TrialResult {
  const skipped = new Set<number>();
  let isVerifying = false;
  for (;;) {
    const startedAt = process.cpuUsage();
    const { core, failedAt } = load(document, skipped, isVerifying);
    if (failedAt !== null) {
      core.free();
      skipped.add(failedAt);
      continue;
    }
    try {
      loadCore(saved(core)).free();
    } catch (error) {
      if (isVerifying || !coreIsSound()) throw error;
      isVerifying = true;
      core.free();
      continue;
    }
    core.materialize('/');
    const { id, ownerUserId, place } = document;
    const snapshotHeads = loadCore(document.snapshot).getHeads();
    if (place) collectChanges(core, { id, ownerUserId }, place, snapshotHeads);
    const { user, system } = process.cpuUsage(startedAt);
    return { unusable: [...skipped], cpuMs: (user + system) / 1000 };
  }
}

process.once('message', (document: TrialDocument) => {
  const result = tryDocument(document);
  process.send?.(result, () => process.exit(0));
});
