import OpeningHours from 'opening_hours';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';

/** Longer texts are mistakes, and slow to read. */
const TEXT_MAX = 255;

/** Later changes aren't told. Without a limit, the library never returns while only the comment changes. */
const AHEAD_MS = 8 * DAY_MS;

const nextChange = (hours: OpeningHours, at: Date): Date | undefined =>
  hours.getNextChange(at, new Date(at.getTime() + AHEAD_MS));

/** Returns a text in OpenStreetMap's notation as it is stored; null if the library can't read it. */
export function readableHours(text: string | undefined): string | null {
  if (!text || text.length > TEXT_MAX) return null;
  try {
    // Some are read, but can't be told for a time.
    nextChange(new OpeningHours(text, null), new Date());
    return text;
  } catch {
    return null;
  }
}

/** Such hours need more than a clock. */
const BY_THE_SUN = /sun|dawn|dusk/i;

const clock = (at: Date): string =>
  `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;

/**
 * Returns whether something is open, by the clock of a place.
 * @param at any time; a change more than 8 days later isn't told
 * @param utcOffset of that clock, in minutes east of UTC
 */
export function openingAt(
  text: string | null,
  at: Date,
  utcOffset: number,
): { is_open: boolean | null; changes_at: string | null } {
  const unknown = { is_open: null, changes_at: null };
  if (text === null || BY_THE_SUN.test(text)) return unknown;
  // The library reads the clock of this process.
  const there = new Date(at.getTime() + (utcOffset + at.getTimezoneOffset()) * MINUTE_MS);
  try {
    // Without a country, public holidays count as other days.
    const hours = new OpeningHours(text, null);
    if (hours.getUnknown(there)) return unknown;
    const next = nextChange(hours, there);
    const isToday = next?.toDateString() === there.toDateString();
    const day = next?.toLocaleDateString('en-US', { weekday: 'short' });
    return {
      is_open: hours.getState(there),
      changes_at: next ? `${isToday ? '' : `${day} `}${clock(next)}` : null,
    };
  } catch {
    return unknown;
  }
}
