import { backoffMs } from '#shared/backoff.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { CallError } from './api-client.ts';
import { reachability } from './reachability.ts';

const SEND_WAIT_MS = { first: 2_000, longest: MINUTE_MS };

/** Runs a send function, once at a time: again when woken meanwhile, and after a failure later or as soon as our server answers again. */
export class Sender {
  readonly #send: () => Promise<void>;
  readonly #failure: string;
  #isRunning = false;
  #isAskedAgain = false;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unsubscribe = () => {};
  /** Whether the server named the time of the next attempt. */
  #hasServerTime = false;

  /**
   * @param send rejects to be tried again
   * @param failure the message to log then
   */
  constructor(send: () => Promise<void>, failure: string) {
    this.#send = send;
    this.#failure = failure;
  }

  /** Sends now or, after a failure, when the wait is over. */
  readonly wake = (): void => {
    if (this.#isRunning) this.#isAskedAgain = true;
    else if (this.#timer === undefined) void this.#run();
  };

  /** Lets the next `wake` send at once, unless the server set a time. */
  reset(): void {
    this.#failures = 0;
    if (!this.#hasServerTime) this.stop();
  }

  /** Cancels the wait. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#hasServerTime = false;
    this.#unsubscribe();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    this.#isAskedAgain = false;
    try {
      await this.#send();
      this.#failures = 0;
    } catch (error) {
      console.error(this.#failure, error);
      this.#failures += 1;
      this.#waitAfter(error);
    }
    this.#isRunning = false;
    if (this.#isAskedAgain) this.wake();
  }

  #waitAfter(error: unknown): void {
    const asked = error instanceof CallError ? error.retryAfter : null;
    this.#hasServerTime = asked !== null;
    this.#timer = setTimeout(
      this.#again,
      Math.max(backoffMs(SEND_WAIT_MS, this.#failures - 1), (asked ?? 0) * 1_000),
    );
    if (this.#hasServerTime) return;
    this.#unsubscribe = reachability.subscribe(() => {
      if (reachability.get()) this.#again();
    });
  }

  readonly #again = (): void => {
    this.stop();
    this.wake();
  };
}

const RUN_WAIT_MS = { first: 1_000, longest: MINUTE_MS };

/**
 * Runs something again after a failure: after a wait that doubles each time, or as soon as the network is back or the app is
 * visible again.
 */
export class RetryTimer {
  readonly #run: () => void;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(run: () => void) {
    this.#run = run;
  }

  /** It failed: runs it again later. */
  failed(): void {
    this.stop();
    this.#timer = setTimeout(this.#again, backoffMs(RUN_WAIT_MS, this.#failures++));
    window.addEventListener('online', this.#again);
    document.addEventListener('visibilitychange', this.#seen);
  }

  /** Runs nothing any more. */
  stop(): void {
    clearTimeout(this.#timer);
    window.removeEventListener('online', this.#again);
    document.removeEventListener('visibilitychange', this.#seen);
  }

  readonly #again = (): void => {
    this.stop();
    this.#run();
  };

  readonly #seen = (): void => {
    if (document.visibilityState === 'visible') this.#again();
  };
}
