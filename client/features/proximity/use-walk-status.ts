import { useSyncExternalStore } from 'react';
import type { TrackingStatus } from './monitor/proximity-state.ts';
import { useProximity } from './use-proximity.ts';
import { useWalking } from './use-walking.ts';
import { startAttempt } from './walk-start.ts';

/** Returns whether this device is on a walk, and whether warnings work. */
export function useWalkStatus() {
  const { isWalking } = useWalking();
  const { status, problem } = useProximity();
  const attempt = useSyncExternalStore(startAttempt.subscribe, startAttempt.get);
  return {
    isWalking,
    /** Whether warnings work, or why not; `denied` or `unsupported` also after a start that failed. */
    status: statusOf(isWalking, status, attempt),
    problem,
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
