import { metresBetween, type Place } from '#shared/place.ts';
import { isTooRough, RADIUS_METRES } from '#shared/proximity/rules.ts';
import { currentPosition } from '../proximity/current-position.ts';

const EXACTLY = { enableHighAccuracy: true, timeout: 10_000, maximumAge: 60_000 };

/** Where nobody can tell where this device is. */
export const NO_LOCATION = 'Location not available. Please enable location services.';

/** Where the device only knows the part of the town: fine to search from, not to put a place there. */
const TOO_ROUGH =
  'Your device only knows about where it is. Try again outdoors, with precise location allowed, or type the coordinates.';

/**
 * Where this device is, once, as exactly as it can tell.
 * @param isExact asks for a new position, and refuses what is too rough to say where a place is
 * @throws with words for people
 */
export async function findHere(isExact = false): Promise<Place> {
  if (!('geolocation' in navigator)) throw new Error(NO_LOCATION);
  let coords: GeolocationCoordinates;
  try {
    coords = await currentPosition(EXACTLY, isExact);
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
  if (isExact && isTooRough(coords)) throw new Error(TOO_ROUGH);
  return { latitude: coords.latitude, longitude: coords.longitude };
}

/** Whether asking for the position would ask the person nothing. */
export async function mayAskQuietly(): Promise<boolean> {
  const permission = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => null);
  return permission?.state === 'granted';
}

/** Whether somebody stands at a place: as near as people who meet. */
export const isAt = (place: Place, here: Place | null): boolean =>
  here !== null && metresBetween(place, here) <= RADIUS_METRES;
