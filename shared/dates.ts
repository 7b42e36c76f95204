import { HOUR_MS } from './time.ts';

/** An ISO string, or milliseconds since 1970. */
type Time = string | number | Date;

/** Tells time zones apart without asking for the name of the current one, which takes a phone 100 ms. */
function zoneNow(): string {
  const year = new Date().getFullYear();
  return [0, 3, 6, 9].map((month) => new Date(year, month, 1).getTimezoneOffset()).join();
}

/**
 * Formats are in the reader's language and time zone by default. Each is created on first use, because that is slow on
 * phones, and again after the reader has traveled to another zone.
 */
const formatter = (options: Intl.DateTimeFormatOptions, locale?: string) => {
  let format: Intl.DateTimeFormat | undefined;
  let zone = '';
  return (time: Time): string => {
    const now = zoneNow();
    if (!format || zone !== now) format = new Intl.DateTimeFormat(locale, options);
    zone = now;
    return format.format(new Date(time));
  };
};

/** 'Nov 21, 2026' */
export const formatDate = formatter({ dateStyle: 'medium' });
/** 'November 21, 2026' */
export const formatLongDate = formatter({ dateStyle: 'long' });
/** 'Sat, Nov 21, 2026' */
export const formatWeekdayDate = formatter({
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
});
/** 'Nov 21' */
export const formatDay = formatter({ month: 'short', day: 'numeric' });
/** 'November 2026' */
export const formatMonth = formatter({ month: 'long', year: 'numeric' });
/** 'Saturday' */
export const formatWeekday = formatter({ weekday: 'long' });
/** '10 AM' */
export const formatHour = formatter({ hour: 'numeric' });
/** '10:42 AM' */
export const formatTime = formatter({ timeStyle: 'short' });
/** 'Sat 10:42 AM' */
export const formatWeekdayTime = formatter({
  weekday: 'short',
  hour: 'numeric',
  minute: '2-digit',
});
/** 'Nov 21, 2026, 10:42 AM' */
export const formatDateTime = formatter({ dateStyle: 'medium', timeStyle: 'short' });
/** 'Nov 21, 2026' @param day such as '2026-11-21', which is the same in all time zones */
export const formatCalendarDate = (day: string): string => formatDate(`${day}T00:00`);
/** 'Nov 21', in UTC */
export const formatUtcDay = formatter({ month: 'short', day: 'numeric', timeZone: 'UTC' }, 'en-US');
/** 'November 21, 2026', in UTC: for emails */
export const formatUtcDate = formatter({ dateStyle: 'long', timeZone: 'UTC' }, 'en-US');

/** 'Sun, Nov 22, 2026, 10:00 AM EST' @param zone by default the reader's */
export const formatDateTimeInZone = (time: Time, zone?: string): string =>
  new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(zone ? { timeZone: zone } : {}),
  }).format(new Date(time));

/** '1 hour', '4 hours' */
export const formatHours = (hours: number): string => (hours === 1 ? '1 hour' : `${hours} hours`);

/** A length of time in whole hours, one at least, or from two days on in days. */
export function formatLength(ms: number): string {
  const hours = Math.max(1, Math.round(ms / HOUR_MS));
  return hours < 48 ? formatHours(hours) : `${Math.round(hours / 24)} days`;
}
