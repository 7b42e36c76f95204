import { METRES_PER_DEGREE, type Place } from '#shared/place.ts';
import { NumberRows } from './number-rows.ts';

/** Nobody walks a dog faster; what is faster was carried, or made up. Metres per second. */
export const FASTEST = 7;
/** Of somebody whose speed we do not know yet: a jogger with something to spare. */
const UNKNOWN_SPEED = 3;

/** What is assumed of a fix that does not tell its accuracy; metres. */
const DEFAULT_ERROR = 3;
/** How much a walker's velocity wanders, in m²/s³: the lower, the smoother and the later a turn is seen. */
const WANDER = 0.03;
/** Variance of a velocity that the device states, (m/s)². */
const STATED_VARIANCE = 0.16;
/** A velocity is known once its standard deviation per axis is below this, in m/s. */
const KNOWN_DEVIATION = 0.8;

export interface Fix extends Place {
  /** Milliseconds. */
  at: number;
  accuracy?: number | null;
  speed?: number | null;
  heading?: number | null;
}

/** Where all of the tracks of one engine keep their numbers. */
export const trackRows = (): NumberRows => new NumberRows(10);

/** A course: where somebody is thought to be at a time, moving how. */
export class Track implements Place {
  readonly #rows: NumberRows;
  readonly #row: number;

  /** Of somebody of whom one fix is known. */
  constructor(rows: NumberRows, fix: Fix) {
    this.#rows = rows;
    this.#row = rows.take();
    this.start(fix);
  }

  /** Its numbers are another's from now on. */
  end(): void {
    this.#rows.giveBack(this.#row);
  }

  /** Begins anew: all that is known is this fix. */
  start(fix: Fix): void {
    this.latitude = fix.latitude;
    this.longitude = fix.longitude;
    this.at = fix.at;
    this.east = 0;
    this.north = 0;
    this.pp = variance(fix);
    this.pv = 0;
    this.vv = UNKNOWN_SPEED ** 2;
    this.error = variance(fix);
    believeStated(this, fix);
    this.possible = possibleSpeed(this);
  }

  get latitude(): number {
    return this.#rows.get(this.#row, 0);
  }
  set latitude(value: number) {
    this.#rows.set(this.#row, 0, value);
  }

  get longitude(): number {
    return this.#rows.get(this.#row, 1);
  }
  set longitude(value: number) {
    this.#rows.set(this.#row, 1, value);
  }

  /** When that is, in milliseconds. */
  get at(): number {
    return this.#rows.get(this.#row, 2);
  }
  set at(value: number) {
    this.#rows.set(this.#row, 2, value);
  }

  /** Metres per second. */
  get east(): number {
    return this.#rows.get(this.#row, 3);
  }
  set east(value: number) {
    this.#rows.set(this.#row, 3, value);
  }

  get north(): number {
    return this.#rows.get(this.#row, 4);
  }
  set north(value: number) {
    this.#rows.set(this.#row, 4, value);
  }

  /** Covariance of position and velocity along one axis (both axes share it). */
  get pp(): number {
    return this.#rows.get(this.#row, 5);
  }
  set pp(value: number) {
    this.#rows.set(this.#row, 5, value);
  }

  get pv(): number {
    return this.#rows.get(this.#row, 6);
  }
  set pv(value: number) {
    this.#rows.set(this.#row, 6, value);
  }

  get vv(): number {
    return this.#rows.get(this.#row, 7);
  }
  set vv(value: number) {
    this.#rows.set(this.#row, 7, value);
  }

  /** Variance of the last fix, m². */
  get error(): number {
    return this.#rows.get(this.#row, 8);
  }
  set error(value: number) {
    this.#rows.set(this.#row, 8, value);
  }

  /** `possibleSpeed` of it, which hundreds of others ask for between its changes. */
  get possible(): number {
    return this.#rows.get(this.#row, 9);
  }
  set possible(value: number) {
    this.#rows.set(this.#row, 9, value);
  }
}

export const radians = (degrees: number) => (degrees * Math.PI) / 180;
/** A longitude from -180 to 180 degrees. Two neighbors are hardly ever on either side of the date line, and a remainder is slow. */
export const wrapped = (degrees: number): number =>
  degrees >= -180 && degrees < 180 ? degrees : ((((degrees + 180) % 360) + 360) % 360) - 180;
const variance = (fix: Fix) =>
  Math.min(20, Math.max(0.5, fix.accuracy == null ? DEFAULT_ERROR : fix.accuracy / 2)) ** 2;

/** From one place to another in metres, on a plane: for neighbours only. */
export function offset(from: Place, to: Place): { east: number; north: number } {
  return {
    east:
      wrapped(to.longitude - from.longitude) *
      METRES_PER_DEGREE *
      Math.cos(radians((from.latitude + to.latitude) / 2)),
    north: (to.latitude - from.latitude) * METRES_PER_DEGREE,
  };
}

