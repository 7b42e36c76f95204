import type { ProximityState } from './proximity-state.ts';

/** Messages about warnings between the tabs of a browser. */
export type TabMessage =
  /** A new tab asks for the current state. */
  | { type: 'ask' }
  | { type: 'state'; state: ProximityState }
  | { type: 'dismiss'; userIds: string[] }
  | { type: 'retry' };

const ANSWERS_WITHIN_MS = 500;

/** Asks the tabs of this browser whether one of them leads. @param name of the BroadcastChannel */
export function isAnotherLeading(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(name);
    const settle = (isLed: boolean) => {
      clearTimeout(timer);
      channel.close();
      resolve(isLed);
    };
    const timer = setTimeout(() => settle(false), ANSWERS_WITHIN_MS);
    channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
      if (data.type === 'state') settle(true);
    });
    channel.postMessage({ type: 'ask' } satisfies TabMessage);
  });
}
