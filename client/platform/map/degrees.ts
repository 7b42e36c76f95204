import type { Place } from '#shared/place.ts';

/** Returns a typed coordinate in degrees: undefined if nothing was typed, NaN if it is no number. */
export const degreesOf = (typed: string): number | undefined =>
  typed.trim() === '' ? undefined : Number(typed);

/** About four inches. */
const DECIMALS = 6;

/** Returns a point as the texts of a form. */
export const typedPoint = ({ latitude, longitude }: Place) => ({
  latitude: latitude.toFixed(DECIMALS),
  longitude: longitude.toFixed(DECIMALS),
});
