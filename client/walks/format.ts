import { feetOf, formatMiles } from '#shared/distance.ts';
import { METERS_PER_MILE, milesOf } from '#shared/place.ts';
import { MINUTE_MS } from '#shared/time.ts';

/** '1.4 miles'; less than a tenth of a mile as '320 feet' */
export const formatWalkDistance = (meters: number): string =>
  meters < METERS_PER_MILE / 10 ? `${feetOf(meters)} feet` : formatMiles(milesOf(meters));

/** '42 min', '1 h 5 min'; less than a minute as '35 s' */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < MINUTE_MS) return `${Math.floor(ms / 1000)} s`;
  const minutes = Math.floor(ms / MINUTE_MS);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return `${minutes} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** '1 walk', '3 walks' */
export const formatWalks = (count: number): string => `${count} ${count === 1 ? 'walk' : 'walks'}`;
