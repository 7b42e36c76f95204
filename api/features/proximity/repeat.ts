/** Time as proximity sees it; the simulation has its own. */
export interface Clock {
  /** Milliseconds of a monotonic clock: changes of the wall clock must neither keep stale positions nor suppress warnings. */
  now(): number;
  /** Milliseconds of the wall clock, which nodes share. */
  wall(): number;
  /** Runs a function once. @returns a function that cancels it */
  after(milliseconds: number, run: () => void): () => void;
}

/** Runs a task again and again, each time so long after the last one ended. @returns a function that ends it */
export function repeat(
  clock: Clock,
  milliseconds: number,
  run: () => void | Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  let isEnded = false;
  let cancel: () => void;
  const schedule = () => {
    cancel = clock.after(milliseconds, () => {
      Promise.resolve()
        .then(run)
        .catch(onError)
        .finally(() => {
          if (!isEnded) schedule();
        });
    });
  };
  schedule();
  return () => {
    isEnded = true;
    cancel();
  };
}
