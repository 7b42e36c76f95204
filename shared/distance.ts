import { METERS_PER_FOOT } from './place.ts';

/** '0.4 miles' */
export const formatMiles = (miles: number): string => `${miles.toFixed(1)} miles`;

/** In whole feet. */
export const feetOf = (meters: number): number => Math.round(meters / METERS_PER_FOOT);
