import { METRES_PER_FOOT } from './place.ts';

/** '0.4 miles' */
export const formatMiles = (miles: number): string => `${miles.toFixed(1)} miles`;

/** In whole feet. */
export const feetOf = (metres: number): number => Math.round(metres / METRES_PER_FOOT);
