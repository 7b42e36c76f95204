import { FIX_MAX_AGE_SECONDS } from '#shared/proximity/rules.ts';

/** How many recent positions the skew is estimated from. */
const LAGS = 3;

/**
 * Some phones date positions by satellite time, others by their own clock, which may be minutes off and may be corrected
 * during a walk. The skew between the two is the smallest delay of recent positions, because a moving device delivers new
 * ones immediately.
 */
export class ClockSkew {
  #lags: number[] = [];
  #last = Number.NaN;

  /**
   * When a position was taken, by the phone's clock.
   * @param timestamp of the position, in milliseconds, by whatever clock
   * @param now milliseconds, by the phone's clock
   */
  correct(timestamp: number, now: number): number {
    // A repeated position says nothing about the clocks.
    if (timestamp !== this.#last) this.#lags = [now - timestamp, ...this.#lags].slice(0, LAGS);
    this.#last = timestamp;
    return timestamp + this.#skew();
  }

  #skew(): number {
    const least = Math.min(...this.#lags);
    // The first positions may be cached ones; only an impossible age means skew.
    const mayBeOld = least >= 0 && least <= FIX_MAX_AGE_SECONDS * 1000;
    return mayBeOld && this.#lags.length < LAGS ? 0 : least;
  }
}
