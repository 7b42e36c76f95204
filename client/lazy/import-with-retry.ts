import { ValueStore } from '../store.ts';

/** What comes sooner needs no word: one that goes at once would only flicker. */
const SLOW_MS = 300;
/** After a try that failed, unless the network is back before. */
const AGAIN_AFTER_MS = [1_000, 4_000];

let onTheWay = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Whether somebody waits for a part by now. */
export const slowLoading = new ValueStore(false);

/**
 * Brings a part of the app that somebody asked for, over a bad network too: what fails is tried twice more.
 * @throws what the last try did
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
    return await load();
  } finally {
    count(-1);
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
