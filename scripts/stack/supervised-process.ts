import type { ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

const FIRST_RESTART_MS = 200;
const SLOWEST_RESTART_MS = 5_000;
/** A part that ran this long starts again with the shortest pause. */
const SETTLED_MS = 30_000;
const STOP_MS = 20_000;

/** A process of the stack that is started again whenever it ends without being asked to. */
export class Part {
  readonly name: string;
  readonly #start: () => Promise<ChildProcess | null>;
  readonly #log: (line: string) => void;
  readonly #changed = new EventEmitter();
  #child: ChildProcess | null = null;
  #up = false;
  #wanted = false;
  #runs = 0;
  #loop: Promise<void> | null = null;

  /**
   * @param start starts the process and waits until it is ready; null when there is none to look after
   * @param log takes one line a restart
   */
  constructor(
    name: string,
    start: () => Promise<ChildProcess | null>,
    log: (line: string) => void,
  ) {
    this.name = name;
    this.#start = start;
    this.#log = log;
    this.#changed.setMaxListeners(0);
  }

  /** Null while it is down, or where somebody else runs it. */
  get pid(): number | null {
    return this.#up ? (this.#child?.pid ?? null) : null;
  }

  /**
   * Starts it and stays with it.
   * @throws when the first start fails
   */
  async start(): Promise<void> {
    if (this.#wanted) return;
    this.#wanted = true;
    const first = this.#run();
    this.#loop = first.catch(() => {});
    try {
      await first;
    } catch (error) {
      this.#wanted = false;
      throw error;
    }
  }

  /** Ends it, and does not start it again until `start`. */
  async stop(): Promise<void> {
    this.#wanted = false;
    this.#changed.emit('stopping');
    if (this.#child) await stopChild(this.#child);
    await this.#loop;
  }

  /** Sends a signal to the running process; the part comes back by itself. */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    const child = this.#child;
    if (!this.#up || !child) throw new Error(`${this.name} is not running`);
    this.#up = false;
    child.kill(signal);
  }

  /** Ends the running process so that it starts again soon; one that is starting already is let be. */
  restart(): void {
    this.#runs = 0;
    if (this.#up) this.kill('SIGTERM');
  }

  /** Resolves when it is ready: at once, or after the restart that follows a `kill`. */
  async waitUntilBack(): Promise<void> {
    while (!this.#up) await once(this.#changed, 'up');
  }

  async #run(): Promise<void> {
    const child = await this.#start();
    if (!this.#wanted) {
      if (child) await stopChild(child);
      throw new Error(`${this.name} was stopped while it started`);
    }
    this.#runs++;
    this.#child = child;
    this.#up = true;
    this.#changed.emit('up');
    if (!child) return;
    const startedAt = Date.now();
    const ended = (code: number | null, signal: string | null) => {
      this.#up = false;
      this.#child = null;
      if (!this.#wanted) return;
      this.#log(`${this.name} ended with ${signal ?? code}: starting it again`);
      const pause = Date.now() - startedAt > SETTLED_MS ? FIRST_RESTART_MS : this.#pause();
      this.#loop = this.#restart(pause);
    };
    if (child.exitCode !== null || child.signalCode !== null)
      ended(child.exitCode, child.signalCode);
    else child.once('exit', ended);
  }

  #pause(): number {
    return Math.min(SLOWEST_RESTART_MS, FIRST_RESTART_MS * Math.max(1, this.#runs));
  }

  async #restart(pause: number): Promise<void> {
    for (let next = pause; this.#wanted; next = Math.min(SLOWEST_RESTART_MS, next * 2)) {
      const stopping = new AbortController();
      const stop = () => stopping.abort();
      this.#changed.once('stopping', stop);
      await wait(next, undefined, { signal: stopping.signal }).catch(() => {});
      this.#changed.off('stopping', stop);
      if (!this.#wanted) return;
      try {
        await this.#run();
        return;
      } catch (error) {
        if (!this.#wanted) return;
        this.#log(
          `${this.name} did not start: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  }
}

/** Ends a child with SIGTERM, and with SIGKILL when it takes longer than `ms`. */
export async function stopChild(child: ChildProcess, ms = STOP_MS): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(timer);
}

/**
 * Waits until a child that was just started is ready.
 * @param ready calls back when it is
 * @param said what it wrote lately, for the error
 * @throws when it ends first, or takes longer than `ms`
 */
export function untilReady(
  child: ChildProcess,
  ready: (done: () => void) => void,
  said: () => string,
  ms = 120_000,
): Promise<void> {
  return new Promise((done, failed) => {
    const settle = (then: () => void) => {
      clearTimeout(timer);
      child.off('exit', ended);
      then();
    };
    const ended = (code: number | null, signal: string | null) =>
      settle(() => failed(new Error(`it ended with ${signal ?? code}. ${said()}`.trim())));
    const timer = setTimeout(() => {
      child.off('exit', ended);
      child.kill('SIGKILL');
      failed(new Error(`it was not ready within ${ms / 1000} s. ${said()}`.trim()));
    }, ms);
    child.once('exit', ended);
    child.once('error', (error) => settle(() => failed(error)));
    ready(() => settle(done));
  });
}
