import { METERS_PER_FOOT, METERS_PER_MILE } from './place.ts';

/** In whole feet. */
export const feetOf = (meters: number): number => Math.round(meters / METERS_PER_FOOT);

/** In meters. */
export const metersOf = (feet: number): number => feet * METERS_PER_FOOT;

/** In kilometers. */
export const kilometersOf = (miles: number): number => (miles * METERS_PER_MILE) / 1000;

/** In miles. */
export const milesOfKilometers = (kilometers: number): number =>
  (kilometers * 1000) / METERS_PER_MILE;
