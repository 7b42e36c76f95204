import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Signals } from '#shared/server/signals.ts';

const RETRY_MS = 200;

/**
 * Whether this node knows all permissions and sessions as they were at most a second ago. Until then, it acknowledges and forwards
 * nothing: another node may have ended the permission.
 */
export class Verification {
  readonly #signals: Pick<Signals, 'isFresh' | 'whenFresh'>;
  readonly #logger: Logger;
  #checks = 0;
  #isStopped = false;
  /** Wakes those that wait when the last check has succeeded, or this node stops. */
  #wake: () => void = () => {};
  #changed = this.#nextChange();

  constructor(signals: Pick<Signals, 'isFresh' | 'whenFresh'>, logger: Logger) {
    this.#signals = signals;
    this.#logger = logger;
  }

  isVerified(): boolean {
    return this.#checks === 0 && this.#signals.isFresh();
  }

  /** Resolves when everything is verified, or this node stops. */
  async verified(): Promise<void> {
    while (!this.isVerified() && !this.#isStopped)
      await (this.#checks > 0
        ? this.#changed
        : Promise.race([this.#signals.whenFresh(), this.#changed]));
  }

  /** Repeats a check until it succeeds. Nothing is verified before. */
  async require(check: () => Promise<void>): Promise<void> {
    this.#checks++;
    try {
      while (!this.#isStopped)
        try {
          return await check();
        } catch (error) {
          this.#logger.warn({ err: error }, 'failed to check permissions; trying again');
          await wait(RETRY_MS);
        }
    } finally {
      if (--this.#checks === 0) this.#announce();
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#announce();
  }

  #announce(): void {
    this.#wake();
    this.#changed = this.#nextChange();
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }
}
