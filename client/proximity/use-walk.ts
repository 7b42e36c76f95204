import { useSyncExternalStore } from 'react';
import { useSharing } from '../profile/use-sharing.ts';
import { useEndWalk } from '../walks/use-walks.ts';
import type { TrackingStatus } from './monitor/proximity-state.ts';
import { useProximity } from './use-proximity.ts';
import { startAttempt } from './walk-start.ts';

/** Returns the walk: sharing the location is walking. */
export function useWalk() {
  const { isSharing, saveSharing } = useSharing();
  const { status, problem } = useProximity();
  const attempt = useSyncExternalStore(startAttempt.subscribe, startAttempt.get);
  const endWalk = useEndWalk();
  return {
    /** The owner's setting, on all devices. */
    isWalking: isSharing,
    /** Whether warnings work, or why not; `denied` or `unsupported` also after a start that failed. */
    status: statusOf(isSharing, status, attempt),
    problem,
    start() {
      startAttempt.set('pending');
      saveSharing(true);
    },
    end() {
      startAttempt.set(null);
      void endWalk();
    },
  };
}

function statusOf(
  isSharing: boolean,
  status: TrackingStatus,
  attempt: ReturnType<typeof startAttempt.get>,
): TrackingStatus {
  if (!isSharing) return attempt === 'pending' ? 'starting' : (attempt ?? 'off');
  // A new tab hasn't received the leading tab's state yet.
  return status === 'off' ? 'starting' : status;
}
