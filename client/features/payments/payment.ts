import { CallError, type caller } from '../../platform/http/api-client.ts';
import { Store } from '../../platform/store.ts';

/** Opens the wallet's sheet. @returns its token; null if the user canceled */
export type RequestToken = () => Promise<string | null>;

export interface PaymentSettings {
  call: ReturnType<typeof caller>;
  /** Waits for a time or until the network is back. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export const UNCHARGED = 'You weren’t charged. You can try again.';
export const DECLINED = 'The card was declined. You weren’t charged. You can try another card.';
/** Result of a check while the outcome is unknown. */
export const AGAIN = 'again';
const PAUSES_MS = [1_500, 2_000, 3_000, 5_000, 10_000];

/** Whether the server rejected the request, as opposed to failing or not answering. */
export const isRefusal = (error: unknown): error is CallError =>
  error instanceof CallError && error.status >= 400 && error.status < 500;

/**
 * Base class of payments: requests a token from the wallet, and asks until the outcome is known, so that no one
 * is asked to pay twice.
 */
export abstract class Payment<State extends { is: string }, Problem> extends Store {
  protected state: State;
  readonly #wait: PaymentSettings['wait'];
  #running: AbortController | null = null;

  constructor(state: State, { wait }: PaymentSettings) {
    super();
    this.state = state;
    this.#wait = wait;
  }

  readonly getState = (): State => this.state;

  /** Continues an unfinished payment until `stop`. */
  readonly resume = (): void => {
    if (this.state.is === 'checking' && !this.#running) void this.check(this.begin());
  };

  readonly stop = (): void => {
    this.#running?.abort();
    this.#running = null;
    this.onStop();
  };

  /** Resets the state so that `resume` can continue. */
  protected onStop(): void {}

  /** Asks for the outcome of the sent payment until it is known. */
  protected abstract check(signal: AbortSignal): Promise<void>;

  /** Allows paying, again. */
  protected abstract open(problem: Problem | null): void;

  protected begin(): AbortSignal {
    this.#running = new AbortController();
    return this.#running.signal;
  }

  /** @returns null without a token; it can be paid as before */
  protected async tokenOf(requestToken: RequestToken, failed: Problem): Promise<string | null> {
    try {
      const token = await requestToken();
      if (token === null) this.open(null);
      return token;
    } catch (error) {
      console.error('The wallet failed', error);
      this.open(failed);
      return null;
    }
  }

  /**
   * Repeats `ask` with growing pauses while it (or `failed`, after an error) returns `AGAIN`, until the signal
   * is aborted.
   */
  protected async until(
    signal: AbortSignal,
    ask: () => Promise<unknown>,
    failed: (error: unknown) => unknown,
  ): Promise<void> {
    for (let turn = 0; !signal.aborted; turn++) {
      try {
        if ((await ask()) !== AGAIN) return;
      } catch (error) {
        if (signal.aborted || failed(error) !== AGAIN) return;
      }
      await this.#wait(PAUSES_MS[Math.min(turn, PAUSES_MS.length - 1)] ?? 0, signal);
    }
  }

  /** Sets a final state. */
  protected finish(state: State): void {
    this.#running = null;
    this.set(state);
  }

  protected set(state: State): void {
    this.state = state;
    this.notify();
  }
}
