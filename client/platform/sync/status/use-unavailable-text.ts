import { useReachable } from '../../http/use-reachable.ts';
import { useSyncState } from '../documents/use-document.ts';
import { obstacleText } from '../state/obstacle.ts';

/** Returns why a document isn't on this device, and what to do. @param what it holds, such as 'your settings' */
export function useUnavailableText(what: string): string {
  const obstacle = obstacleText(useSyncState().obstacle);
  const isReachable = useReachable();
  if (obstacle) return obstacle;
  return isReachable
    ? `We couldn’t load ${what} yet. If it takes long, reload this page.`
    : `Connect to the internet once to load ${what}.`;
}
