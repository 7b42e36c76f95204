import * as A from '@automerge/automerge/slim';
import { nextTask } from '../../scheduling/next-task.ts';

const NOT_A_DOCUMENT = new Uint8Array(3);
let isWarm = false;

/**
 * Runs Automerge over an empty document, then over one of this device's. Most of what the first document costs is that
 * each function is compiled when it is first called: so those calls come in tasks of their own, deeper with each.
 * @param saved what a document was saved as; undefined where there is none yet
 */
export async function warmUp(saved: Uint8Array | undefined): Promise<void> {
  if (isWarm) return;
  isWarm = true;
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
    // What cannot be read is nothing to practise on; the Repo will say so.
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
