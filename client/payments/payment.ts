import { CallError, type caller } from '../http/api-client.ts';
import { Store } from '../store.ts';

/** Opens the wallet's sheet. @returns its token; null when the person cancelled */
export type RequestToken = () => Promise<string | null>;

export interface PaymentSettings {
  call: ReturnType<typeof caller>;
  /** Waits, or until there is a network again. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export const UNCHARGED = 'You weren’t charged. You can try again.';
export const DECLINED = 'The card was declined. You weren’t charged. You can try another card.';
/** What is asked says this where the outcome is not known yet. */
export const AGAIN = 'again';
const PAUSES_MS = [1_500, 2_000, 3_000, 5_000, 10_000];

/** An answer of the server that it does not do what it was asked for: no failure, and no silence. */
export const isRefusal = (error: unknown): error is CallError =>
  error instanceof CallError && error.status >= 400 && error.status < 500;

/**
 * What every payment comes by, apart from any screen, whatever it is for: the wallet's sheet, and asking until the
 * outcome is known. Whoever paid is never asked to pay again.
 */
export abstract class Payment<State extends { is: string }, Problem> extends Store {
  protected state: State;
  private readonly wait: PaymentSettings['wait'];
  private running: AbortController | null = null;

  constructor(state: State, { wait }: PaymentSettings) {
    super();
    this.state = state;
    this.wait = wait;
  }

  readonly getState = (): State => this.state;

  /** Takes up what was left open, and goes on until `stop`. */
  readonly resume = (): void => {
    if (this.state.is === 'checking' && !this.running) void this.check(this.begin());
  };

  readonly stop = (): void => {
    this.running?.abort();
    this.running = null;
    this.onStop();
  };

  /** Leaves what is going on as `resume` takes it up. */
  protected onStop(): void {}

  /** Asks what came of what was sent, until that is known. */
  protected abstract check(signal: AbortSignal): Promise<void>;

  /** It can be paid, again. */
  protected abstract open(problem: Problem | null): void;

  protected begin(): AbortSignal {
    this.running = new AbortController();
    return this.running.signal;
  }

  /** @returns null where there is no token, and it can be paid as before */
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
   * Asks as long as `ask`, or `failed` where there is no answer, says `AGAIN`, with longer and longer pauses, or until
   * nobody waits for it any more.
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
      await this.wait(PAUSES_MS[Math.min(turn, PAUSES_MS.length - 1)] ?? 0, signal);
    }
  }

  /** It has come to where nothing goes on by itself. */
  protected rest(state: State): void {
    this.running = null;
    this.set(state);
  }

  protected set(state: State): void {
    this.state = state;
    this.notify();
  }
}
