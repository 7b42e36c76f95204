/** Runs work in one tab at a time: after other tabs. */
export async function oneTabAtATime(name: string, work: () => Promise<void>): Promise<void> {
  await ('locks' in navigator ? navigator.locks.request(name, work) : work());
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
