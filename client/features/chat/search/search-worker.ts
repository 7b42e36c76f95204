/// <reference lib="webworker" />
import wasmUrl from '@automerge/automerge/automerge.wasm?url';
import { initializeWasm } from '@automerge/automerge/slim';
import '../../../platform/disable-zod-jit.ts';
import { SegmentSearch, type SegmentsAnswer, type SegmentsQuery } from './segment-search.ts';

declare const self: DedicatedWorkerGlobalScope;

const search = new SegmentSearch();
const isReady = initializeWasm(wasmUrl);

async function answer(query: SegmentsQuery): Promise<SegmentsAnswer> {
  try {
    await isReady;
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
