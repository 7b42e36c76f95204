import {
  formatDate,
  formatDateTime,
  formatDay,
  formatTime,
  formatWeekday,
  formatWeekdayDate,
} from '#shared/dates.ts';
import { DAY_MS } from '#shared/time.ts';

/** Days are counted by the calendar that holds here: two a year are an hour longer or shorter. @param time in milliseconds */
export function dayNumber(time: number): number {
  const here = new Date(time);
  return Date.UTC(here.getFullYear(), here.getMonth(), here.getDate()) / DAY_MS;
}

/** A day of the last week in a word: 'Today', 'Yesterday', 'Friday'; null of others. */
function nearDay(at: string, now: number): string | null {
  const ago = dayNumber(now) - dayNumber(Date.parse(at));
  if (ago === 0) return 'Today';
  if (ago === 1) return 'Yesterday';
  return ago > 1 && ago < 7 ? formatWeekday(at) : null;
}

/** What a day is called: 'Today', 'Yesterday', 'Friday' within a week, else such as 'Fri, Nov 20, 2026'. */
export const dayName = (at: string, now: number): string =>
  nearDay(at, now) ?? formatWeekdayDate(at);

const isToday = (at: string) => dayNumber(Date.parse(at)) === dayNumber(Date.now());

/** When a message was written: the time of day, with the day where that is another. */
export const stampWords = (at: string): string =>
  isToday(at) ? formatTime(at) : formatDateTime(at);

const isThisYear = (at: string) => new Date(at).getFullYear() === new Date().getFullYear();

/** As `stampWords`, as short as a list wants it: 'Nov 21', and with the year where that is another. */
export const briefWords = (at: string): string =>
  isToday(at)
    ? formatTime(at)
    : (nearDay(at, Date.now()) ?? (isThisYear(at) ? formatDay(at) : formatDate(at)));
