import { backoffMs } from '#shared/backoff.ts';
import { CallError } from '../../http/api-client.ts';

const SEND_WAIT_MS = { first: 2_000, longest: 60_000 };

/** Runs what sends, one run at a time: again when it was asked for meanwhile, and later when it failed. */
export class Sender {
  private readonly send: () => Promise<void>;
  private readonly failure: string;
  private isRunning = false;
  private isAskedAgain = false;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the server named the time of the next attempt. */
  private isHeld = false;

  /**
   * @param send rejects when it should be tried again
   * @param failure what the console says then
   */
  constructor(send: () => Promise<void>, failure: string) {
    this.send = send;
    this.failure = failure;
  }

  /** Sends now; after a failure, when the wait is over. */
  readonly wake = (): void => {
    if (this.isRunning) this.isAskedAgain = true;
    else if (this.timer === undefined) void this.run();
  };

  /** Things are better than they were: the next `wake` need not wait, unless the server said until when. */
  reset(): void {
    this.failures = 0;
    if (!this.isHeld) this.stop();
  }

  /** Waits for nothing any more. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isHeld = false;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    this.isAskedAgain = false;
    try {
      await this.send();
      this.failures = 0;
    } catch (error) {
      console.error(this.failure, error);
      this.failures += 1;
      this.waitAfter(error);
    }
    this.isRunning = false;
    if (this.isAskedAgain) this.wake();
  }

  private waitAfter(error: unknown): void {
    const asked = error instanceof CallError ? error.retryAfter : null;
    this.isHeld = asked !== null;
    this.timer = setTimeout(
      () => {
        this.stop();
        this.wake();
      },
      Math.max(backoffMs(SEND_WAIT_MS, this.failures - 1), (asked ?? 0) * 1_000),
    );
  }
}

const RUN_WAIT_MS = { first: 1_000, longest: 60_000 };

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
    this.timer = setTimeout(this.again, backoffMs(RUN_WAIT_MS, this.failures++));
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
