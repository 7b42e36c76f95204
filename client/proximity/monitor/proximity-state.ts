import type { NearbyUser } from '#shared/proximity/contract.ts';
import type { ShownAlert, AlertRecord } from '../alerts/alert-controller.ts';
import type { WakeLockState } from '../output/wake-lock.ts';

/**
 * `off`: sharing is off. `starting`: no position yet, or none reported yet. `active`: warnings work.
 * `quiet`: in a quiet place; nothing is reported and no one is warned. `lost`: the device has no position.
 * `rough`: the position isn't accurate enough. `unconfirmed`: it jumped too far from the last one to be trusted yet.
 * `paused`: the page was in the background and is catching up. `offline`: no network. `failing`: the server rejects
 * reports or has errors. `denied`, `unsupported`: no position is available.
 */
export type TrackingStatus =
  | 'off'
  | 'starting'
  | 'active'
  | 'quiet'
  | 'lost'
  | 'rough'
  | 'unconfirmed'
  | 'paused'
  | 'offline'
  | 'failing'
  | 'denied'
  | 'unsupported';

export interface Stopped {
  /** In milliseconds since 1970. */
  since: number;
  /** Whether the owner was notified. */
  isAnnounced: boolean;
}

/** Everything that tabs show about warnings; the leading tab sends it to the others. */
export interface ProximityState {
  status: TrackingStatus;
  /** Nearest first; null while unknown. */
  nearby: NearbyUser[] | null;
  /** When `nearby` was received, in milliseconds since 1970. */
  receivedAt: number | null;
  alerts: ShownAlert[];
  /** Dismissed users by id, until they have been away. */
  dismissed: ReadonlyMap<string, AlertRecord>;
  /** How long warnings were paused while the page was in the background; null again after 30 s. */
  pausedMs: number | null;
  /** Since when warnings have stopped working; null while they work and if they never did. */
  stopped: Stopped | null;
  /** Null while not tracking. */
  screen: WakeLockState | null;
  /** The server's error message, while `failing`. */
  problem: string | null;
}

export const OFF: ProximityState = {
  status: 'off',
  nearby: null,
  receivedAt: null,
  alerts: [],
  dismissed: new Map(),
  pausedMs: null,
  stopped: null,
  screen: null,
  problem: null,
};
