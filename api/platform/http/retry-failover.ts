import { retry } from '#shared/backoff.ts';
import { databaseTrouble } from '#shared/server/database-errors.ts';

/** What fails later already waited for a new primary: the caller gets a 503 and repeats the request. */
const FOR_MS = 3_000;

/**
 * Repeats an idempotent operation that a failover of MongoDB interrupted. The driver repeats each operation at most once,
 * and not at all when another operation noticed first that the server is unreachable.
 */
export const retryFailover = <T>(run: () => Promise<T>): Promise<T> =>
  retry(run, {
    first: 100,
    longest: 200,
    forMs: FOR_MS,
    attempts: 3,
    isTransient: (error) => databaseTrouble(error) === 'failover',
  });
