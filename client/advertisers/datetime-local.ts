const MINUTE_MS = 60_000;

const two = (number: number) => String(number).padStart(2, '0');

/**
 * A time as a `datetime-local` field has it, on this device's clock; the next full minute where it has seconds, so that a
 * time that is free from then on stays so. Of an hour that the clock shows twice a field means the first: the second is
 * passed over.
 */
export function fieldTime(time: Date): string {
  const at = new Date(Math.ceil(time.getTime() / MINUTE_MS) * MINUTE_MS);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const text = `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
  return new Date(text) < at ? fieldTime(new Date(at.getTime() + MINUTE_MS)) : text;
}
