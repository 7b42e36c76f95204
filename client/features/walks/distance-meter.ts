import { metersBetween } from '#shared/place.ts';
import type { Fix } from '../proximity/tracking/tracker.ts';

/** Fixes that are less accurate than this, in meters, measure no distance. */
const ACCURACY_MAX_METERS = 50;
/** Moves below this, or below the accuracy of the fix, are jitter. */
const MOVE_MIN_METERS = 10;
/** Faster moves, in meters per second, are a jump of the position or a ride. */
const SPEED_MAX = 8;

/**
 * Adds up the distance of a walk from the device's fixes. A receiver at rest gives a slightly different position each time, so that
 * only moves beyond the accuracy count.
 */
export class DistanceMeter {
  #last: Fix | null = null;

  /** Returns the meters walked since the last fix that counted. The fix itself is not stored. */
  add(fix: Fix): number {
    if ((fix.accuracy ?? ACCURACY_MAX_METERS) > ACCURACY_MAX_METERS) return 0;
    const last = this.#last;
    if (!last) {
      this.#last = fix;
      return 0;
    }
    const meters = metersBetween(last, fix);
    if (meters < Math.max(MOVE_MIN_METERS, fix.accuracy ?? 0)) return 0;
    this.#last = fix;
    const seconds = Math.max(0, fix.at - last.at) / 1000;
    return meters <= SPEED_MAX * seconds ? meters : 0;
  }
}
