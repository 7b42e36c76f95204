import { backoffMs } from '#shared/backoff.ts';
import type { Log } from './log.ts';
import type { Services } from './services.ts';

const EVERY_MS = 10 * 60_000;
const RETRY_MS = { first: 1_000, longest: EVERY_MS };

/**
 * Runs background jobs at the start and every ten minutes, such as deleting expired rows (queries ignore them before
 * that). A job never overlaps itself; one that fails is retried soon, and so is one that `sweepSoon` names.
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
          // The current run may have passed what was requested.
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

/**
 * Runs a step now; if it fails, a background job retries it soon.
 * @throws the error of the step
 */
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
