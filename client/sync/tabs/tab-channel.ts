export type TabMessage = { documentId: string; changes: Uint8Array<ArrayBuffer> } | 'forget';

/** What the tabs of one user tell one another. */
export const channelOf = (userId: string) => new BroadcastChannel(`leashwise-${userId}`);

/** Tells the other tabs that the user's data is being removed from this device. */
export function forgetInOtherTabs(userId: string): void {
  const channel = channelOf(userId);
  channel.postMessage('forget' satisfies TabMessage);
  channel.close();
}
