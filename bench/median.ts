/** The middle of some measurements; the upper of two; NaN of none, which keeps no target. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
