/** The only numbers of walkers that are told; fewer than the first are “none yet”. */
export const WALKER_STEPS = [5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000] as const;

/** Rounds a number of walkers down to a step; null below the first. */
export const walkerStep = (count: number): number | null =>
  WALKER_STEPS.findLast((step) => step <= count) ?? null;
