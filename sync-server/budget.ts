import type { WebSocket } from 'ws';
import { BUDGET_BURST, BUDGET_PER_SECOND } from './limits.ts';

/** What a user's sockets together may ask for: filled at a steady rate up to a burst. */
export class Budget {
  readonly #burst: number;
  readonly #perMs: number;
  #left: number;
  #at = performance.now();

  /** @param scale multiplies what is allowed */
  constructor(scale: number) {
    this.#burst = BUDGET_BURST * scale;
    this.#perMs = (BUDGET_PER_SECOND * scale) / 1000;
    this.#left = this.#burst;
  }

  /** Whether there is nothing left. */
  get isSpent(): boolean {
    return this.spend(0) > 0;
  }

  /** Whether nothing is remembered of what was spent. */
  get isFull(): boolean {
    this.spend(0);
    return this.#left === this.#burst;
  }

  /**
   * Spends, if need be more than there is.
   * @returns for how many milliseconds nothing more should be asked; 0 while there is something left
   */
  spend(cost: number): number {
    const now = performance.now();
    this.#left = Math.min(this.#burst, this.#left + (now - this.#at) * this.#perMs) - cost;
    this.#at = now;
    return this.#left > 0 ? 0 : -this.#left / this.#perMs;
  }
}

/** Does work, and has somebody pay for the milliseconds that it takes, also when it fails. */
export function paying<T>(pay: (ms: number) => void, work: () => T): T {
  const began = performance.now();
  try {
    return work();
  } finally {
    pay(performance.now() - began);
  }
}

/** Has a socket spend of its user's budget: whoever asks for too much is not heard for a while. */
export class SocketBudget {
  readonly #socket: WebSocket;
  readonly #budget: Budget;
  #timer: NodeJS.Timeout | null = null;
  #isOver = false;

  constructor(socket: WebSocket, budget: Budget) {
    this.#socket = socket;
    this.#budget = budget;
  }

  spend(cost: number): void {
    const pause = this.#budget.spend(cost);
    if (pause === 0 || this.#isOver || this.#timer) return;
    this.#socket.pause();
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#socket.resume();
    }, pause);
  }

  /** The socket is left as it is from now on. */
  stop(): void {
    this.#isOver = true;
    if (this.#timer) clearTimeout(this.#timer);
  }
}
