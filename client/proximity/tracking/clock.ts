/** Time source of the warnings, replaceable in tests. */
export interface Clock {
  /** Milliseconds. */
  now: () => number;
  /** Runs a callback once; returns how to cancel it. */
  after: (milliseconds: number, run: () => void) => () => void;
}

/** This device's clock. */
export const deviceClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
