import type { Place } from '#shared/place.ts';
import { FIX_TIMEOUT_SECONDS } from '#shared/proximity/rules.ts';

/** What people read if the device does not tell where it is. */
interface Messages {
  unsupported: string;
  denied: string;
  unavailable: string;
}

const MESSAGES: Messages = {
  unsupported: 'Geolocation is not supported by this browser',
  denied: 'Unable to access your location',
  unavailable: 'Unable to access your location',
};

/** For places to walk. */
export const PLACES_MESSAGES: Messages = {
  unsupported: 'Location not available. Please enable location services.',
  denied: 'Unable to access your location. Please enable location services.',
  unavailable: 'Unable to get current location',
};

/** `accuracy` is in meters. */
export type Position = Place & { accuracy: number };

export interface FindOptions {
  /** Near enough for the weather, and cheap. */
  isRough?: boolean;
  /** Looks for a new position; a device at rest may have none, then the last one does. */
  isFresh?: boolean;
  messages?: Messages;
}

const PRECISE = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 30_000 };
const ROUGH = {
  enableHighAccuracy: false,
  timeout: FIX_TIMEOUT_SECONDS * 1000,
  maximumAge: 300_000,
};
/** So long a device may look for a new position when it is asked for one. */
const FRESH = { timeout: 4000, maximumAge: 0 };

const ask = (options: PositionOptions): Promise<GeolocationPosition> =>
  new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, options),
  );

/** Returns where this device is, once. @throws with words for people */
export async function findPosition({
  isRough = false,
  isFresh = false,
  messages = MESSAGES,
}: FindOptions = {}): Promise<Position> {
  if (!('geolocation' in navigator)) throw new Error(messages.unsupported);
  const options = isRough ? ROUGH : PRECISE;
  try {
    const fresh = isFresh ? await ask({ ...options, ...FRESH }).catch(() => null) : null;
    const { latitude, longitude, accuracy } = (fresh ?? (await ask(options))).coords;
    return { latitude, longitude, accuracy };
  } catch (cause) {
    const isDenied =
      cause instanceof GeolocationPositionError && cause.code === cause.PERMISSION_DENIED;
    throw new Error(isDenied ? messages.denied : messages.unavailable, { cause });
  }
}

/** Whether the browser would ask the person nothing. */
export async function isPositionGranted(): Promise<boolean> {
  const permission = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => null);
  return permission?.state === 'granted';
}
