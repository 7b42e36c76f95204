/** In ms; `longest` is the upper limit of a wait. */
interface Waits {
  first: number;
  longest: number;
}

/**
 * Returns how long to wait before the next attempt, in ms: doubled by each failure in a row, and spread so that clients
 * do not retry all at once.
 * @param failures in a row, from 0
 * @param random from 0 to 1
 */
export function backoffMs(
  { first, longest }: Waits,
  failures: number,
  random = Math.random(),
): number {
  return Math.min(longest, first * 2 ** failures) * (0.5 + random / 2);
}

/**
 * Returns a function that waits before the next attempt, each time longer, and returns whether it did.
 * @param forMs no attempt begins later. By the monotonic clock: the wall clock may jump
 */
function createPauses(waits: Waits, forMs: number): () => Promise<boolean> {
  const startedAt = performance.now();
  let attempts = 0;
  return async () => {
    const ms = backoffMs(waits, attempts++);
    if (performance.now() + ms > startedAt + forMs) return false;
    await new Promise((resolve) => setTimeout(resolve, ms));
    return true;
  };
}

/**
 * Repeats a failed attempt, with growing pauses.
 * @param forMs no attempt begins later
 * @throws the last error; one that is not transient, at once
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  {
    forMs,
    attempts = Infinity,
    isTransient = () => true,
    ...waits
  }: Waits & {
    forMs: number;
    attempts?: number;
    isTransient?: (error: unknown) => boolean;
  },
): Promise<T> {
  const pause = createPauses(waits, forMs);
  for (let failures = 1; ; failures++)
    try {
      return await attempt();
    } catch (error) {
      if (failures >= attempts || !isTransient(error) || !(await pause())) throw error;
    }
}

/**
 * Repeats an attempt until it returns something else than undefined, with growing pauses.
 * @param forMs no attempt begins later
 * @returns undefined when the time is over
 */
export async function poll<T>(
  attempt: () => Promise<T | undefined>,
  { forMs, ...waits }: Waits & { forMs: number },
): Promise<T | undefined> {
  const pause = createPauses(waits, forMs);
  for (;;) {
    const result = await attempt();
    if (result !== undefined || !(await pause())) return result;
  }
}
