/**
 * Returns how long to wait before the next attempt, in ms: doubled by each failure in a row, and spread so that clients do
 * not come back all at once.
 * @param failures in a row, from 0
 * @param random from 0 to 1
 */
export function backoffMs(
  { first, longest }: { first: number; longest: number },
  failures: number,
  random = Math.random(),
): number {
  return Math.min(longest, first * 2 ** failures) * (0.5 + random / 2);
}
