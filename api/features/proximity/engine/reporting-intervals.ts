import { isClosing, type MotionFilter } from './motion-filter.ts';

/**
 * No one is asked to report faster than this because of users of whom they have not been notified (decision 230): while one of
 * the two moves, and while both stand still.
 */
export const MOVING_SECONDS = 2;
export const STILL_SECONDS = 5;
/** How often users report while they see each other: both standing, or not coming closer. They come closer in `MOVING_SECONDS`. */
export const NEARBY_SECONDS = 10;
const NOT_CLOSING_SECONDS = 5;
/** How often users report while they drive, so that they count soon after they get out. */
export const DRIVING_SECONDS = 10;

/** A user whose report is this late is out of reach, and found when they are back. */
export const LATE_MS = 15_000;

/** Returns in how many seconds two users who see each other must report again. */
export function secondsTogether(one: MotionFilter, other: MotionFilter): number {
  if (one.isStandingStill && other.isStandingStill) return NEARBY_SECONDS;
  return isClosing(one, other) ? MOVING_SECONDS : NOT_CLOSING_SECONDS;
}
