import { MINUTE_MS } from '#shared/time.ts';

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
