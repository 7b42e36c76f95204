import { z } from 'zod';

/** A position in degrees, WGS 84. */
export interface Place {
  latitude: number;
  longitude: number;
}

export const latitude = z.number().min(-90).max(90);
export const longitude = z.number().min(-180).max(180);

/** Returns what a device measured; null if it doesn't know it, for which some state -1 or NaN. */
export const knownMeasure = (stated: number | null): number | null =>
  stated !== null && Number.isFinite(stated) && stated >= 0 ? stated : null;

export const METERS_PER_FOOT = 0.3048;
export const METERS_PER_MILE = 1609.344;

/** To a tenth, as people see it. */
export const milesOf = (meters: number): number => Math.round((meters / METERS_PER_MILE) * 10) / 10;
const EARTH_RADIUS_METERS = 6_378_100;
/** Of latitude. */
export const METERS_PER_DEGREE = (EARTH_RADIUS_METERS * Math.PI) / 180;
export const radians = (degrees: number): number => (degrees * Math.PI) / 180;
/** Returns a longitude from -180 to 180 degrees. The remainder is slow, and rarely needed: only across the date line. */
export const wrapLongitude = (degrees: number): number =>
  degrees >= -180 && degrees < 180 ? degrees : ((((degrees + 180) % 360) + 360) % 360) - 180;

/** Great-circle distance in meters, on the sphere that MongoDB uses. */
export function metersBetween(a: Place, b: Place): number {
  const sinLat = Math.sin(radians(b.latitude - a.latitude) / 2);
  const sinLng = Math.sin(radians(b.longitude - a.longitude) / 2);
  const h =
    sinLat * sinLat +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * sinLng * sinLng;
  return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(h)));
}