/** A stated speed that no walker has is ignored; so is one that the track contradicts. */
function believeStated(track: Track, fix: Fix): void {
  const speed = fix.speed ?? -1;
  if (speed < 0 || speed > FASTEST || !Number.isFinite(speed)) return;
  if (speed > 0 && !Number.isFinite(fix.heading ?? NaN)) return;
  const heading = radians(fix.heading ?? 0);
  const east = speed * Math.sin(heading) - track.east;
  const north = speed * Math.cos(heading) - track.north;
  const spread = track.vv + STATED_VARIANCE;
  if (east * east + north * north > 12 * spread) return;
  const gainP = track.pv / spread;
  const gainV = track.vv / spread;
  moveBy(track, gainP * east, gainP * north);
  track.east += gainV * east;
  track.north += gainV * north;
  track.pp -= gainP * track.pv;
  track.pv -= gainV * track.pv;
  track.vv -= gainV * track.vv;
}

function moveBy(track: Track, east: number, north: number): void {
  track.longitude = wrapped(
    track.longitude + east / METRES_PER_DEGREE / Math.max(1e-6, Math.cos(radians(track.latitude))),
  );
  track.latitude += north / METRES_PER_DEGREE;
}

/**
 * Takes one more fix into a course: a Kalman filter of constant velocity. A jump that no walker makes starts the course anew;
 * a fix that we had already changes nothing.
 */
export function follow(track: Track, fix: Fix): void {
  const seconds = (fix.at - track.at) / 1000;
  if (Math.abs(seconds) < 0.05) return;
  const error = variance(fix);
  const jump = offset(track, fix);
  const reach = FASTEST * 1.2 * Math.abs(seconds) + 4 * Math.sqrt(error + track.pp);
  if (seconds < 0 || seconds > 120 || Math.hypot(jump.east, jump.north) > reach) {
    track.start(fix);
    return;
  }

  const east = jump.east - track.east * seconds;
  const north = jump.north - track.north * seconds;
  const pp =
    track.pp + 2 * seconds * track.pv + seconds ** 2 * track.vv + (WANDER * seconds ** 3) / 3;
  const pv = track.pv + seconds * track.vv + (WANDER * seconds ** 2) / 2;
  const vv = track.vv + WANDER * seconds;
  const gainP = pp / (pp + error);
  const gainV = pv / (pp + error);
  moveBy(track, track.east * seconds + gainP * east, track.north * seconds + gainP * north);
  track.at = fix.at;
  track.east += gainV * east;
  track.north += gainV * north;
  track.pp = (1 - gainP) * pp;
  track.pv = (1 - gainP) * pv;
  track.vv = vv - gainV * pv;
  track.error = error;
  believeStated(track, fix);
  track.possible = possibleSpeed(track);
}

/** Whether the velocity says something. */
export const isKnown = (track: Track): boolean => track.vv < KNOWN_DEVIATION ** 2;

/** Slower than this somebody stands; meters per second. */
const STANDING_SPEED = 0.4;

/** Whether somebody is known to stand still. */
export const isStanding = (track: Track): boolean =>
  isKnown(track) && Math.hypot(track.east, track.north) < STANDING_SPEED;

/** The speed that somebody may take up from one moment to the next, in m/s: what we saw and something to spare. */
function possibleSpeed(track: Track): number {
  if (!isKnown(track)) return UNKNOWN_SPEED;
  return Math.min(FASTEST, Math.max(2, Math.hypot(track.east, track.north) * 1.3 + 0.5));
}

/** Of somebody with a track; the fix is where it was measured, not where the track is thought to be. */
export interface Fixed extends Place {
  fixAt: number;
}

/** Seconds until two people could be within the radius if both went as fast as they may, straight at each other. */
export function soonest(
  one: Fixed,
  itsTrack: Track,
  other: Fixed,
  othersTrack: Track,
  now: number,
  radius: number,
): number {
  const { east, north } = offset(one, other);
  const speed = itsTrack.possible;
  const othersSpeed = othersTrack.possible;
  const moved = (speed * (now - one.fixAt) + othersSpeed * (now - other.fixAt)) / 1000;
  return (Math.sqrt(east * east + north * north) - radius - moved) / (speed + othersSpeed);
}

/** Slower than this, in m/s, two people are not approaching each other. */
const APPROACHING = 0.4;

export interface Course {
  /** Seconds from `now` until they are within the radius, if they keep their courses; null: never. */
  entersIn: number | null;
  /** Metres between them when they are closest. */
  closest: number;
}

/** How two people meet if both go on as they do. Times in milliseconds, the radius in metres. */
export function course(a: Track, b: Track, now: number, radius: number): Course {
  const apart = offset(a, b);
  const sinceA = (now - a.at) / 1000;
  const sinceB = (now - b.at) / 1000;
  const x = apart.east + b.east * sinceB - a.east * sinceA;
  const y = apart.north + b.north * sinceB - a.north * sinceA;
  const vx = b.east - a.east;
  const vy = b.north - a.north;
  const speed2 = vx * vx + vy * vy;
  const along = x * vx + y * vy;
  const distance2 = x * x + y * y;
  const distance = Math.sqrt(distance2);
  if (-along <= APPROACHING * distance) return { entersIn: null, closest: distance };
  const closest2 = Math.max(0, distance2 - (along * along) / speed2);
  const inside2 = radius * radius - closest2;
  return {
    entersIn: inside2 < 0 ? null : Math.max(0, -along / speed2 - Math.sqrt(inside2 / speed2)),
    closest: Math.sqrt(closest2),
  };
}
