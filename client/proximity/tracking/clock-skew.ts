import { FIX_MAX_AGE_SECONDS } from '#shared/proximity/rules.ts';

/** So many new positions in a row tell how far apart the clocks are. */
const LAGS = 3;

/**
 * Positions are dated by the clock of the satellites on some phones, and by the phone's own on others; that one may be off by
 * minutes, and be set right in the middle of a walk. How late positions seem to come at the least is how far the two are apart:
 * while somebody moves, a new one is there at once.
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
    // A position that is told again tells nothing of the clocks.
    if (timestamp !== this.#last) this.#lags = [now - timestamp, ...this.#lags].slice(0, LAGS);
    this.#last = timestamp;
    return timestamp + this.#skew();
  }

  #skew(): number {
    const least = Math.min(...this.#lags);
    // The first may be an old one that the phone still had; older or younger than it may be, it tells of the clocks.
    const mayBeOld = least >= 0 && least <= FIX_MAX_AGE_SECONDS * 1000;
    return mayBeOld && this.#lags.length < LAGS ? 0 : least;
  }
}
