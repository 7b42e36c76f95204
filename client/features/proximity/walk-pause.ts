import { MINUTE_MS } from '#shared/time.ts';

/** The cache in which the page tells the service worker that it stopped reporting on purpose; workers read no localStorage. */
const WALK_PAUSE_CACHE = 'walk-pause';
const KEY = '/walk-pause';
/** The device's clock and the server's may differ by this much without the device knowing. */
const CLOCK_NOISE_MS = MINUTE_MS;

export interface WalkPause {
  /** The owner ended the walk, or the device entered a quiet place. */
  reason: 'ended' | 'quiet';
  /** The server's time in milliseconds. */
  at: number;
}

/** Notes why this device no longer reports positions. The first note stays. */
export async function noteWalkPause(pause: WalkPause): Promise<void> {
  if (!('caches' in globalThis)) return;
  const before = await readPause();
  if (before?.reason === pause.reason) return;
  const cache = await caches.open(WALK_PAUSE_CACHE);
  await cache.put(KEY, new Response(JSON.stringify(pause)));
}

/** Removes the note: this device reports positions again. */
export async function clearWalkPause(): Promise<void> {
  if ('caches' in globalThis) await caches.delete(WALK_PAUSE_CACHE);
}

/**
 * Returns why this device stopped before the server noticed a silence; null if it didn't.
 * @param silentSince when the server received the last position, in milliseconds. A later one came from another device
 */
export async function pauseBefore(silentSince: number): Promise<WalkPause['reason'] | null> {
  const pause = await readPause();
  return pause && pause.at + CLOCK_NOISE_MS >= silentSince ? pause.reason : null;
}

async function readPause(): Promise<WalkPause | null> {
  const response = await caches.match(KEY, { cacheName: WALK_PAUSE_CACHE });
  return response ? ((await response.json()) as WalkPause) : null;
}
