import { metersOf } from '../distance.ts';
import { METERS_PER_DEGREE, METERS_PER_FOOT, metersBetween, type Place } from '../place.ts';
import { ALERT_RADIUS } from '../proximity/rules.ts';
import type { Units } from '../units.ts';

/** Parses an alert radius: whole feet, or the default if it is not a number. @returns null if it is out of bounds */
export function radiusOf(typed: string): number | null {
  const radius = typed.trim() === '' ? NaN : Number(typed);
  if (!Number.isFinite(radius)) return ALERT_RADIUS.usual;
  const feet = Math.round(radius);
  return feet >= ALERT_RADIUS.min && feet <= ALERT_RADIUS.max ? feet : null;
}

/** How an alert radius is entered: whole feet or whole meters. */
export function alertRadiusIn({ system }: Units) {
  const isMetric = system === 'metric';
  const shown = (feet: number) => (isMetric ? Math.round(metersOf(feet)) : feet);
  return {
    min: shown(ALERT_RADIUS.min),
    max: shown(ALERT_RADIUS.max),
    usual: shown(ALERT_RADIUS.usual),
    shown,
    /** Parses an entry. @returns feet; null if it is out of bounds */
    feetOf: (typed: string) =>
      radiusOf(isMetric && typed.trim() !== '' ? String(Number(typed) / METERS_PER_FOOT) : typed),
  };
}

/** 0 is silent, 1 as loud as the device is set to. */
export const VOLUME = { min: 0, max: 1, step: 0.1, usual: 0.8 } as const;

/** The radius of a quiet place, in feet. */
export const QUIET_RADIUS = { min: 200, max: 2640, usual: 500 } as const;
export const QUIET_PLACE_NAME_MAX = 50;
export const QUIET_PLACES_MAX = 10;

/** A zone, such as around a home, in which its owner is neither shown nor counted. */
export interface QuietPlace extends Place {
  id: string;
  name: string;
  radius_feet: number;
}

/** The accuracy of a fix extends a zone by at most this much. */
const UNSURE_MAX_METERS = 60;

/** Whether a user at this fix may be within a quiet place. */
export const isQuiet = (
  fix: Place & { accuracy: number | null },
  places: readonly QuietPlace[],
): boolean =>
  places.some(
    (place) =>
      metersBetween(place, fix) <=
      place.radius_feet * METERS_PER_FOOT + Math.min(fix.accuracy ?? 0, UNSURE_MAX_METERS),
  );

/** The maximum distance of a zone's center from the place it protects, as a fraction of its radius. */
const DISPLACED_MAX = 1 / 3;

/** Whether a place is known accurately enough for a zone of this size: it is within the zone wherever within its accuracy it is. */
export const isSureOf = (accuracyMeters: number, radiusFeet: number): boolean =>
  accuracyMeters <= radiusFeet * METERS_PER_FOOT * (1 - DISPLACED_MAX);

/**
 * Returns the center of a zone around a place. It is shifted at random, so that neither the zone nor the point where a user
 * disappears reveals the address. The place stays well within the zone.
 * @param random as Math.random
 */
export function displaced(place: Place, radiusFeet: number, random: () => number): Place {
  const meters = radiusFeet * METERS_PER_FOOT * DISPLACED_MAX * Math.sqrt(random());
  const direction = random() * 2 * Math.PI;
  const north = (meters * Math.cos(direction)) / METERS_PER_DEGREE;
  const east =
    (meters * Math.sin(direction)) /
    (METERS_PER_DEGREE * Math.max(0.01, Math.cos((place.latitude * Math.PI) / 180)));
  const longitude = ((((place.longitude + east + 180) % 360) + 360) % 360) - 180;
  const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5;
  return {
    latitude: rounded(Math.min(90, Math.max(-90, place.latitude + north))),
    longitude: rounded(longitude),
  };
}
