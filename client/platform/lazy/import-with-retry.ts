import { backoffMs } from '#shared/backoff.ts';
import { ValueStore } from '../store.ts';

/** Delay before the progress bar appears, so that it doesn't flicker. */
const SLOW_MS = 300;
/** Delay after a failed attempt, unless the network is back earlier. */
const AGAIN_AFTER_MS = [1_000, 4_000];
/** For what nobody waits for. */
const SOMETIME_MS = { first: 1_000, longest: 300_000 };

let onTheWay = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Whether the user has been waiting for a chunk longer than the delay. */
export const slowLoading = new ValueStore(false);

/**
 * Imports a chunk, with two retries for bad networks. If a newer version of the app has replaced it, reloads the page once.
 * @throws the last attempt's error
 */
export async function importWithRetry<T>(load: () => Promise<T>): Promise<T> {
  count(1);
  try {
    for (const pauseMs of AGAIN_AFTER_MS)
      try {
        return await load();
      } catch (error) {
        console.warn('Failed to load a chunk of the app; retrying', error);
        await networkOr(pauseMs);
      }
    return await load().catch(async (error: unknown) => {
      // Members have it already; if it is gone, too, the error is shown.
      await import('./reload-if-replaced.ts').then(
        (it) => it.reloadIfReplaced(),
        () => {},
      );
      throw error;
    });
  } finally {
    count(-1);
  }
}

/** Imports a chunk that nobody waits for: tries until it succeeds, ever less often. */
export async function importEventually<T>(load: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++)
    try {
      return await load();
    } catch (error) {
      console.warn('Failed to load a chunk of the app; trying again later', error);
      await networkOr(backoffMs(SOMETIME_MS, failures));
    }
}

function count(change: 1 | -1): void {
  onTheWay += change;
  if (onTheWay > 0) timer ??= setTimeout(() => slowLoading.set(true), SLOW_MS);
  else {
    clearTimeout(timer);
    timer = undefined;
    slowLoading.set(false);
  }
}

const networkOr = (pauseMs: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(pause);
      window.removeEventListener('online', done);
      resolve();
    };
    const pause = setTimeout(done, pauseMs);
    window.addEventListener('online', done);
  });
