/**
 * Does work that only one tab may be at.
 * @param whenBusy whether to wait for another tab that is at it, or to leave the work to it
 */
export async function oneTabAtATime(
  name: string,
  whenBusy: 'wait' | 'leave',
  work: () => Promise<void>,
): Promise<void> {
  if (!('locks' in navigator)) return work();
  await navigator.locks.request(name, { ifAvailable: whenBusy === 'leave' }, (lock) =>
    lock ? work() : undefined,
  );
}
