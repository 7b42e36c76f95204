import wasmUrl from '@automerge/automerge/automerge.wasm?url';
import { isChatShown } from '../../chat/chat-path.ts';
import { afterPaint } from '../../scheduling/after-paint.ts';
import { nextTask } from '../../scheduling/next-task.ts';

/**
 * Automerge and all that needs it, when the first screen is drawn: it is half of the code of the member screens, and
 * they show what the device remembers without it. A chat has nothing to show without it, and does not wait.
 */
export async function loadAutomerge() {
  if (!isChatShown()) await afterPaint();
  const [
    { initializeWasm },
    { warmUp },
    server,
    comparison,
    heads,
    confirmations,
    cards,
    threads,
    { createSearchWorker },
    removals,
    tabs,
    { collectUnsent },
    restored,
  ] = await Promise.all([
    import('@automerge/automerge-repo/slim'),
    import('./warm-up-wasm.ts'),
    import('../connection/server-connection.ts'),
    import('../connection/state-comparison.ts'),
    import('./confirmed-heads.ts'),
    import('./unsynced-changes.ts'),
    import('../../friends/friend-cards.ts'),
    import('../../chat/thread/thread-store.ts'),
    import('../../chat/search/search-worker-client.ts'),
    import('../storage/document-removals.ts'),
    import('../tabs/cross-tab-sync.ts'),
    import('./collect-unsent.ts'),
    import('./restored-documents.ts'),
  ]);
  await initializeWasm(wasmUrl);
  await nextTask();
  return {
    warmUp,
    ...server,
    ...comparison,
    ...heads,
    ...confirmations,
    ...cards,
    ...threads,
    createSearchWorker,
    ...removals,
    ...tabs,
    collectUnsent,
    ...restored,
  };
}
