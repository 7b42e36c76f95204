import type { Clock } from './alerts.ts';

/** The time of this device. */
export const deviceClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
