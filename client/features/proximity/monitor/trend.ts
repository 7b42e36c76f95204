import type { NearbyUser } from '#shared/proximity/contract.ts';
import { RADIUS_FEET } from '#shared/proximity/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';

type Trend = 'approaching' | 'leaving' | 'steady';

interface DistanceSample {
  /** As the API returns it: in steps of 10 ft, or the outer edge of a band. */
  feet: number;
  /** When it was received, in milliseconds since 1970. */
  at: number;
}

/** A nearby user with the distances received so far. */
export interface FollowedUser extends NearbyUser {
  trend: Trend;
  /** Of the last minute, oldest first. */
  distances: readonly DistanceSample[];
}

/** Two steps: inaccurate positions alone make a distance alternate between two neighboring steps. */
const CHANGE_FEET = 20;
/** At one foot per second, slower than anyone walks, the distance changes by two steps. */
const WINDOW_MS = 20_000;
/** Longer than the slowest reports. */
const KEEP_MS = MINUTE_MS;

/**
 * Returns whether two people are getting closer.
 * @param samples the distances received so far, oldest first
 */
export function trendOf(samples: readonly DistanceSample[]): Trend {
  const last = samples.at(-1);
  if (!last) return 'steady';
  // A band beyond the encounter radius is too wide to compare with another band.
  const comparable = samples.filter(({ feet }) => feet <= RADIUS_FEET || last.feet <= RADIUS_FEET);
  const recent = comparable.filter(({ at }) => at >= last.at - WINDOW_MS);
  // Reports may be farther apart than the window.
  const window = recent.length > 1 ? recent : comparable.slice(-2);
  let [nearest, farthest] = [last, last];
  for (const sample of window) {
    if (sample.feet <= nearest.feet) nearest = sample;
    if (sample.feet >= farthest.feet) farthest = sample;
  }
  const isCloser = farthest.feet - last.feet >= CHANGE_FEET;
  const isFarther = last.feet - nearest.feet >= CHANGE_FEET;
  // After a turn, the change since the turn counts.
  if (isCloser && isFarther) return farthest.at > nearest.at ? 'approaching' : 'leaving';
  if (isCloser) return 'approaching';
  return isFarther ? 'leaving' : 'steady';
}

/** Adds the distances of an answer or event to those received before. @param now milliseconds since 1970 */
export const followUsers = (
  before: readonly FollowedUser[],
  users: readonly NearbyUser[],
  now: number,
): FollowedUser[] =>
  users.map((user) => {
    const known = before.find(({ user_id }) => user_id === user.user_id)?.distances ?? [];
    const kept = known.filter(({ at }) => at <= now && at > now - KEEP_MS);
    const distances = [...kept, { feet: user.distance_feet, at: now }];
    return { ...user, distances, trend: trendOf(distances) };
  });
