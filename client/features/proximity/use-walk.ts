import { useSyncExternalStore } from 'react';
import { useEndWalk } from '../walks/use-walks.ts';
import type { TrackingStatus } from './monitor/proximity-state.ts';
import { useProximity } from './use-proximity.ts';
import { useWalking } from './use-walking.ts';
import { startAttempt } from './walk-start.ts';

/** Returns the walk with this device: it shares the location, and warns. */
export function useWalk() {
  const { isWalking, setWalking } = useWalking();
  const { status, problem } = useProximity();
  const attempt = useSyncExternalStore(startAttempt.subscribe, startAttempt.get);
  const endWalk = useEndWalk();
  return {
    isWalking,
    /** Whether warnings work, or why not; `denied` or `unsupported` also after a start that failed. */
    status: statusOf(isWalking, status, attempt),
    problem,
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

function statusOf(
  isWalking: boolean,
  status: TrackingStatus,
  attempt: ReturnType<typeof startAttempt.get>,
): TrackingStatus {
  if (!isWalking) return attempt === 'pending' ? 'starting' : (attempt ?? 'off');
  // A new tab hasn't received the leading tab's state yet.
  return status === 'off' ? 'starting' : status;
}
