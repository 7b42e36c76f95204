/**
 * Runs work in one tab at a time.
 * @param whenBusy whether to wait for another tab that runs it, or to skip the work
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

/** Opens the channel between the tabs of one user. */
export const channelOf = (userId: string) => new BroadcastChannel(`leashwise-${userId}`);

/** Notifies the other tabs that the user's data is being removed from this device. */
export function forgetInOtherTabs(userId: string): void {
  const channel = channelOf(userId);
  channel.postMessage('forget' satisfies TabMessage);
  channel.close();
}
