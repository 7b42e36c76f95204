import { knownMeasure } from '#shared/place.ts';
import { FIX_MAX_AGE_SECONDS, FIX_TIMEOUT_SECONDS } from '#shared/proximity/rules.ts';
import type { Fix } from './tracker.ts';

const OPTIONS: PositionOptions = {
  enableHighAccuracy: true,
  timeout: FIX_TIMEOUT_SECONDS * 1000,
  maximumAge: FIX_MAX_AGE_SECONDS * 1000,
};
/** Minimum time between requests: more often, a device would only start over each time. */
const REQUEST_MS = 5000;

/** `lost` ends on its own; `denied` when the owner allows location again; `unsupported` never. */
export type PositionTrouble = 'lost' | 'denied' | 'unsupported';

export interface PositionWatch {
  /** Asks for a fix now. */
  request: () => void;
  stop: () => void;
}

/** Watches this device's position, and restarts when the owner grants the permission again. */
export function watchPosition(on: {
  fix: (fix: Fix) => void;
  trouble: (trouble: PositionTrouble) => void;
}): PositionWatch {
  if (!('geolocation' in navigator)) {
    on.trouble('unsupported');
    return { request: () => {}, stop: () => {} };
  }
  const { geolocation } = navigator;
  const stopping = new AbortController();
  let watch: number | undefined;
  let begunAt = 0;
  const skew = new ClockSkew();

  const found = ({ coords, timestamp }: GeolocationPosition) => {
    if (stopping.signal.aborted) return;
    const now = Date.now();
    const takenAt = skew.correct(timestamp, now);
    const { latitude, longitude } = coords;
    const speed = knownMeasure(coords.speed);
    on.fix({
      latitude,
      longitude,
      accuracy: knownMeasure(coords.accuracy),
      speed,
      heading: knownMeasure(coords.heading),
      // A stationary device repeats its last position with the time when it stopped.
      at: Math.min(now, speed ? takenAt : Math.max(takenAt, begunAt)),
    });
  };
  const failed = (error: GeolocationPositionError) => {
    if (!stopping.signal.aborted)
      on.trouble(error.code === error.PERMISSION_DENIED ? 'denied' : 'lost');
  };
  const begin = () => {
    if (watch !== undefined) geolocation.clearWatch(watch);
    begunAt = Date.now();
    watch = geolocation.watchPosition(found, failed, OPTIONS);
  };

  begin();
  void (async () => {
    // Older browsers have no permissions API; there, 'Try again' restarts the watch.
    const permission = await navigator.permissions
      ?.query({ name: 'geolocation' })
      .catch(() => null);
    permission?.addEventListener(
      'change',
      () => (permission.state === 'denied' ? on.trouble('denied') : begin()),
      { signal: stopping.signal },
    );
  })();

  return {
    // Browsers deliver an unchanged position again only to a new watch.
    request: () => {
      if (Math.abs(Date.now() - begunAt) > REQUEST_MS) begin();
    },
    stop: () => {
      stopping.abort();
      if (watch !== undefined) geolocation.clearWatch(watch);
    },
  };
}

/** How many recent positions the skew is estimated from. */
const LAGS = 3;

/**
 * Some phones date positions by satellite time, others by their own clock, which may be minutes off and may be corrected
 * during a walk. The skew between the two is the smallest delay of recent positions, because a moving device delivers new
 * ones immediately.
 */
class ClockSkew {
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
