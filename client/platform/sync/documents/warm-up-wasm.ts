import * as A from '@automerge/automerge/slim';
import { nextTask } from '../../scheduling/next-task.ts';

const NOT_A_DOCUMENT = new Uint8Array(3);
let isWarm = false;

/**
 * Runs Automerge on an empty document, then on one of this device. The first call of each function compiles it, which takes most of
 * the time of the first document, so these calls are spread over several tasks.
 * @param saved a saved document; undefined where there is none
 */
export async function warmUp(saved: Uint8Array | undefined): Promise<void> {
  if (isWarm) return;
  isWarm = true;
  A.encodeSyncState(A.initSyncState());
  await nextTask();
  const doc = A.init();
  await nextTask();
  const empty = A.save(doc);
  A.free(doc);
  await nextTask();
  tryToLoad(NOT_A_DOCUMENT);
  await nextTask();
  for (const bytes of saved ? [empty, saved] : [empty]) {
    tryToLoad(bytes);
    await nextTask();
    tryToShow(bytes);
    await nextTask();
  }
}

function tryToLoad(bytes: Uint8Array): void {
  const doc = A.init();
  try {
    A.getBackend(doc).loadIncremental(bytes);
  } catch {
    // The Repo will report an unreadable document.
  }
  A.free(doc);
}

function tryToShow(bytes: Uint8Array): void {
  const doc = A.init();
  try {
    const shown = A.loadIncremental(doc, bytes);
    A.hasHeads(shown, A.getHeads(shown));
  } catch {
    // As above.
  }
  A.free(doc);
}
