import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';

/** Batches take a third of the time at most, as long as that keeps nobody waiting longer than five times the shortest interval. */
const INTERVAL_PER_DURATION = 3;
const LONGEST_PER_SHORTEST = 5;

/** `holdsUpMs` of reads that grow with the load: a slow one gathers what the next one asks for, and one that hangs is not waited for. */
export const READ_HOLDS_UP_MS = 250;

/** Decides when the next batch starts: at once after a quiet moment, and later the longer batches take, so that they grow with the load. */
export class BatchPace {
  readonly #shortestMs: number;
  #intervalMs: number;
  #startedAt = -Infinity;

  /** @param shortestMs the shortest time between the starts of two batches */
  constructor(shortestMs: number) {
    this.#shortestMs = shortestMs;
    this.#intervalMs = shortestMs;
  }

  /** How long to wait before the next batch starts, in ms. */
  get pauseMs(): number {
    const pause = this.#startedAt + this.#intervalMs - performance.now();
    // Never longer, even if a test moves the clock.
    return Math.max(0, Math.min(pause, this.#intervalMs));
  }

  started(): void {
    this.#startedAt = performance.now();
  }

  ended(): void {
    const wanted = (performance.now() - this.#startedAt) * INTERVAL_PER_DURATION;
    const longest = this.#shortestMs * LONGEST_PER_SHORTEST;
    this.#intervalMs = Math.min(Math.max(wanted, this.#shortestMs), longest);
  }
}

/**
 * Merges concurrent calls into one round trip: while one is running, new calls wait and then go together.
 * @param run handles all waiting items in order; every call gets its result, or its error
 * @param options.pauseMs the shortest time between the starts of two round trips
 * @param options.isWholeTurn whether a round trip waits for what is asked for later in the same turn of the event loop
 * @param options.holdsUpMs how long a round trip holds up the next one, at most: reads need no order, and one may hang
 */
export function batchCalls<T, R>(
  run: (items: T[]) => Promise<R>,
  { pauseMs = 0, holdsUpMs = Infinity, isWholeTurn = false } = {},
): (item: T) => Promise<R> {
  let waiting: { items: T[]; done: Promise<R> } | null = null;
  let running: Promise<unknown> = Promise.resolve();
  const pace = new BatchPace(pauseMs);

  return (item) => {
    if (!waiting) {
      const items: T[] = [];
      const start = async () => {
        if (isWholeTurn) await turn();
        if (pace.pauseMs > 0) await wait(pace.pauseMs);
        pace.started();
        waiting = null;
        try {
          return await run(items);
        } finally {
          pace.ended();
        }
      };
      const done = running.then(start, start);
      if (holdsUpMs > 0) running = atMostFor(done, holdsUpMs);
      waiting = { items, done };
    }
    waiting.items.push(item);
    return waiting.done;
  };
}

/** Resolves when a promise is settled, or after some time. */
async function atMostFor(promise: Promise<unknown>, ms: number): Promise<void> {
  const settled = promise.catch(() => {});
  if (ms === Infinity) return void (await settled);
  const timer = new AbortController();
  const over = wait(ms, undefined, { signal: timer.signal, ref: false }).catch(() => {});
  await Promise.race([settled, over]);
  timer.abort();
}
