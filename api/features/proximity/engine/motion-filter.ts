import { METERS_PER_DEGREE, type Place, radians, wrapLongitude } from '#shared/place.ts';
import { RADIUS_METERS } from '#shared/proximity/rules.ts';

/**
 * No one is asked to report faster than this because of users of whom they have not been notified (decision 230): while one of
 * the two moves, and while both stand still.
 */
export const MOVING_SECONDS = 2;
export const STILL_SECONDS = 5;
/** How often users report while they see each other: both standing, or not coming closer. They come closer in `MOVING_SECONDS`. */
export const NEARBY_SECONDS = 10;
const NOT_CLOSING_SECONDS = 5;
/** How often users report while they drive, so that they count soon after they get out. */
export const DRIVING_SECONDS = 10;

/** A user whose report is this late is out of reach, and found when they are back. */
export const LATE_MS = 15_000;

/** Faster than people walk or run with a dog, in meters per second. */
export const MAX_SPEED = 7;
/** The speed that is assumed until it is known: a jogger's, with a margin. */
const UNKNOWN_SPEED = 3;
/** Slower than this, in meters per second, a person stands still. */
const STANDING_SPEED = 0.4;
/** Slower than this, in meters per second, two people are not approaching each other. */
const APPROACH_SPEED = 0.4;

/** The assumed accuracy of a fix that does not state it, in meters. */
const DEFAULT_ERROR = 3;
/** Process noise of a walker's velocity, in m²/s³: the lower, the smoother, and the later a turn is noticed. */
const PROCESS_NOISE = 0.03;
/** Variance of a velocity that the device states, in (m/s)². */
const STATED_VARIANCE = 0.16;
/** A velocity is known once its standard deviation per axis is below this, in m/s. */
const KNOWN_DEVIATION = 0.8;
/** A course is trusted for this long after the last fix. */
export const COURSE_SECONDS = 10;

export interface Fix extends Place {
  /** Milliseconds. */
  at: number;
  accuracy?: number | null;
  speed?: number | null;
  heading?: number | null;
}

/**
 * Estimates where a person is and how they move: a Kalman filter of constant velocity, whose two axes share one covariance.
 * A fix changes it in place.
 */
export class MotionFilter implements Place {
  latitude = 0;
  longitude = 0;
  /** When the estimate was true, in milliseconds. */
  at = 0;
  /** Velocity in meters per second. */
  east = 0;
  north = 0;
  /** Variance of the last fix, in m². */
  fixVariance = 0;
  /** The speed that the person may reach at any moment, in m/s. Stored, because a report in a crowd reads it hundreds of times. */
  maxSpeed = 0;
  #positionVariance = 0;
  #covariance = 0;
  #velocityVariance = 0;

  constructor(fix: Fix) {
    this.#restart(fix);
  }

  get isVelocityKnown(): boolean {
    return this.#velocityVariance < KNOWN_DEVIATION ** 2;
  }

  get isStandingStill(): boolean {
    return this.isVelocityKnown && Math.hypot(this.east, this.north) < STANDING_SPEED;
  }

  /** Adds a fix. One that was added already changes nothing; a jump that no walker makes restarts the filter. */
  add(fix: Fix): void {
    const seconds = (fix.at - this.at) / 1000;
    if (Math.abs(seconds) < 0.05) return;
    const fixVariance = varianceOf(fix);
    const jump = planarOffset(this, fix);
    const reach =
      MAX_SPEED * 1.2 * Math.abs(seconds) + 4 * Math.sqrt(fixVariance + this.#positionVariance);
    if (seconds < 0 || seconds > 120 || Math.hypot(jump.east, jump.north) > reach) {
      this.#restart(fix);
      return;
    }

    const east = jump.east - this.east * seconds;
    const north = jump.north - this.north * seconds;
    const positionVariance =
      this.#positionVariance +
      2 * seconds * this.#covariance +
      seconds ** 2 * this.#velocityVariance +
      (PROCESS_NOISE * seconds ** 3) / 3;
    const covariance =
      this.#covariance + seconds * this.#velocityVariance + (PROCESS_NOISE * seconds ** 2) / 2;
    const velocityVariance = this.#velocityVariance + PROCESS_NOISE * seconds;
    const positionGain = positionVariance / (positionVariance + fixVariance);
    const velocityGain = covariance / (positionVariance + fixVariance);
    this.#moveBy(
      this.east * seconds + positionGain * east,
      this.north * seconds + positionGain * north,
    );
    this.at = fix.at;
    this.east += velocityGain * east;
    this.north += velocityGain * north;
    this.#positionVariance = (1 - positionGain) * positionVariance;
    this.#covariance = (1 - positionGain) * covariance;
    this.#velocityVariance = velocityVariance - velocityGain * covariance;
    this.fixVariance = fixVariance;
    this.#addStatedVelocity(fix);
    this.maxSpeed = this.#computeMaxSpeed();
  }

