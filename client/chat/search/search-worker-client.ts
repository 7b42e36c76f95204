import type { SegmentsAnswer, SegmentsQuery } from './segment-search.ts';

/** Where segments are looked through. */
export interface SearchWorkerClient {
  find: (query: SegmentsQuery) => SegmentsAnswer | Promise<SegmentsAnswer>;
  stop: () => void;
}

/**
 * Looks through segments beside the page, which answers whoever presses something meanwhile.
 * @returns what rejects once it is stopped, or where the worker cannot be had
 */
export function createSearchWorker(): SearchWorkerClient {
  const worker = new Worker(new URL('./search-worker.ts', import.meta.url), { type: 'module' });
  let stop = (_why: Error) => {};
  const isOver = new Promise<never>((_, reject) => (stop = reject));
  isOver.catch(() => null);
  worker.addEventListener('error', ({ message }) => stop(new Error(message)));
  return {
    find: (query) => {
      const { port1, port2 } = new MessageChannel();
      const answer = new Promise<SegmentsAnswer>((resolve) => {
        port1.onmessage = ({ data }: MessageEvent<SegmentsAnswer>) => {
          port1.close();
          resolve(data);
        };
      });
      worker.postMessage(query, [port2]);
      return Promise.race([answer, isOver]);
    },
    stop: () => {
      worker.terminate();
      stop(new Error('The search has ended'));
    },
  };
}
