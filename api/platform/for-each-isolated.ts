import { DocumentAway, HttpError } from '#shared/http/http-error.ts';
import { databaseTrouble } from '#shared/server/database-errors.ts';

/** After this many failures in a row, a server that all items need is assumed to be down. */
const AWAY_AFTER = 5;

/**
 * Handles each item, continuing after failures so that one item doesn’t block the others.
 * @throws the first error: when all items were tried, or as soon as a server seems to be down
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

/** Runs each step, continuing after failures as `forEachIsolated` does. @throws as it does */
export const runIsolated = (steps: Iterable<() => Promise<unknown>>): Promise<void> =>
  forEachIsolated(steps, (step) => step());

const isAway = (error: unknown): boolean =>
  databaseTrouble(error) !== null ||
  (error instanceof HttpError && error.status === 503 && !(error instanceof DocumentAway));
