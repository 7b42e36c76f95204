import { durationOf, type Walk } from '../walk.ts';

export interface WalkTotals {
  count: number;
  durationMs: number;
  distanceMeters: number;
}

export interface Week extends WalkTotals {
  /** The midnight before its Monday, in local time. */
  startsAt: number;
}

/** Returns the midnight before the Monday of a time's week, some weeks later or earlier, in local time. */
function weekOf(time: number, offset = 0): number {
  const day = new Date(time);
  const monday = day.getDate() - ((day.getDay() + 6) % 7) + 7 * offset;
  return new Date(day.getFullYear(), day.getMonth(), monday).getTime();
}

/** Adds up walks. @param now for an active walk */
export function totalsOf(walks: readonly Walk[], now: number): WalkTotals {
  let durationMs = 0;
  let distanceMeters = 0;
  for (const walk of walks) {
    durationMs += durationOf(walk, now);
    distanceMeters += walk.distanceMeters;
  }
  return { count: walks.length, durationMs, distanceMeters };
}

/** Returns the last weeks, this one first; those before the first walk are left out. */
export function weeksOf(walks: readonly Walk[], now: number, count: number): Week[] {
  const first = Math.min(now, ...walks.map(({ startedAt }) => startedAt));
  return Array.from({ length: count }, (_, ago) => ({
    startsAt: weekOf(now, -ago),
    endsAt: weekOf(now, 1 - ago),
  }))
    .filter(({ endsAt }) => endsAt > first)
    .map(({ startsAt, endsAt }) => ({
      startsAt,
      ...totalsOf(
        walks.filter(({ startedAt }) => startedAt >= startsAt && startedAt < endsAt),
        now,
      ),
    }));
}
