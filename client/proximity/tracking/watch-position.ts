import { FIX_MAX_AGE_SECONDS, FIX_TIMEOUT_SECONDS } from '#shared/proximity/rules.ts';
import { ClockSkew } from './clock-skew.ts';
import type { Fix } from './tracker-dependencies.ts';

const OPTIONS: PositionOptions = {
  enableHighAccuracy: true,
  timeout: FIX_TIMEOUT_SECONDS * 1000,
  maximumAge: FIX_MAX_AGE_SECONDS * 1000,
};
/** Asked for more often than this, a device would only begin again and again. */
const REQUEST_MS = 5000;

/** `lost` passes by itself; `denied` when the owner allows it again; `unsupported` never. */
export type PositionTrouble = 'lost' | 'denied' | 'unsupported';

export interface PositionWatch {
  /** Asks for a fix now. */
  request: () => void;
  stop: () => void;
}

/** Watches where this device is, and begins again when the owner gives the permission back. */
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
    const { latitude, longitude, accuracy, speed, heading } = coords;
    on.fix({
      latitude,
      longitude,
      accuracy,
      speed,
      // Standing still, some browsers say NaN.
      heading: Number.isFinite(heading) ? heading : null,
      // A device that does not move gives its last position again, dated when it came to rest.
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
    // Older browsers cannot be asked about permissions; there, 'try again' begins again.
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
    // Browsers that have told a position tell it again only to who begins anew, not to who asks.
    request: () => {
      if (Math.abs(Date.now() - begunAt) > REQUEST_MS) begin();
    },
    stop: () => {
      stopping.abort();
      if (watch !== undefined) geolocation.clearWatch(watch);
    },
  };
}
