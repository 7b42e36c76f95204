import type { Log } from './log.ts';

const EVERY_MS = 10 * 60_000;

/** There is no TTL monitor: what has expired is refused by its query, and taken away here, at the start and every ten minutes. */
export function sweeps(log: Log, onClose: (run: () => void) => void) {
  return (name: string, run: () => Promise<unknown>): void => {
    const sweep = () =>
      run().catch((err: unknown) => log.warn({ err, sweep: name }, 'a sweep failed'));
    const timer = setInterval(() => void sweep(), EVERY_MS);
    void sweep();
    onClose(() => clearInterval(timer));
  };
}