  #restart(fix: Fix): void {
    this.latitude = fix.latitude;
    this.longitude = fix.longitude;
    this.at = fix.at;
    this.east = 0;
    this.north = 0;
    this.fixVariance = this.#positionVariance = varianceOf(fix);
    this.#covariance = 0;
    this.#velocityVariance = UNKNOWN_SPEED ** 2;
    this.#addStatedVelocity(fix);
    this.maxSpeed = this.#computeMaxSpeed();
  }

  /** Uses the velocity that the device states, unless no walker is that fast or it contradicts the fixes. */
  #addStatedVelocity(fix: Fix): void {
    const speed = fix.speed ?? -1;
    if (speed < 0 || speed > MAX_SPEED || !Number.isFinite(speed)) return;
    if (speed > 0 && !Number.isFinite(fix.heading ?? NaN)) return;
    const heading = radians(fix.heading ?? 0);
    const east = speed * Math.sin(heading) - this.east;
    const north = speed * Math.cos(heading) - this.north;
    const spread = this.#velocityVariance + STATED_VARIANCE;
    if (east * east + north * north > 12 * spread) return;
    const positionGain = this.#covariance / spread;
    const velocityGain = this.#velocityVariance / spread;
    this.#moveBy(positionGain * east, positionGain * north);
    this.east += velocityGain * east;
    this.north += velocityGain * north;
    this.#positionVariance -= positionGain * this.#covariance;
    this.#covariance -= velocityGain * this.#covariance;
    this.#velocityVariance -= velocityGain * this.#velocityVariance;
  }

  #moveBy(east: number, north: number): void {
    this.longitude = wrapLongitude(
      this.longitude + east / METERS_PER_DEGREE / Math.max(1e-6, Math.cos(radians(this.latitude))),
    );
    this.latitude += north / METERS_PER_DEGREE;
  }

  #computeMaxSpeed(): number {
    if (!this.isVelocityKnown) return UNKNOWN_SPEED;
    return Math.min(MAX_SPEED, Math.max(2, Math.hypot(this.east, this.north) * 1.3 + 0.5));
  }
}

const varianceOf = ({ accuracy }: Fix): number =>
  Math.min(20, Math.max(0.5, accuracy == null ? DEFAULT_ERROR : accuracy / 2)) ** 2;

/** Returns the way from one place to another in meters, on a plane: for neighbors only. */
export function planarOffset(from: Place, to: Place): { east: number; north: number } {
  return {
    east:
      wrapLongitude(to.longitude - from.longitude) *
      METERS_PER_DEGREE *
      Math.cos(radians((from.latitude + to.latitude) / 2)),
    north: (to.latitude - from.latitude) * METERS_PER_DEGREE,
  };
}

/** A place where a fix was taken at `fixAt`, in milliseconds. */
export interface FixedPlace extends Place {
  fixAt: number;
}

/** Returns the seconds until two people could be within the radius if both went straight at each other as fast as they may. */
export function earliestEntry(
  one: FixedPlace,
  { maxSpeed }: MotionFilter,
  other: FixedPlace,
  { maxSpeed: otherMaxSpeed }: MotionFilter,
  now: number,
  radius: number,
): number {
  const { east, north } = planarOffset(one, other);
  const moved = (maxSpeed * (now - one.fixAt) + otherMaxSpeed * (now - other.fixAt)) / 1000;
  return (Math.sqrt(east * east + north * north) - radius - moved) / (maxSpeed + otherMaxSpeed);
}

