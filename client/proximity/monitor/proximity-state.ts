import type { NearbyUser } from '#shared/proximity/contract.ts';
import type { ShownAlert, AlertRecord } from '../alerts/alert-controller.ts';
import type { WakeLockState } from '../output/wake-lock.ts';

/**
 * `off`: sharing is off. `starting`: no position yet, or the server has not heard of us yet. `active`: warnings
 * work. `quiet`: in a quiet place, nothing is told of us and nothing is told to us. `lost`: the device gives no position now. `rough`: it gives one that is too rough. `unconfirmed`: it gives one that is too far from the last one to be believed yet. `paused`: this page was out of sight, and is catching up.
 * `offline`: no network. `failing`: the server refuses or is in trouble. `denied`, `unsupported`: no position
 * will come.
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
  /** The owner was told. */
  isTold: boolean;
}

/** All that tabs show about the warning; the tab that leads tells it to the others. */
export interface ProximityState {
  status: TrackingStatus;
  /** Nearest first; null while not known. */
  nearby: NearbyUser[] | null;
  /** When `nearby` was answered, in milliseconds since 1970. */
  heardAt: number | null;
  alerts: ShownAlert[];
  /** Whom the owner dismissed, until they have been away: by id. */
  dismissed: ReadonlyMap<string, AlertRecord>;
  /** For how long there were no warnings because this page was out of sight, until a while after. */
  pausedMs: number | null;
  /** Since when warnings that worked are in trouble; null while they work, and where they never did. */
  stopped: Stopped | null;
  /** Null while not tracking. */
  screen: WakeLockState | null;
  /** The server's words, while `failing`. */
  problem: string | null;
}

export const OFF: ProximityState = {
  status: 'off',
  nearby: null,
  heardAt: null,
  alerts: [],
  dismissed: new Map(),
  pausedMs: null,
  stopped: null,
  screen: null,
  problem: null,
};
