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
 * Repeats a failed attempt, with growing pauses.
 * @param forMs no attempt begins later
 * @throws the last error; one that is not transient, at once
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  {
    first,
    longest,
    forMs,
    attempts = Infinity,
    isTransient = () => true,
  }: Waits & {
    forMs: number;
    attempts?: number;
    isTransient?: (error: unknown) => boolean;
  },
): Promise<T> {
  const startedAt = Date.now();
  for (let failures = 0; ; failures++)
    try {
      return await attempt();
    } catch (error) {
      const wait = backoffMs({ first, longest }, failures);
      const isLate = Date.now() + wait > startedAt + forMs;
      if (failures + 1 >= attempts || isLate || !isTransient(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
}

/**
 * Repeats an attempt until it returns something else than undefined, with growing pauses.
 * @param forMs no attempt begins later
 * @returns undefined when the time is over
 */
export async function poll<T>(
  attempt: () => Promise<T | undefined>,
  { first, longest, forMs }: Waits & { forMs: number },
): Promise<T | undefined> {
  const startedAt = Date.now();
  for (let attempts = 0; ; attempts++) {
    const result = await attempt();
    const wait = backoffMs({ first, longest }, attempts);
    if (result !== undefined || Date.now() + wait > startedAt + forMs) return result;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
