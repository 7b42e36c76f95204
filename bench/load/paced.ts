import { setTimeout as wait } from 'node:timers/promises';

const TICK_MS = 2;

/** How long calls took, in ms from when each was due, and how many failed. */
export class Paced {
  readonly times: number[] = [];
  failed = 0;
  /** The first error. */
  error: unknown;
}

/**
 * Starts work at a steady rate, also while earlier work is not done: people don't wait for each other.
 * @param perSecond how often
 * @param work one call; gets its number
 * @returns when the last call has ended
 */
export async function paced(
  perSecond: number,
  signal: AbortSignal,
  work: (index: number) => Promise<unknown>,
): Promise<Paced> {
  const result = new Paced();
  if (perSecond <= 0) return result;
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  for (let index = 0; !signal.aborted;) {
    const due = startedAt + (index * 1000) / perSecond;
    if (due > performance.now()) {
      await wait(TICK_MS);
      continue;
    }
    const call: Promise<void> = work(index++)
      .then(
        () => void result.times.push(performance.now() - due),
        (error: unknown) => {
          result.failed++;
          result.error ??= error;
        },
      )
      .finally(() => running.delete(call));
    running.add(call);
  }
  await Promise.all(running);
  return result;
}
