import wasmUrl from '@automerge/automerge/automerge.wasm?url';
import { afterPaint } from '../../scheduling/after-paint.ts';
import { nextTask } from '../../scheduling/next-task.ts';
import { NoWebAssembly } from '../state/obstacle.ts';
import { compileWasm } from './compile-wasm.ts';

/** Compiled once, however often documents are opened. The URL where the worker failed. */
let compiled: Promise<WebAssembly.Module | string> | undefined;

/**
 * Loads Automerge and the modules that need it, after the first screen is on display: they are half of the code of the member
 * screens, which show cached data without them.
 * @param isUrgent whether the first screen has nothing to show without documents
 * @throws NoWebAssembly where the browser blocks it
 */
export async function loadAutomerge(isUrgent = false) {
  if (typeof WebAssembly === 'undefined') throw new NoWebAssembly('No WebAssembly');
  if (!isUrgent) await afterPaint();
  compiled ??= compileWasm().catch((error: unknown) => {
    console.warn('Automerge could not be compiled in a worker', error);
    return wasmUrl;
  });
  const [
    { initializeWasm },
    { warmUp },
    connection,
    refusals,
    bounds,
    comparison,
    changes,
    { OwnDocuments },
    { collectUnsent, readStoredDocument, RestoredDocuments },
    { carryOut, settleIntents, storeWhole },
    removals,
    tabs,
    cards,
  ] = await Promise.all([
    import('@automerge/automerge-repo/slim'),
    import('./warm-up-wasm.ts'),
    import('../connection/server-connection.ts'),
    import('../connection/refused-documents.ts'),
    import('./left-out-documents.ts'),
    import('../connection/state-comparison.ts'),
    import('./unsynced-changes.ts'),
    import('./own-documents.ts'),
    import('./unsent-documents.ts'),
    import('../journal/replay.ts'),
    import('../storage/document-removals.ts'),
    import('../tabs/cross-tab-sync.ts'),
    import('./friend-cards.ts'),
  ]);
  // Its type lacks compiled modules, which wasm-bindgen takes as well.
  await initializeWasm((await compiled) as string);
  await nextTask();
  return {
    warmUp,
    ...connection,
    ...refusals,
    ...bounds,
    ...comparison,
    ...changes,
    OwnDocuments,
    collectUnsent,
    readStoredDocument,
    RestoredDocuments,
    carryOut,
    settleIntents,
    storeWhole,
    ...removals,
    ...tabs,
    ...cards,
  };
}
