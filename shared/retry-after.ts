import { DAY_MS } from './time.ts';

/** Longer waits are not believed. */
const LONGEST_MS = DAY_MS;

const SECONDS = /^\d+$/;
/** The three forms of a date in HTTP (RFC 9110, 5.6.7); the last one has no zone and means UTC. */
const DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
];
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [\d ]\d \d{2}:\d{2}:\d{2} \d{4}$/;

function timeOf(date: string): number {
  if (DATES.some((form) => form.test(date))) return Date.parse(date);
  return ASCTIME.test(date) ? Date.parse(`${date} GMT`) : NaN;
}

/**
 * Reads Retry-After, which is a number of seconds or a date (RFC 9110, 10.2.3).
 * @returns how long to wait in milliseconds, at most a day; null if the header is missing or neither. A date counts from the sender's
 * clock (Date), if it sent that
 */
export function retryAfterMs(headers: { get(name: string): string | null }): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  const wait = SECONDS.test(value)
    ? Number(value) * 1000
    : timeOf(value) - (timeOf(headers.get('date')?.trim() ?? '') || Date.now());
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), LONGEST_MS);
}
