import type { Place } from '#shared/place.ts';

const TIMEOUT_MS = 10_000;
const OLD_MS = 60_000;

/** Where nobody can tell where this device is. */
export const NO_LOCATION = 'Location not available. Please enable location services.';

/**
 * Where this device is, once, as exactly as it can tell.
 * @throws with words for people
 */
export async function findHere(): Promise<Place> {
  if (!('geolocation' in navigator)) throw new Error(NO_LOCATION);
  try {
    const { coords } = await new Promise<GeolocationPosition>((resolve, reject) =>
      navigator.geolocation.getCurrentPosition(resolve, reject, {
        enableHighAccuracy: true,
        timeout: TIMEOUT_MS,
        maximumAge: OLD_MS,
      }),
    );
    return { latitude: coords.latitude, longitude: coords.longitude };
  } catch (cause) {
    const isDenied =
      cause instanceof GeolocationPositionError && cause.code === cause.PERMISSION_DENIED;
    throw new Error(
      isDenied
        ? 'Unable to access your location. Please enable location services.'
        : 'Unable to get current location',
      { cause },
    );
  }
}

/** Whether asking for the position would ask the person nothing. */
export async function mayAskQuietly(): Promise<boolean> {
  const permission = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => null);
  return permission?.state === 'granted';
}
