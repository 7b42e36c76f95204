import { BEAT_MS } from './limits.ts';

/**
 * Has what falls due within a few milliseconds done in one go: waking up for each message by itself costs more than the
 * messages do, and what is done together is made durable together. After a quiet moment nothing waits.
 */
export class Beat {
  #due: (() => void)[] = [];
  #set = false;
  #beganAt = 0;

  /** Does the work at the next beat. It must not throw. */
  soon(work: () => void): void {
    this.#due.push(work);
    if (this.#set) return;
    this.#set = true;
    const pause = this.#beganAt + BEAT_MS - performance.now();
    if (pause > 1) setTimeout(this.#go, pause);
    else setImmediate(this.#go);
  }

  readonly #go = (): void => {
    this.#set = false;
    this.#beganAt = performance.now();
    for (const work of this.#due.splice(0)) work();
  };
}
