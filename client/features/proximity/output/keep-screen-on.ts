/** `active`: the screen stays on. `refused`: the system lets it turn off, such as on low battery. */
export type WakeLockState = 'active' | 'refused' | 'missing';

/** Delay before asking again after the system refused or released the lock. */
const AGAIN_MS = 10_000;

/**
 * Keeps the screen on until stopped. The system releases the lock when the page is hidden; it is requested
 * again when the page is visible.
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
      onState('active');
      // Released while the page is visible, such as by a battery saver.
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
