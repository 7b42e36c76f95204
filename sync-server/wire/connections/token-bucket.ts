import { atMost } from '#shared/server/at-most.ts';
import { BUDGET_BURST, BUDGET_PER_SECOND, LOADS_AT_ONCE } from '../../core/limits.ts';

/** Limits how much work all connections of a user may cause. Refilled at a steady rate up to a burst. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perMs: number;
  #left: number;
  #at = performance.now();
  readonly #limited = atMost(LOADS_AT_ONCE);

  /** @param scale multiplies the limits */
  constructor(scale: number) {
    this.#burst = BUDGET_BURST * scale;
    this.#perMs = (BUDGET_PER_SECOND * scale) / 1000;
    this.#left = this.#burst;
  }

  get isEmpty(): boolean {
    return this.spend(0) > 0;
  }

  get isFull(): boolean {
    this.spend(0);
    return this.#left === this.#burst;
  }

  /**
   * Spends tokens; the balance may become negative.
   * @returns the milliseconds until the balance is positive again, or 0
   */
  spend(cost: number): number {
    const now = performance.now();
    this.#left = Math.min(this.#burst, this.#left + (now - this.#at) * this.#perMs) - cost;
    this.#at = now;
    return this.#left > 0 ? 0 : -this.#left / this.#perMs;
  }

  /**
   * Loads a document when it is the user's turn: however many all connections of a user request at once, few are loaded at a time, so that
   * users take turns, and none while the user has exceeded the limit.
   * @param load spends what it costs
   */
  loadInTurn<T>(load: () => Promise<T>): Promise<T> {
    return this.#limited(async () => {
      // Another load may have cost more during the pause.
      for (let ms = this.spend(0); ms > 0; ms = this.spend(0))
        await new Promise((resolve) => setTimeout(resolve, Math.ceil(ms)));
      return load();
    });
  }
}
