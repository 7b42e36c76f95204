/** A moment with the zone that it is told in, such as 'Sun, Nov 22, 2026, 10:00 AM EST'. @param zone by default one's own */
export const momentText = (time: Date, zone?: string): string =>
  new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(zone ? { timeZone: zone } : {}),
  }).format(time);

/** '1 hour', '4 hours'. */
export const hoursText = (hours: number): string => (hours === 1 ? '1 hour' : `${hours} hours`);

const HOUR_MS = 3_600_000;

/** A length of time in whole hours, one at least, or from two days on in days. */
export function lengthText(ms: number): string {
  const hours = Math.max(1, Math.round(ms / HOUR_MS));
  return hours < 48 ? hoursText(hours) : `${Math.round(hours / 24)} days`;
}
