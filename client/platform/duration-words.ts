import { MINUTE_MS } from '#shared/time.ts';

/** `from`: the number of seconds from which the unit is used; longest first. */
const UNITS = [
  { seconds: 86_400, from: 172_800, unit: 'day' },
  { seconds: 3_600, from: 5_400, unit: 'hour' },
  { seconds: 60, from: 60, unit: 'minute' },
] as const;

/** Formats a duration, from seconds to days, such as '4 minutes'. */
export function durationWords(milliseconds: number): string {
  const length = Math.round(milliseconds / 1000);
  const { seconds, unit } = UNITS.find(({ from }) => length >= from) ?? {
    seconds: 1,
    unit: 'second',
  };
  const count = Math.round(length / seconds);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/**
 * Formats an age given in milliseconds.
 * @param roundedMs by how much its time may have been rounded down: a younger age is no more than recent
 */
export function ageWords(age: number, roundedMs = 0): string {
  if (age < roundedMs) return 'recently';
  return age < MINUTE_MS ? 'just now' : `${durationWords(age)} ago`;
}
