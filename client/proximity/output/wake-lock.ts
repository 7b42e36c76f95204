/** `held`: the screen stays on. `refused`: the system wants it dark, as on a low battery. */
export type WakeLockState = 'held' | 'refused' | 'missing';

/** So long the system is left alone when it took the lock away or refused it, before it is asked for again. */
const AGAIN_MS = 10_000;

/**
 * Keeps the screen on for as long as it is not stopped. The system takes the lock away when the page is
 * hidden; it is taken again when the page is back.
 * @returns how to stop
 */
export function keepScreenOn(onState: (state: WakeLockState) => void): () => void {
  if (!('wakeLock' in navigator)) {
    onState('missing');
    return () => {};
  }
  let lock: WakeLockSentinel | null = null;
  let isOver = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  const refused = () => {
    if (isOver || document.visibilityState !== 'visible') return;
    onState('refused');
    clearTimeout(retry);
    retry = setTimeout(() => void take(), AGAIN_MS);
  };
  const take = async () => {
    if (isOver || document.visibilityState !== 'visible' || (lock && !lock.released)) return;
    try {
      const taken = await navigator.wakeLock.request('screen');
      if (isOver) return void taken.release();
      lock = taken;
      onState('held');
      // Taken away while the page is in sight, as by a battery saver.
      taken.addEventListener('release', refused);
    } catch {
      refused();
    }
  };
  document.addEventListener('visibilitychange', take);
  void take();
  return () => {
    isOver = true;
    clearTimeout(retry);
    document.removeEventListener('visibilitychange', take);
    void lock?.release();
  };
}
