const MINUTE_MS = 60_000;

const two = (number: number) => String(number).padStart(2, '0');

/**
 * Formats a time for a `datetime-local` field, in this device's time zone, rounded up to a full minute so that a free slot
 * stays free. At the end of daylight saving time, skips the repeated hour, which a field can't express.
 */
export function fieldTime(time: Date): string {
  const at = new Date(Math.ceil(time.getTime() / MINUTE_MS) * MINUTE_MS);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const text = `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
  return new Date(text) < at ? fieldTime(new Date(at.getTime() + MINUTE_MS)) : text;
}
