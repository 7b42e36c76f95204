const two = (number: number) => String(number).padStart(2, '0');

/**
 * A time as a `datetime-local` field has it, on this device's clock; the next full minute where it has seconds, so that a
 * time that is free from then on stays so.
 */
export function fieldTime(time: Date): string {
  const at = new Date(Math.ceil(time.getTime() / 60_000) * 60_000);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
