import { METERS_PER_FOOT } from '../place.ts';

/** People meet when their last positions are within this circle. */
export const RADIUS_FEET = 100;
export const RADIUS_METERS = RADIUS_FEET * METERS_PER_FOOT;
/** At most so many people in one answer, nearest first; those with a dog that needs space before it is too full. */
export const NEARBY_MAX = 20;
/** A position that was not renewed for so long counts for nobody. */
export const STALE_SECONDS = 120;
/** The same two people are told of each other at most this often. */
export const REPEAT_SECONDS = 30;

/**
 * A position whose device knows it no better than this, in meters, makes nobody meet. Within a hundred meters lie those that satellites
 * or the Wi-Fi around gave, mostly much better than they promise; beyond it those by cell or by address, which put strangers of half a town
 * on one spot. At twice the circle's width more would be left to chance than is known.
 */
const ROUGHEST_METERS = 100;

/** Whether a position is too rough to warn by. A device that tells no accuracy is believed. */
export const isTooRough = ({ accuracy }: { accuracy?: number | null }): boolean =>
  (accuracy ?? 0) > ROUGHEST_METERS;

/** How often a device reports when nobody is near. */
export const POLL_SECONDS = 30;
/** What a device asks of its geolocation: a fix within so long, and none older than that. */
export const FIX_TIMEOUT_SECONDS = 10;
export const FIX_MAX_AGE_SECONDS = 30;

/** The only values of `next_update_seconds`, so that it gives no distance away. */
const CADENCE_STEPS = [1, 2, 5, 10, 20, POLL_SECONDS] as const;

/** The longest wait among the steps that does not exceed `seconds`; at least the shortest step. */
export function cadenceStep(seconds: number): number {
  let chosen: number = CADENCE_STEPS[0];
  for (const step of CADENCE_STEPS) if (step <= seconds) chosen = step;
  return chosen;
}

const DISTANCE_STEP_FEET = 10;

/**
 * A distance as people see it: in feet, rounded up to a step of ten. So nobody ahead is shown at 0,
 * nobody within the radius is shown beyond it, and no answer tells a distance better than to ten feet.
 */
export function shownFeet(meters: number): number {
  const steps = Math.ceil(meters / METERS_PER_FOOT / DISTANCE_STEP_FEET - 1e-6);
  return Math.max(1, steps) * DISTANCE_STEP_FEET;
}

/** The widest alert radius that anybody may have. */
export const WIDEST_FEET = 500;

/**
 * The circle in which somebody with this alert radius is told of others: in the steps of distances, so that trying out
 * radii tells no distance better, and never smaller than the one in which people meet.
 */
export const displayRadiusFeet = (radiusFeet: number): number =>
  Math.min(
    WIDEST_FEET,
    Math.max(RADIUS_FEET, Math.ceil(radiusFeet / DISTANCE_STEP_FEET) * DISTANCE_STEP_FEET),
  );

/** Distances beyond the circle in which both are notified are shown in these bands. */
const BANDS_FEET = [250, 500];

/**
 * The band of a distance beyond the circle, as people see it: its outer edge in feet.
 * @param meters from a coarse location
 * @param radiusFeet the caller's own radius, which no band exceeds
 */
export const bandFeet = (meters: number, radiusFeet: number): number =>
  Math.min(radiusFeet, BANDS_FEET.find((edge) => meters <= edge * METERS_PER_FOOT) ?? WIDEST_FEET);
