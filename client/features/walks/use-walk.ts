import { useWalkStatus } from '../proximity/use-walk-status.ts';
import { useWalking } from '../proximity/use-walking.ts';
import { startAttempt } from '../proximity/walk-start.ts';
import { useEndWalk } from './use-walks.ts';

/** Returns the walk with this device: it shares the location, and warns. */
export function useWalk() {
  const { setWalking } = useWalking();
  const endWalk = useEndWalk();
  return {
    ...useWalkStatus(),
    start() {
      startAttempt.set('pending');
      setWalking(true);
    },
    end() {
      startAttempt.set(null);
      void endWalk();
    },
  };
}
