import { databaseTrouble } from './http/database-errors.ts';
import { HttpError } from './http/http-error.ts';

/** So many in a row: a server that all of them need is away. */
const AWAY_AFTER = 5;

/**
 * Does something about each of several, on though it fails for some: what cannot be done about one keeps no other waiting.
 * @throws the first error, when all were tried, or as soon as a server seems to be away
 */
export async function forEachIsolated<T>(
  all: AsyncIterable<T> | Iterable<T>,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const failed: unknown[] = [];
  let away = 0;
  for await (const one of all)
    try {
      await work(one);
      away = 0;
    } catch (error) {
      failed.push(error);
      away = isAway(error) ? away + 1 : 0;
      if (away === AWAY_AFTER) break;
    }
  if (failed.length > 0) throw failed[0];
}

const isAway = (error: unknown): boolean =>
  databaseTrouble(error) !== null || (error instanceof HttpError && error.status === 503);
