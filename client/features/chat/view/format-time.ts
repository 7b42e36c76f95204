import {
  formatDate,
  formatDateTime,
  formatDay,
  formatTime,
  formatWeekday,
  formatWeekdayDate,
} from '#shared/dates.ts';
import { DAY_MS } from '#shared/time.ts';

/** Returns the number of the local calendar day, which is right across time changes. @param time in ms */
export function dayNumber(time: number): number {
  const here = new Date(time);
  return Date.UTC(here.getFullYear(), here.getMonth(), here.getDate()) / DAY_MS;
}

/** Names a day of the last week: 'Today', 'Yesterday', 'Friday'; null for others. */
function nearDay(at: string, now: number): string | null {
  const ago = dayNumber(now) - dayNumber(Date.parse(at));
  if (ago === 0) return 'Today';
  if (ago === 1) return 'Yesterday';
  return ago > 1 && ago < 7 ? formatWeekday(at) : null;
}

/** Names a day: 'Today', 'Yesterday', 'Friday' within a week, otherwise 'Fri, Nov 20, 2026'. */
export const dayName = (at: string, now: number): string =>
  nearDay(at, now) ?? formatWeekdayDate(at);

const isToday = (at: string) => dayNumber(Date.parse(at)) === dayNumber(Date.now());

/** Formats the time of a message, with the day unless it is today. */
export const stampWords = (at: string): string =>
  isToday(at) ? formatTime(at) : formatDateTime(at);

const isThisYear = (at: string) => new Date(at).getFullYear() === new Date().getFullYear();

/** As `stampWords`, shorter for lists: 'Nov 21', with the year unless it is the current one. */
export const briefWords = (at: string): string =>
  isToday(at)
    ? formatTime(at)
    : (nearDay(at, Date.now()) ?? (isThisYear(at) ? formatDay(at) : formatDate(at)));
