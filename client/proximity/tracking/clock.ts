/** What the warning knows of time. */
export interface Clock {
  /** Milliseconds. */
  now: () => number;
  /** Runs something once; the answer cancels it. */
  after: (milliseconds: number, run: () => void) => () => void;
}

/** The time of this device. */
export const deviceClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
