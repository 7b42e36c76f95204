/** Returns the median, the upper one of two; NaN without measurements, which meets no target. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
