import { METERS_PER_FOOT } from '../place.ts';

export const DOG_ID_MAX = 64;

/** Two users meet when their last positions are within this distance. */
export const RADIUS_FEET = 100;
export const RADIUS_METERS = RADIUS_FEET * METERS_PER_FOOT;
/** Maximum number of users in an answer. Users with a dog that needs space come first, then the nearest. */
export const NEARBY_MAX = 20;
/** A position that is older than this is ignored. */
export const STALE_SECONDS = 120;
/** Two users are notified of each other at most this often. */
export const REPEAT_SECONDS = 30;

/**
 * Positions with a worse accuracy than this, in meters, trigger no encounters. Satellites and Wi-Fi are within it; positions by
 * cell or IP address are not, and can put the users of half a town on one spot.
 */
const ACCURACY_MAX_METERS = 100;

/** Whether a position is too inaccurate for warnings. One without an accuracy is not. */
export const isTooRough = ({ accuracy }: { accuracy?: number | null }): boolean =>
  (accuracy ?? 0) > ACCURACY_MAX_METERS;

/** How often a device reports when no one is near. */
export const POLL_SECONDS = 30;
/** Options of the device's geolocation: how long to wait for a fix, and its maximum age. */
export const FIX_TIMEOUT_SECONDS = 10;
export const FIX_MAX_AGE_SECONDS = 30;

/** The only values of `next_update_seconds`, so that it reveals no distance. */
const CADENCE_STEPS = [1, 2, 5, 10, 20, POLL_SECONDS] as const;

/** Rounds seconds down to a step; at least to the shortest one. */
export function cadenceStep(seconds: number): number {
  let chosen: number = CADENCE_STEPS[0];
  for (const step of CADENCE_STEPS) if (step <= seconds) chosen = step;
  return chosen;
}

/** How long after an encounter it can be answered. */
export const ANSWER_SECONDS = 180;
/** How long an answer is shown, and changes the advice: after that, nobody is still crossing or waiting. */
export const ANSWER_SHOWN_SECONDS = 60;
/** How often one walker can answer another one within `ANSWER_SECONDS`. */
export const ANSWERS_MAX = 5;
/** The steps of the time until two people are closest. */
export const CLOSEST_STEP_SECONDS = 5;
/** A later time isn't said. */
export const CLOSEST_MAX_SECONDS = 30;

/** The steps of a distance as users see it. */
export const DISTANCE_STEP_FEET = 10;

/**
 * Returns a distance as users see it: in feet, rounded up to ten. No one is shown at 0 ft, no one within the radius is shown
 * beyond it, and no answer reveals a distance more precisely than to ten feet.
 */
export function shownFeet(meters: number): number {
  const steps = Math.ceil(meters / METERS_PER_FOOT / DISTANCE_STEP_FEET - 1e-6);
  return Math.max(1, steps) * DISTANCE_STEP_FEET;
}

/** The widest alert radius. */
export const WIDEST_FEET = 500;
/** Alerts about people who are farther away than this are ignored; in feet. */
export const ALERT_RADIUS = { min: 10, max: WIDEST_FEET, usual: RADIUS_FEET } as const;

/**
 * Returns the radius within which users with this alert radius see others. It is rounded to the steps of distances, so that
 * trying radii reveals no distance more precisely, and is at least the encounter radius.
 */
export const displayRadiusFeet = (radiusFeet: number): number =>
  Math.min(
    WIDEST_FEET,
    Math.max(RADIUS_FEET, Math.ceil(radiusFeet / DISTANCE_STEP_FEET) * DISTANCE_STEP_FEET),
  );

/** The outer edges of the bands in which distances beyond the encounter radius are shown. */
const BANDS_FEET = [250, 500];

/**
 * Returns the band of a distance beyond the encounter radius: its outer edge in feet.
 * @param meters from a coarse location
 * @param radiusFeet the caller's own radius, which no band exceeds
 */
export const bandFeet = (meters: number, radiusFeet: number): number =>
  Math.min(radiusFeet, BANDS_FEET.find((edge) => meters <= edge * METERS_PER_FOOT) ?? WIDEST_FEET);
