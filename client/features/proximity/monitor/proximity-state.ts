import { durationWords } from '../../../platform/duration-words.ts';
import type { ShownAlert } from '../alerts/shown-alert.ts';
import type { WakeLockState } from '../output/keep-screen-on.ts';
import type { FollowedUser } from './trend.ts';

/**
 * `off`: sharing is off. `starting`: no position yet, or none reported yet. `active`: warnings work.
 * `quiet`: in a quiet place; nothing is reported and no one is warned. `lost`: the device has no position.
 * `rough`: the position isn't accurate enough. `unconfirmed`: it jumped too far from the last one to be trusted yet.
 * `paused`: the page was in the background and is catching up. `offline`: no network. `unreachable`: there
 * is a network, but no answer. `failing`: the server rejects reports or has errors. `denied`, `unsupported`: no position is available.
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
  | 'unreachable'
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
  nearby: FollowedUser[] | null;
  /** When `nearby` was received, in milliseconds since 1970. */
  receivedAt: number | null;
  /** Everyone with dogs nearby, also those whose alert is folded; most urgent first. */
  alerts: ShownAlert[];
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
  pausedMs: null,
  stopped: null,
  screen: null,
  problem: null,
};

interface StatusText {
  title: string;
  /** What it means, and what happens next. */
  more: string;
}

export const STATUS_TEXTS: Record<TrackingStatus, StatusText> = {
  off: {
    title: 'Location sharing is off',
    more: 'Start a walk to be warned of dogs nearby, and to warn others of yours.',
  },
  starting: { title: 'Getting your position…', more: 'Warnings start as soon as it’s available.' },
  active: {
    title: 'Location tracking active',
    more: 'You’ll be warned when a dog comes within {radius}.',
  },
  quiet: {
    title: 'Quiet place',
    more: 'While you’re here, others can’t see you and you won’t be warned. Sharing resumes when you leave.',
  },
  lost: {
    title: 'Paused: no position',
    more: 'Your device can’t get a position right now. Warnings resume when the signal is back.',
  },
  rough: {
    title: 'Paused: your location isn’t accurate enough',
    more: 'Your device only knows roughly where it is. Warnings start once it has a better fix: go outdoors and allow precise location.',
  },
  unconfirmed: {
    title: 'Paused: checking your location',
    more: 'Your position jumped farther than anyone can travel. Warnings resume once your next positions confirm it.',
  },
  paused: {
    title: 'Paused: this page was in the background',
    more: 'Phones don’t share their position with pages in the background. Warnings are resuming.',
  },
  offline: {
    title: 'Paused: no connection',
    more: 'No warnings until you’re back online. We keep retrying.',
  },
  unreachable: {
    title: 'Paused: can’t reach our server',
    more: 'No warnings until it answers. We keep retrying.',
  },
  failing: {
    title: 'Paused: our server isn’t accepting your position',
    more: 'No warnings until it does. We keep retrying.',
  },
  denied: {
    title: 'Unable to access your location',
    more: 'Allow location for this site in your browser’s settings, then try again.',
  },
  unsupported: {
    title: 'Geolocation is not supported by this browser',
    more: 'Warnings need it. Use another browser.',
  },
};

const OFF_OFFLINE = 'You can start a walk; warnings start once you’re back online.';

/** Returns the text for a tracking status. @param radius the owner's alert radius, such as '100 feet' */
export function statusText(
  state: Pick<ProximityState, 'status' | 'problem'>,
  radius: string,
  isOnline = true,
): StatusText {
  const { title, more: usual } = STATUS_TEXTS[state.status];
  const more = state.status === 'off' && !isOnline ? OFF_OFFLINE : usual;
  const text = { title, more: more.replace('{radius}', radius) };
  return state.problem ? { ...text, more: `${state.problem}. ${text.more}` } : text;
}

/** Returns the text shown after warnings were paused. */
export const pauseText = (pausedMs: number): string =>
  `Tracking was paused for ${durationWords(pausedMs)} while this page was in the background. It has resumed.`;
