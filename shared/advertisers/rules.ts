import { HOUR_MS } from '../time.ts';

/** Days of revenue and number of payments in the overview. */
export const REVENUE_DAYS = 30;
export const RECENT_PAYMENTS = 5;
export const NAME_MAX = 100;
export const ADDRESS_MAX = 200;
export const PHONE_MAX = 20;
export const BILLING_ADDRESS_MAX = 500;
export const DURATION_MAX_HOURS = 24;
export const LISTING_RADIUS_MILES = 5;
/** How far ahead ads can be booked, in days. */
export const BOOKABLE_DAYS = 365;
/** How many days the calendar of open times asks for at once: a month and a bit. */
export const SLOT_CALENDAR_DAYS = 33;
/** The step of the search radius, in miles. */
export const RADIUS_STEP = 0.1;

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
