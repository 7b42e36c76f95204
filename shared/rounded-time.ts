import { DAY_MS, MINUTE_MS } from './time.ts';

/**
 * Times that one member sees of another are rounded to what the reader needs: the exact time says when somebody was somewhere, or had
 * the app open. docs/privacy.md lists them.
 */

/** Returns noon of the day (UTC), as ISO time: most time zones show the same day. */
export const dayTime = (at: Date): string =>
  new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS + DAY_MS / 2).toISOString();

/** Returns the last time that is a multiple of this many minutes. */
export const roundedTime = (at: Date, minutes: number): Date =>
  new Date(Math.floor(at.getTime() / (minutes * MINUTE_MS)) * minutes * MINUTE_MS);
