/** Returns the filters without undefined values. */
export const omitUndefined = <F extends object>(filters: F): Partial<F> =>
  Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined),
  ) as Partial<F>;
