import { BUDGET_BURST, BUDGET_PER_SECOND } from '../limits.ts';

/** Limits how much work all connections of a user may cause. Refilled at a steady rate up to a burst. */
export class TokenBucket {
  readonly #burst: number;
  readonly #perMs: number;
  #left: number;
  #at = performance.now();

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
}

/** Runs work and charges the milliseconds that it took, also if it throws. */
export function measureAndCharge<T>(charge: (ms: number) => void, work: () => T): T {
  const started = performance.now();
  try {
    return work();
  } finally {
    charge(performance.now() - started);
  }
}
