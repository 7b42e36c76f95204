import { setTimeout as wait } from 'node:timers/promises';
import type { SignalRow } from '#shared/server/collections.ts';
import type { Services } from '../../../platform/services.ts';

/**
 * Runs a check on the node of the background jobs: at the start, with each background run, and on a signal of its topic.
 * A request during a run causes another run.
 * @param options.pauseMs the shortest time between runs, which gathers requests
 * @param check its argument returns whether the server is closing
 */
export function checkOnSignal(
  { signals, onClose, registerJob, runJobSoon, isJobNode, log }: Services,
  { name, topic, pauseMs = 0 }: { name: string; topic: SignalRow['topic']; pauseMs?: number },
  check: (isOver: () => boolean) => Promise<unknown>,
): void {
  let running: Promise<void> | null = null;
  let isWanted = false;
  const closing = new AbortController();

  async function run(): Promise<void> {
    try {
      do {
        isWanted = false;
        await check(() => closing.signal.aborted);
        if (pauseMs > 0) await wait(pauseMs, null, { signal: closing.signal }).catch(() => {});
      } while (isWanted && !closing.signal.aborted);
    } finally {
      // In the same tick as the last check of `isWanted`, so that no request is missed.
      running = null;
    }
  }
  const wake = (): Promise<void> => {
    isWanted = true;
    running ??= run();
    return running;
  };

  onClose(
    signals.listen((signal) => {
      if (!isJobNode() || (signal !== 'lost' && signal.topic !== topic)) return;
      wake().catch((err: unknown) => {
        log.warn({ err, job: name }, 'check failed');
        runJobSoon(name);
      });
    }),
  );
  onClose(async () => {
    closing.abort();
    await running?.catch(() => {});
  });
  registerJob(name, wake);
}
