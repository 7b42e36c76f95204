import type { ProximityState } from './proximity-state.ts';

/** What the tabs of a browser tell one another of the warning. */
export type TabWord =
  /** A new tab would know how things stand. */
  | { type: 'ask' }
  | { type: 'state'; state: ProximityState }
  | { type: 'dismiss'; userIds: string[] }
  | { type: 'retry' };

const ANSWERS_WITHIN_MS = 500;

/** Asks the tabs of this browser whether one of them leads. @param name of the channel */
export function isAnotherLeading(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(name);
    const settle = (isLed: boolean) => {
      clearTimeout(timer);
      channel.close();
      resolve(isLed);
    };
    const timer = setTimeout(() => settle(false), ANSWERS_WITHIN_MS);
    channel.addEventListener('message', ({ data }: MessageEvent<TabWord>) => {
      if (data.type === 'state') settle(true);
    });
    channel.postMessage({ type: 'ask' } satisfies TabWord);
  });
}
