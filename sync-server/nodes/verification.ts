import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Signals } from '#shared/server/signals.ts';

const LOOK_AGAIN_MS = 20;
const RETRY_MS = 200;

/**
 * Whether this node knows all permissions and sessions as they were at most a second ago. Until then, it acknowledges and forwards
 * nothing: another node may have ended the permission.
 */
export class Verification {
  readonly #signals: Pick<Signals, 'isFresh'>;
  readonly #logger: Logger;
  #checks = 0;
  #isStopped = false;

  constructor(signals: Pick<Signals, 'isFresh'>, logger: Logger) {
    this.#signals = signals;
    this.#logger = logger;
  }

  isVerified(): boolean {
    return this.#checks === 0 && this.#signals.isFresh();
  }

  /** Resolves when everything is verified, or this node stops. */
  async verified(): Promise<void> {
    while (!this.isVerified() && !this.#isStopped) await wait(LOOK_AGAIN_MS);
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
      this.#checks--;
    }
  }

  stop(): void {
    this.#isStopped = true;
  }
}
