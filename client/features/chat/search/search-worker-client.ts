import type { SegmentsAnswer, SegmentsQuery } from './segment-search.ts';

/** Searches segments in a worker. */
export interface SearchWorkerClient {
  find: (query: SegmentsQuery) => SegmentsAnswer | Promise<SegmentsAnswer>;
  stop: () => void;
}

/**
 * Starts a worker that searches segments, so that the page stays responsive.
 * @returns a client whose searches reject once it is stopped, or when the worker fails
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
      const data = query.pairs.flatMap(({ saved }) =>
        (saved ?? []).map((each) => each.data.buffer),
      );
      worker.postMessage(query, [port2, ...(new Set(data) as Set<ArrayBuffer>)]);
      return Promise.race([answer, isOver]);
    },
    stop: () => {
      worker.terminate();
      stop(new Error('The search has ended'));
    },
  };
}
