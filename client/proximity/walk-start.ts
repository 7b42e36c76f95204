import { ValueStore } from '../store.ts';
import type { TrackingStatus } from './monitor/proximity-state.ts';

/** Why a walk couldn't start on this device. */
type StartProblem = Extract<TrackingStatus, 'denied' | 'unsupported'>;

/** Why the last attempt in this tab to start a walk failed; `pending` until its outcome is known. */
export const startAttempt = new ValueStore<StartProblem | 'pending' | null>(null);

/** Forgets an earlier attempt when the setting changes, such as on another device. After a failure, the reason stays. */
export function followSharing(isSharing: boolean): void {
  const isPending = startAttempt.get() === 'pending';
  if (isPending ? !isSharing : isSharing) startAttempt.set(null);
}

/**
 * Ends an attempt to start a walk once the device has answered. Only an attempt of this tab turns the setting off again:
 * another device of the owner may be walking.
 * @param cancel turns the setting off
 */
export function settleStart(status: TrackingStatus, cancel: () => void): void {
  if (startAttempt.get() !== 'pending' || status === 'off' || status === 'starting') return;
  const isRefused = status === 'denied' || status === 'unsupported';
  startAttempt.set(isRefused ? status : null);
  if (isRefused) cancel();
}
