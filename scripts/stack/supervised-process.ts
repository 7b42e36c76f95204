import type { ChildProcess, SendHandle } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

const FIRST_RESTART_MS = 200;
const SLOWEST_RESTART_MS = 5_000;
/** A process that ran for this long restarts with the shortest pause again. */
const SETTLED_MS = 30_000;
const STOP_MS = 20_000;
const CHECK_MS = 2_000;
/** Enough for a long pause of garbage collection or of a busy machine. */
const FROZEN_MS = 30_000;

/** Settings of a process; see `SupervisedProcess`. */
export interface Supervision {
  /** Asks the process whether it works. Rejects when there is no answer. */
  check?: (stop: AbortSignal) => Promise<unknown>;
  /** How long it may give no answer before it is killed. */
  frozenMs?: number;
}

/** Receives a message of a process, and what came with it. */
export type OnMessage = (message: unknown, handle: unknown, child: ChildProcess) => void;

/** A process of the stack that is restarted whenever it exits on its own. */
export class SupervisedProcess {
  readonly name: string;
  readonly #start: (onMessage: OnMessage) => Promise<ChildProcess | null>;
  readonly #log: (line: string) => void;
  readonly #settings: Supervision;
  readonly #events = new EventEmitter();
  #child: ChildProcess | null = null;
  #isUp = false;
  /** Aborted by `stop`; null while the process should not run. */
  #stopping: AbortController | null = null;
  /** Starts since the process last ran for long; each one makes the next pause longer. */
  #starts = 0;
  #supervision: Promise<void> = Promise.resolve();

  /**
   * @param start starts the process and waits until it is ready; null if there is none to supervise. It reports the messages of the process
   * @param log receives one line per restart
   */
  constructor(
    name: string,
    start: (onMessage: OnMessage) => Promise<ChildProcess | null>,
    log: (line: string) => void,
    settings: Supervision = {},
  ) {
    this.name = name;
    this.#settings = settings;
    this.#start = start;
    this.#log = log;
  }

  /** Null while it is down, or if this process is supervised elsewhere. */
  get pid(): number | null {
    return this.#isUp ? (this.#child?.pid ?? null) : null;
  }

  /** Calls a function whenever the process is ready or has exited. */
  onChange(listener: () => void): void {
    this.#events.on('up', listener).on('down', listener);
  }

  /** Calls a function with each message of the process, also during its start. */
  onMessage(listener: OnMessage): void {
    this.#events.on('message', listener);
  }

  /** Sends a message to the running process. @param done is called with an error if it is not running */
  send(message: object, handle: SendHandle, done: (error: Error | null) => void): void {
    if (this.#isUp && this.#child) this.#child.send(message, handle, done);
    else done(new Error(`${this.name} is not running`));
  }

  /**
   * Starts and supervises the process.
   * @throws when the first start fails
   */
  async start(): Promise<void> {
    if (this.#stopping) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    const first = this.#run(stopping.signal);
    this.#supervision = first.then(
      (child) => this.#supervise(child, stopping.signal),
      () => {},
    );
    try {
      await first;
    } catch (error) {
      if (this.#stopping === stopping) this.#stopping = null;
      throw error;
    }
  }

  /**
   * Stops the process; it stays down until `start`.
   * @param signal with SIGTERM, a node drains before: others take over
   */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#stopping?.abort();
    this.#stopping = null;
    if (this.#child) await stopChild(this.#child, signal);
    await this.#supervision;
  }

  /** Sends a signal to the running process, which restarts if it exits. @throws when it is not running */
  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    const child = this.#child;
    if (!this.#isUp || !child) throw new Error(`${this.name} is not running`);
    this.#isUp = false;
    child.kill(signal);
  }

  /** Restarts the process soon, unless it is already starting. */
  restart(): void {
    this.#starts = 0;
    if (this.#isUp) this.kill('SIGTERM');
  }

  /** Resolves when the process is ready: at once, or after the restart that follows a `kill`. */
  async waitUntilBack(): Promise<void> {
    while (!this.#isUp) await once(this.#events, 'up');
  }

  async #run(stopping: AbortSignal): Promise<ChildProcess | null> {
    this.#starts++;
    const child = await this.#start((...message) => this.#events.emit('message', ...message));
    if (stopping.aborted) {
      if (child) await stopChild(child);
      throw new Error(`${this.name} was stopped during its start`);
    }
    this.#child = child;
    this.#isUp = true;
    this.#events.emit('up');
    return child;
  }

  async #supervise(first: ChildProcess | null, stopping: AbortSignal): Promise<void> {
    for (let child = first; child; child = await this.#runAgain(stopping)) {
      const startedAt = Date.now();
      const hasExited = new AbortController();
      void this.#killIfFrozen(child, hasExited.signal);
      await exited(child);
      hasExited.abort();
      this.#isUp = false;
      this.#child = null;
      this.#events.emit('down');
      if (stopping.aborted) return;
      this.#log(`${this.name} exited with ${child.signalCode ?? child.exitCode}; restarting`);
      if (Date.now() - startedAt > SETTLED_MS) this.#starts = 0;
    }
  }

  /** Kills a process that gives no answer for long, such as a stopped one: nothing else would replace it. */
  async #killIfFrozen(child: ChildProcess, hasExited: AbortSignal): Promise<void> {
    const { check, frozenMs = FROZEN_MS } = this.#settings;
    if (!check) return;
    const interval = Math.min(CHECK_MS, frozenMs / 4);
    let silentMs = 0;
    let lastAt = performance.now();
    while (!hasExited.aborted) {
      const stop = AbortSignal.any([hasExited, AbortSignal.timeout(frozenMs / 2)]);
      const answers = await check(stop).then(
        () => true,
        () => false,
      );
      const now = performance.now();
      // After the machine slept, only the time in which this process ran counts.
      silentMs = answers ? 0 : silentMs + Math.min(now - lastAt, frozenMs / 2);
      lastAt = now;
      if (silentMs >= frozenMs && !hasExited.aborted) {
        this.#log(`${this.name} gives no answer; restarting`);
        child.kill('SIGKILL');
        return;
      }
      await wait(interval, undefined, { signal: hasExited }).catch(() => {});
    }
  }

  /** Returns null when the process was stopped. */
  async #runAgain(stopping: AbortSignal): Promise<ChildProcess | null> {
    for (;;) {
      const pause = Math.min(SLOWEST_RESTART_MS, FIRST_RESTART_MS * Math.max(1, this.#starts));
      await wait(pause, undefined, { signal: stopping }).catch(() => {});
      if (stopping.aborted) return null;
      try {
        return await this.#run(stopping);
      } catch (error) {
        if (stopping.aborted) return null;
        this.#log(
          `${this.name} failed to start: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  }
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  await new Promise((resolve) => child.once('exit', resolve));
}

/** Ends a child with a signal, and with SIGKILL if it takes longer than 20 seconds. */
export async function stopChild(
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  child.kill(signal);
  await exited(child);
  clearTimeout(timer);
}

/**
 * Waits until a child is ready.
 * @param output returns its latest output, for the error
 * @throws when it exits first, or sends no message for `ms` milliseconds
 */
export async function untilReady(
  child: ChildProcess,
  ready: Promise<unknown>,
  output: () => string,
  ms = 120_000,
): Promise<void> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, ms);
  child.on('message', () => timer.refresh());
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      const reason = isLate ? `not ready within ${ms / 1000} s` : `exited with ${signal ?? code}`;
      reject(new Error(`${reason}. ${output()}`.trim()));
    });
  });
  try {
    await Promise.race([ready, failed]);
  } finally {
    clearTimeout(timer);
  }
}
