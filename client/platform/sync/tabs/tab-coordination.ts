/** How often a waiting tab asks whether the one that works is awake. */
const ASK_EVERY_MS = 30_000;
const ANSWERS_WITHIN_MS = 5_000;

type LockMessage = 'asks' | 'works';

/**
 * Runs work in one tab at a time: after other tabs. A visible tab doesn't wait for one that the system suspended: the work must bear
 * to go on there later.
 */
export async function oneTabAtATime(name: string, work: () => Promise<void>): Promise<void> {
  if (!('locks' in navigator)) return work();
  const channel = new BroadcastChannel(`leashwise-lock-${name}`);
  const waiting = new AbortController();
  let isWorking = false;
  let isAnswered = true;
  channel.onmessage = ({ data }: MessageEvent<LockMessage>) => {
    if (data === 'works') isAnswered = true;
    else if (isWorking) channel.postMessage('works' satisfies LockMessage);
  };
  let answering: ReturnType<typeof setTimeout> | undefined;
  const asking = setInterval(() => {
    if (isWorking || globalThis.document?.visibilityState !== 'visible') return;
    isAnswered = false;
    channel.postMessage('asks' satisfies LockMessage);
    answering = setTimeout(() => isAnswered || waiting.abort(), ANSWERS_WITHIN_MS);
  }, ASK_EVERY_MS);
  const once = () => {
    isWorking = true;
    clearTimeout(answering);
    return work();
  };
  try {
    await navigator.locks
      .request(name, { signal: waiting.signal }, once)
      .catch((error: unknown) => {
        if (isWorking || !waiting.signal.aborted) throw error;
        return navigator.locks.request(name, { steal: true }, once);
      });
  } finally {
    clearInterval(asking);
    clearTimeout(answering);
    channel.close();
  }
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
