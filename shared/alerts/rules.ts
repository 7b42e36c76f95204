import { METERS_PER_MILE, metersBetween, type Place } from '../place.ts';
import type { EmergencyAlert, Severity } from './contract.ts';

export const TITLE_MAX = 200;
export const DESCRIPTION_MAX = 1000;
export const INSTRUCTIONS_MAX = 500;
export const RADIUS_MIN_MILES = 0.1;
export const RADIUS_MAX_MILES = 100;
export const RADIUS_DEFAULT_MILES = 10;

/** Centers of the circles in which people are counted, per degree. */
const CENTERS_PER_DEGREE = 20;

/**
 * Returns the circle in which the people of an alert's area are counted, in miles. It covers the area; its center is on a grid and its
 * radius in whole miles, so that slightly different areas have the same count, which then tells nobody's place.
 */
export function countedArea(place: Place, radiusMiles: number): { place: Place; miles: number } {
  const snapped = (degrees: number) =>
    Math.round(degrees * CENTERS_PER_DEGREE) / CENTERS_PER_DEGREE;
  const center = { latitude: snapped(place.latitude), longitude: snapped(place.longitude) };
  const shift = metersBetween(place, center) / METERS_PER_MILE;
  return { place: center, miles: Math.ceil(radiusMiles + shift) };
}

/** How often alerts are asked for; while there is a critical one, more often. */
export const REFRESH_SECONDS = 300;
export const CRITICAL_REFRESH_SECONDS = 120;

const ORDER: readonly Severity[] = ['extreme', 'severe', 'moderate', 'minor'];

/** Returns the severity as a number: 3 for extreme, down to 0 for minor. */
export const gravity = (severity: Severity): number => ORDER.length - 1 - ORDER.indexOf(severity);

/** Those that are less grave. */
export const milderThan = (severity: Severity): Severity[] =>
  ORDER.filter((each) => gravity(each) < gravity(severity));

/** Severe or extreme: worth a vibration, and a notification that stays. */
export const isSevere = ({ severity }: Pick<EmergencyAlert, 'severity'>): boolean =>
  severity === 'severe' || severity === 'extreme';

/** Active alerts at a time in milliseconds that haven't expired. That they have begun only the server can tell: clocks differ. */
export const activeAlerts = (alerts: readonly EmergencyAlert[], now: number): EmergencyAlert[] =>
  alerts.filter(
    ({ is_active, expires_at }) =>
      is_active && (expires_at === null || Date.parse(expires_at) > now),
  );

/** The active alerts that people see: those not acknowledged; the gravest first, then the newest. */
export const shownAlerts = (alerts: readonly EmergencyAlert[], now: number): EmergencyAlert[] =>
  activeAlerts(alerts, now)
    .filter(({ is_acknowledged }) => !is_acknowledged)
    .toSorted(byGravity);

/** The gravest first, then the newest. */
export const byGravity = (
  a: Pick<EmergencyAlert, 'severity' | 'starts_at'>,
  b: Pick<EmergencyAlert, 'severity' | 'starts_at'>,
): number =>
  gravity(b.severity) - gravity(a.severity) || Date.parse(b.starts_at) - Date.parse(a.starts_at);

type Circle = Pick<EmergencyAlert, 'affected_latitude' | 'affected_longitude' | 'radius_miles'>;

/** Whether a place is within the circle of an alert. */
export const isAffected = (circle: Circle, place: Place): boolean =>
  metersBetween(
    { latitude: circle.affected_latitude, longitude: circle.affected_longitude },
    place,
  ) <=
  circle.radius_miles * METERS_PER_MILE;
