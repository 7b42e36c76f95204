import { setTimeout as wait } from 'node:timers/promises';
import { databaseTrouble } from './database-errors.ts';

const ATTEMPTS = 3;
const PAUSE_MS = 100;
/** What failed later already waited for a new primary: the caller gets a 503, and repeats the request itself. */
const WITHIN_MS = 3_000;

/**
 * Repeats an idempotent operation that a failover of MongoDB interrupted. The driver repeats each operation once at most,
 * and not at all when another operation noticed first that the server is gone.
 */
export async function retryFailover<T>(run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt++)
    try {
      return await run();
    } catch (error) {
      const isLate = performance.now() - startedAt > WITHIN_MS;
      if (attempt === ATTEMPTS || isLate || databaseTrouble(error) !== 'failover') throw error;
      await wait(PAUSE_MS * attempt);
    }
}
