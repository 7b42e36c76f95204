import type { ProximityState, TrackingStatus } from './state.ts';
import { durationWords } from './words.ts';

interface StatusWords {
  title: string;
  /** What it means, and what happens next. */
  more: string;
}

export const STATUS_WORDS: Record<TrackingStatus, StatusWords> = {
  off: {
    title: 'Location sharing is off',
    more: 'Turn it on to be warned of dogs nearby, and to warn others of yours.',
  },
  starting: { title: 'Getting your position…', more: 'Warnings begin as soon as it is there.' },
  active: {
    title: 'Location tracking active',
    more: 'You are warned when a dog comes within {radius} feet.',
  },
  quiet: {
    title: 'Quiet place',
    more: 'You are neither shown nor counted here, and not warned. Sharing goes on when you leave.',
  },
  lost: {
    title: 'Paused: no position',
    more: 'Your device does not find itself right now. Warnings come back with the signal.',
  },
  rough: {
    title: 'Paused: your position is too rough',
    more: 'Your device only knows about where it is. Warnings begin once it knows better: outdoors, with precise location allowed.',
  },
  paused: {
    title: 'Paused: this page was out of sight',
    more: 'Phones give no position to a page in the background. Warnings are coming back.',
  },
  offline: {
    title: 'Paused: no network',
    more: 'No warnings until it is back. It is tried again by itself.',
  },
  failing: {
    title: 'Paused: the server does not take your position',
    more: 'No warnings until it does. It is tried again by itself.',
  },
  denied: {
    title: 'Unable to access your location',
    more: 'Allow location for this site in your browser’s settings, then try again.',
  },
  unsupported: {
    title: 'Geolocation is not supported by this browser',
    more: 'Warnings need it: please use another browser.',
  },
};

/** How the tracking stands, in words. @param radiusFeet within how far its owner is warned */
export function statusWords(
  state: Pick<ProximityState, 'status' | 'problem'>,
  radiusFeet: number,
): StatusWords {
  const { title, more } = STATUS_WORDS[state.status];
  const words = { title, more: more.replace('{radius}', String(radiusFeet)) };
  return state.problem ? { ...words, more: `${state.problem}. ${words.more}` } : words;
}

/** Says after the fact that there were no warnings for a while. */
export const pauseWords = (pausedMs: number): string =>
  `Tracking was paused for ${durationWords(pausedMs)} while this page was out of sight. It is back now.`;
