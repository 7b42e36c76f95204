import { backoffMs } from '#shared/backoff.ts';
import { MINUTE_MS } from '#shared/time.ts';
import type { StoredCall } from './answered-calls.ts';

const LATE_WAIT_MS = { first: 2_000, longest: MINUTE_MS };

/** Calls that wait without holding up others: of a name whose rate limit is reached, or one that lacks something on the server. */
export class PausedCalls {
  readonly #onOver: () => void;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** How often in a row each call lacked something, by its idempotency key. */
  readonly #failures = new Map<string, number>();

  /** @param onOver called after each pause */
  constructor(onOver: () => void) {
    this.#onOver = onOver;
  }

  has = ({ name, idempotencyKey }: StoredCall): boolean =>
    this.#timers.has(name) || this.#timers.has(idempotencyKey);

  /** Pauses calls of one name, whose rate limit doesn't apply to others. */
  pauseName(name: string, seconds: number): void {
    this.#pause(name, seconds * 1_000);
  }

  /** Pauses one call, longer each time. */
  pauseOne({ idempotencyKey: key }: StoredCall): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#pause(key, backoffMs(LATE_WAIT_MS, failures));
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #pause(what: string, ms: number): void {
    const release = () => {
      this.#timers.delete(what);
      this.#onOver();
    };
    this.#timers.set(what, setTimeout(release, ms));
  }
}
