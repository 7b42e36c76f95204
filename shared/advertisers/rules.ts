import { HOUR_MS } from '../time.ts';

/** A timed ad costs `SLOT_CENTS` for each started slot of `SLOT_HOURS`. */
export const SLOT_HOURS = 4;
const SLOT_CENTS = 20_000;
/** A business listing costs `LISTING_CENTS` for `LISTING_DAYS`. */
export const LISTING_CENTS = 10_000;
export const LISTING_DAYS = 30;
/** A listing that was not reviewed within this time is refunded (`AD_REVIEW=before`). */
export const LISTING_REVIEW_DAYS = 7;
export const LISTING_RADIUS_MAX_MILES = 50;

/** The price of a timed ad, in cents. @param hours an integer */
export const timedAdCents = (hours: number): number => Math.ceil(hours / SLOT_HOURS) * SLOT_CENTS;

/** The end of a timed ad, in elapsed hours, regardless of daylight saving time. */
export const endOfSlot = (start: Date, hours: number): Date =>
  new Date(start.getTime() + hours * HOUR_MS);
