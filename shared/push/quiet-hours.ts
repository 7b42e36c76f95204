import { DAY_MS, MINUTE_MS } from '../time.ts';

/** Whether this system knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en-US', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** Returns this device's time zone now, an IANA name; UTC if the device names none that exists, such as `Etc/Unknown`. */
export function deviceTimeZone(): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined;
  return zone && isTimeZone(zone) ? zone : 'UTC';
}

/** Minutes since midnight at a time, in a time zone. */
function minuteOfDay(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  return part('hour') * 60 + part('minute');
}

interface QuietHours {
  push_quiet: boolean;
  push_quiet_from: number;
  push_quiet_to: number;
  push_time_zone: string;
}

export const MINUTES_A_DAY = DAY_MS / MINUTE_MS;

/**
 * Returns the end of the quiet hours that a time is in, to the minute; null outside of them. They may pass midnight; if they
 * begin when they end, there are none. Where the clock changes before the end, it is an hour off.
 */
export function endOfQuietHours(
  at: Date,
  { push_quiet, push_quiet_from: from, push_quiet_to: to, push_time_zone }: QuietHours,
): Date | null {
  if (!push_quiet || from === to) return null;
  const now = minuteOfDay(at, push_time_zone);
  const isQuiet = from < to ? now >= from && now < to : now >= from || now < to;
  if (!isQuiet) return null;
  const minutes = (to - now + MINUTES_A_DAY) % MINUTES_A_DAY;
  return new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS + minutes * MINUTE_MS);
}
