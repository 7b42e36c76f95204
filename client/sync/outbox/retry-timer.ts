import { backoffMs } from '#shared/backoff.ts';

const WAIT_MS = { first: 1_000, longest: 60_000 };

/**
 * Runs something again after it failed: after a wait that doubles with each failure, or as soon as the network is back or somebody
 * looks at the app again. A browser that was never offline says nothing when a single file did not come.
 */
export class RetryTimer {
  private readonly run: () => void;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => void) {
    this.run = run;
  }

  /** It failed: runs it again later. */
  failed(): void {
    this.stop();
    this.timer = setTimeout(this.again, backoffMs(WAIT_MS, this.failures++));
    window.addEventListener('online', this.again);
    document.addEventListener('visibilitychange', this.seen);
  }

  /** Runs nothing any more. */
  stop(): void {
    clearTimeout(this.timer);
    window.removeEventListener('online', this.again);
    document.removeEventListener('visibilitychange', this.seen);
  }

  private readonly again = (): void => {
    this.stop();
    this.run();
  };

  private readonly seen = (): void => {
    if (document.visibilityState === 'visible') this.again();
  };
}
