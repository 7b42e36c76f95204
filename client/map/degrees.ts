/** Returns a typed coordinate in degrees: undefined if nothing was typed, NaN if it is no number. */
export const degreesOf = (typed: string): number | undefined =>
  typed.trim() === '' ? undefined : Number(typed);
