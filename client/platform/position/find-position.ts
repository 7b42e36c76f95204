import { knownMeasure, type Place } from '#shared/place.ts';
import { FIX_TIMEOUT_SECONDS } from '#shared/proximity/rules.ts';
import { ShownError } from '../http/shown-error.ts';

/** Messages if the position can't be determined. */
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

/** `accuracy` is in meters; Infinity if the device doesn't know it. */
export type Position = Place & { accuracy: number };

export interface FindOptions {
  /** Accurate enough for the weather, and saves battery. */
  isRough?: boolean;
  /** Asks for a new position, and falls back to the last one, because a device at rest may not have a new one. */
  isFresh?: boolean;
  messages?: Messages;
}

const PRECISE = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 30_000 };
const ROUGH = {
  enableHighAccuracy: false,
  timeout: FIX_TIMEOUT_SECONDS * 1000,
  maximumAge: 300_000,
};
/** Options for a new position. */
const FRESH = { timeout: 4000, maximumAge: 0 };

const getPosition = (options: PositionOptions): Promise<GeolocationPosition> =>
  new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, options),
  );

/** Returns this device's position once. @throws with a message for people */
export async function findPosition({
  isRough = false,
  isFresh = false,
  messages = MESSAGES,
}: FindOptions = {}): Promise<Position> {
  if (!('geolocation' in navigator)) throw new ShownError(messages.unsupported);
  const options = isRough ? ROUGH : PRECISE;
  try {
    const fresh = isFresh ? await getPosition({ ...options, ...FRESH }).catch(() => null) : null;
    const { latitude, longitude, accuracy } = (fresh ?? (await getPosition(options))).coords;
    return { latitude, longitude, accuracy: knownMeasure(accuracy) ?? Infinity };
  } catch (cause) {
    const isDenied =
      cause instanceof GeolocationPositionError && cause.code === cause.PERMISSION_DENIED;
    throw new ShownError(isDenied ? messages.denied : messages.unavailable, { cause });
  }
}

/** Whether the browser allows location without asking. */
export async function isPositionGranted(): Promise<boolean> {
  const permission = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => null);
  return permission?.state === 'granted';
}