interface Approach {
  /** Seconds from `now` until the two are within the radius; null: never. */
  entersIn: number | null;
  /** Meters between them when they are closest. */
  closest: number;
}

/** Predicts how two people approach each other on their current courses. Times in milliseconds, the radius in meters. */
export function predictApproach(
  a: MotionFilter,
  b: MotionFilter,
  now: number,
  radius: number,
): Approach {
  const between = planarOffset(a, b);
  const secondsSinceA = (now - a.at) / 1000;
  const secondsSinceB = (now - b.at) / 1000;
  const x = between.east + b.east * secondsSinceB - a.east * secondsSinceA;
  const y = between.north + b.north * secondsSinceB - a.north * secondsSinceA;
  const vx = b.east - a.east;
  const vy = b.north - a.north;
  const speed2 = vx * vx + vy * vy;
  const along = x * vx + y * vy;
  const distance2 = x * x + y * y;
  const distance = Math.sqrt(distance2);
  if (-along <= APPROACH_SPEED * distance) return { entersIn: null, closest: distance };
  const closest2 = Math.max(0, distance2 - (along * along) / speed2);
  const inside2 = radius * radius - closest2;
  return {
    entersIn: inside2 < 0 ? null : Math.max(0, -along / speed2 - Math.sqrt(inside2 / speed2)),
    closest: Math.sqrt(closest2),
  };
}

/** Returns the seconds until two people are closest on their current courses; null if they don't approach. Times in milliseconds. */
export function closestIn(a: MotionFilter, b: MotionFilter, now: number): number | null {
  const between = planarOffset(a, b);
  const x = between.east + (b.east * (now - b.at) - a.east * (now - a.at)) / 1000;
  const y = between.north + (b.north * (now - b.at) - a.north * (now - a.at)) / 1000;
  const [vx, vy] = [b.east - a.east, b.north - a.north];
  const along = x * vx + y * vy;
  if (-along <= APPROACH_SPEED * Math.hypot(x, y)) return null;
  return -along / (vx * vx + vy * vy);
}

/** Whether two people come closer to each other, or may do so because it is not known how they move. */
function isClosing(a: MotionFilter, b: MotionFilter): boolean {
  if (!a.isVelocityKnown || !b.isVelocityKnown) return true;
  const { east, north } = planarOffset(a, b);
  const along = east * (b.east - a.east) + north * (b.north - a.north);
  return -along > APPROACH_SPEED * Math.hypot(east, north);
}

/** A person's last fix and the estimate of their motion. */
interface Moving extends FixedPlace {
  readonly motion: MotionFilter;
}

/** Whether two courses have led within the encounter radius, though the last fixes do not say so yet. */
export function isPredictedWithin(one: Moving, other: Moving, now: number): boolean {
  if (!one.motion.isVelocityKnown || !other.motion.isVelocityKnown) return false;
  if (now - Math.min(one.fixAt, other.fixAt) > COURSE_SECONDS * 1000) return false;
  const { entersIn } = predictApproach(one.motion, other.motion, now, RADIUS_METERS);
  return entersIn === 0 && isWithinPossible(one, other, now);
}

/** Whether the last fixes themselves, not only the smoothed courses, allow that two people are within the encounter radius. */
export function isWithinPossible(one: Moving, other: Moving, now: number): boolean {
  const { motion: a } = one;
  const { motion: b } = other;
  const { east, north } = planarOffset(one, other);
  const covered =
    (Math.hypot(a.east, a.north) * (now - one.fixAt) +
      Math.hypot(b.east, b.north) * (now - other.fixAt)) /
    1000;
  const uncertainty = Math.sqrt(a.fixVariance + b.fixVariance);
  return Math.hypot(east, north) - covered <= RADIUS_METERS + 1 + uncertainty;
}

/** Returns in how many seconds two users who see each other must report again. */
export function secondsTogether(one: MotionFilter, other: MotionFilter): number {
  if (one.isStandingStill && other.isStandingStill) return NEARBY_SECONDS;
  return isClosing(one, other) ? MOVING_SECONDS : NOT_CLOSING_SECONDS;
}
