import type { Log } from './log.ts';

const EVERY_MS = 10 * 60_000;

/**
 * There is no TTL monitor: what has expired is refused by its query, and taken away here, at the start and every ten minutes. A
 * sweep that takes longer is not begun again before it is over.
 */
export function sweeps(log: Log, onClose: (run: () => void) => void) {
  return (name: string, run: () => Promise<unknown>): void => {
    let isRunning = false;
    const sweep = async () => {
      if (isRunning) return log.warn({ sweep: name }, 'the sweep before is not over');
      isRunning = true;
      await run().catch((err: unknown) => log.warn({ err, sweep: name }, 'a sweep failed'));
      isRunning = false;
    };
    const timer = setInterval(() => void sweep(), EVERY_MS);
    void sweep();
    onClose(() => clearInterval(timer));
  };
}
