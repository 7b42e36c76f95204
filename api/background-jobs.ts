import { backoffMs } from '#shared/backoff.ts';
import type { Log } from './log.ts';
import type { Services } from './services.ts';

const EVERY_MS = 10 * 60_000;
const RETRY_MS = { first: 1_000, longest: EVERY_MS };

/**
 * There is no TTL monitor: what has expired is refused by its query, and taken away here, at the start and every ten minutes. A
 * sweep that takes longer is not begun again before it is over; one that fails is tried again soon, as is what `sweepSoon` names.
 */
export function createSweeps(log: Log, onClose: (run: () => void) => void) {
  const soon = new Map<string, () => void>();

  function sweep(name: string, run: () => Promise<unknown>): void {
    let isRunning = false;
    let isClosed = false;
    let failures = 0;
    let again: NodeJS.Timeout | undefined;
    const now = async () => {
      if (isRunning) return log.warn({ sweep: name }, 'the previous run is still in progress');
      isRunning = true;
      try {
        await run();
        failures = 0;
      } catch (err) {
        log.warn({ err, sweep: name }, 'a background job failed');
        tryAgain();
      }
      isRunning = false;
    };
    function tryAgain(): void {
      if (isClosed || again) return;
      again = setTimeout(
        () => {
          again = undefined;
          // What is wanted may have come behind the one that runs.
          if (isRunning) tryAgain();
          else void now();
        },
        backoffMs(RETRY_MS, failures++),
      );
    }
    soon.set(name, tryAgain);
    const timer = setInterval(() => void now(), EVERY_MS);
    void now();
    onClose(() => {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(again);
    });
  }

  return { sweep, sweepSoon: (name: string): void => soon.get(name)?.() };
}

/** Does something now, or else has a sweep do it soon. @throws what keeps it from being done now */
export async function runOrRetrySoon(
  { sweepSoon }: Pick<Services, 'sweepSoon'>,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    sweepSoon(name);
    throw error;
  }
}
