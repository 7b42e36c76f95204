import { ValueStore } from '../../platform/store.ts';
import type { TrackingStatus } from './monitor/proximity-state.ts';

/** Why a walk couldn't start on this device. */
type StartProblem = Extract<TrackingStatus, 'denied' | 'unsupported'>;

/**
 * Whether the first location after the setup is still to be reported: once, without a walk, and roughly, so that nobody is warned of somebody
 * who hasn't started a walk, nor they of others (decision 357).
 */
export const firstReport = new ValueStore(false);

/** Why the last attempt in this tab to start a walk failed; `pending` until its outcome is known. */
export const startAttempt = new ValueStore<StartProblem | 'pending' | null>(null);

/** Forgets an earlier attempt when a walk starts or ends, such as in another tab. After a failure, the reason stays. */
export function followWalking(isWalking: boolean): void {
  const isPending = startAttempt.get() === 'pending';
  if (isPending ? !isWalking : isWalking) startAttempt.set(null);
}

/**
 * Ends an attempt to start a walk once the device has answered. Only an attempt of this tab ends the walk again.
 * @param cancel ends the walk
 */
export function settleStart(status: TrackingStatus, cancel: () => void): void {
  if (startAttempt.get() !== 'pending' || status === 'off' || status === 'starting') return;
  const isRefused = status === 'denied' || status === 'unsupported';
  startAttempt.set(isRefused ? status : null);
  if (isRefused) cancel();
}

/** The state of a navigation right after the setup: the home screen starts with the practice alert. */
export const JUST_SET_UP = { isJustSetUp: true } as const;
