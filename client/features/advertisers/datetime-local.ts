import { MINUTE_MS } from '#shared/time.ts';
import { toLocalField } from '../../platform/admin/format.ts';

/**
 * Formats a time for a `datetime-local` field, in this device's time zone, rounded up to a full minute so that a free slot
 * stays free. At the end of daylight saving time, skips the repeated hour, which a field can't express.
 */
export function fieldTime(time: Date): string {
  const at = new Date(Math.ceil(time.getTime() / MINUTE_MS) * MINUTE_MS);
  const text = toLocalField(at.toISOString());
  return new Date(text) < at ? fieldTime(new Date(at.getTime() + MINUTE_MS)) : text;
}
