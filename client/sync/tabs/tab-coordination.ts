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

export type TabMessage = { documentId: string; changes: Uint8Array<ArrayBuffer> } | 'forget';

/** What the tabs of one user tell one another. */
export const channelOf = (userId: string) => new BroadcastChannel(`leashwise-${userId}`);

/** Tells the other tabs that the user's data is being removed from this device. */
export function forgetInOtherTabs(userId: string): void {
  const channel = channelOf(userId);
  channel.postMessage('forget' satisfies TabMessage);
  channel.close();
}
