/// <reference lib="webworker" />
import wasmUrl from '@automerge/automerge/automerge.wasm?url';
import { initializeWasm } from '@automerge/automerge/slim';
import '../../../platform/disable-zod-jit.ts';
import { SegmentSearch, type SegmentsAnswer, type SegmentsQuery } from './segment-search.ts';

declare const self: DedicatedWorkerGlobalScope;

const search = new SegmentSearch();
let ready: Promise<void> | undefined;

/** Texts are searched without Automerge, which takes a slow phone a second to start. */
const needsAutomerge = ({ pairs }: SegmentsQuery): boolean =>
  pairs.some(({ saved }) => saved?.some(({ areTexts }) => !areTexts));

async function answer(query: SegmentsQuery): Promise<SegmentsAnswer> {
  try {
    if (needsAutomerge(query)) await (ready ??= initializeWasm(wasmUrl));
  } catch (error) {
    // What was read before is searched nevertheless.
    console.warn('Failed to load Automerge', error);
  }
  return search.find(query);
}

// Each query brings the port for its answer.
self.addEventListener('message', ({ data, ports: [asker] }: MessageEvent<SegmentsQuery>) => {
  void answer(data).then((found) => asker?.postMessage(found));
});
