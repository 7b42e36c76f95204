import { metersBetween, radians } from '#shared/place.ts';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import {
  CLOSEST_MAX_SECONDS,
  CLOSEST_STEP_SECONDS,
  RADIUS_METERS,
  shownFeet,
} from '#shared/proximity/rules.ts';
import { type ActiveUser, asNearby, type Neighbor } from './active-user.ts';
import { closestIn, COURSE_SECONDS, planarOffset } from './motion-filter.ts';

export type Course = Pick<NearbyUser, 'side' | 'closest_in_seconds'>;

/** Nearer than this, in meters, fixes don't tell directions. */
const SIDE_MIN_METERS = 6;
/** Half of the sector that counts as ahead, and as behind, in degrees. */
const HALF_SECTOR = 50;

/**
 * Returns when two people who meet are closest, and on which side of the viewer the other one is; decision 295. Both or neither are told of each:
 * a time while both courses are known, and a side while both walk.
 * @param now in milliseconds
 */
function courseOf(viewer: ActiveUser, other: ActiveUser, now: number): Course {
  const { motion: a } = viewer;
  const { motion: b } = other;
  const isKnown = a.isVelocityKnown && b.isVelocityKnown;
  const isRecent = now - Math.min(viewer.fixAt, other.fixAt) <= COURSE_SECONDS * 1000;
  const meters = metersBetween(viewer, other);
  if (!isKnown || !isRecent || meters > RADIUS_METERS) return {};
  const course: Course = {};
  const seconds = closestIn(a, b, now);
  if (seconds !== null && seconds <= CLOSEST_MAX_SECONDS)
    course.closest_in_seconds =
      Math.max(1, Math.ceil(seconds / CLOSEST_STEP_SECONDS)) * CLOSEST_STEP_SECONDS;
  if (a.isStandingStill || b.isStandingStill || meters < SIDE_MIN_METERS) return course;
  const { east, north } = planarOffset(viewer, other);
  const length = Math.hypot(east, north) * Math.hypot(a.east, a.north);
  const cosine = (east * a.east + north * a.north) / length;
  const isWithin = Math.abs(cosine) >= Math.cos(radians(HALF_SECTOR));
  course.side = isWithin ? (cosine > 0 ? 'ahead' : 'behind') : 'beside';
  return course;
}

/** Returns what each of two people who meet is told of the other. @param now in milliseconds */
export const coursesOf = (mover: ActiveUser, other: ActiveUser, now: number) => ({
  mover: courseOf(mover, other, now),
  other: courseOf(other, mover, now),
});

/** Returns users within the encounter radius as one of them sees the others. @param now in milliseconds */
export const asNearbyUsers = (
  viewer: ActiveUser,
  near: readonly Neighbor[],
  now: number,
): NearbyUser[] =>
  near.map(({ user, meters }) => ({
    ...asNearby(user.person, shownFeet(meters)),
    ...courseOf(viewer, user, now),
  }));
