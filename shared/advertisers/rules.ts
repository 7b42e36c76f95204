/** A timed ad: so much for each slot of so many hours that is begun. */
export const SLOT_HOURS = 4;
const SLOT_CENTS = 20_000;
/** A business listing: so much for so many days. */
export const LISTING_CENTS = 10_000;
export const LISTING_DAYS = 30;
/** A listing that nobody reviewed within so many days is refunded (`AD_REVIEW=before`). */
export const LISTING_REVIEW_DAYS = 7;
export const LISTING_RADIUS_MAX_MILES = 50;

const HOUR_MS = 3_600_000;

/** What a timed ad costs, in cents. @param hours whole ones */
export const timedAdCents = (hours: number): number => Math.ceil(hours / SLOT_HOURS) * SLOT_CENTS;

/** When a timed ad ends: hours are hours, also in a night when clocks are put forward or back. */
export const endOfSlot = (start: Date, hours: number): Date =>
  new Date(start.getTime() + hours * HOUR_MS);
