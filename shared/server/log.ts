import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import { pino, type DestinationStream, type Logger } from 'pino';
import { newId } from '../ids.ts';
import { traceIdOf } from '../trace-context.ts';

export type Log = Logger;

const traces = new AsyncLocalStorage<string>();

/** The trace id of the call that is being handled. Each log line has it. */
export const currentTrace = (): string | undefined => traces.getStore();

/** Handles a call under the trace id of its `traceparent` header, or a new one. */
export const withTraceOf = <Result>(headers: IncomingHttpHeaders, work: () => Result): Result =>
  traces.run(traceIdOf(headers['traceparent']) ?? newId().replaceAll('-', ''), work);

const BATCH_CHARACTERS = 4096;
const BATCH_MS = 250;

/**
 * Writes to stdout in batches. On a full disk the lines are lost; pino's own destination would retry them for as long as the disk is
 * full when the process exits, so that it never did.
 */
class Batches implements DestinationStream {
  #lines = '';
  readonly #timer = setInterval(() => this.flush(), BATCH_MS).unref();
  readonly #onExit = () => this.flush();

  constructor() {
    process.on('exit', this.#onExit);
  }

  write(line: string): void {
    this.#lines += line;
    if (this.#lines.length >= BATCH_CHARACTERS) this.flush();
  }

  flush(): void {
    if (this.#lines === '') return;
    process.stdout.write(this.#lines);
    this.#lines = '';
  }

  close(): void {
    clearInterval(this.#timer);
    process.off('exit', this.#onExit);
    this.flush();
  }
}

/**
 * Logs to stdout in batches, so that requests don’t wait for it.
 * @param name the name of the process, in each line; lines about a call also have its trace id
 */
export function openLog(name: string, level: string): { log: Log; close(): void } {
  const batches = new Batches();
  const mixin = () => {
    const trace = currentTrace();
    return trace === undefined ? {} : { trace };
  };
  return {
    log: pino({ level, base: { process: name }, mixin }, batches),
    close: () => batches.close(),
  };
}
