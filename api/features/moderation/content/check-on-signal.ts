import { batchCalls } from '#shared/server/batches.ts';
import type { SignalRow } from '#shared/server/collections.ts';
import type { Services } from '../../../platform/services.ts';

/**
 * Runs a check on the node of the background jobs: at the start, with each background run, and on a signal of its topic.
 * Requests during a run cause one more, and each ends with the run that began after it: on a busy server, there is always another one.
 * @param options.pauseMs the shortest time between the starts of two runs, which gathers requests
 * @param check its argument returns whether the server is closing
 */
export function checkOnSignal(
  { signals, onClose, registerJob, runJobSoon, isJobNode, log }: Services,
  { name, topic, pauseMs = 0 }: { name: string; topic: SignalRow['topic']; pauseMs?: number },
  check: (isOver: () => boolean) => Promise<unknown>,
): void {
  const closing = new AbortController();
  const isOver = () => closing.signal.aborted;
  let running: Promise<unknown> = Promise.resolve();
  /** What the last signal waits for. */
  let awaited: Promise<unknown> | undefined;

  const wake = batchCalls(
    async () => {
      if (isOver()) return;
      running = check(isOver);
      await running;
    },
    { pauseMs },
  );

  onClose(
    signals.listen((signal) => {
      if (!isJobNode() || (signal !== 'lost' && signal.topic !== topic)) return;
      const run = wake(undefined);
      // One failure concerns all who wait for the same run.
      if (run === awaited) return;
      awaited = run;
      run.catch((err: unknown) => {
        log.warn({ err, job: name }, 'check failed');
        runJobSoon(name);
      });
    }),
  );
  onClose(async () => {
    closing.abort();
    await running.catch(() => {});
  });
  registerJob(name, () => wake(undefined));
}
