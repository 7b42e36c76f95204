import { metresBetween, type Place } from '../place.ts';
import type { EmergencyAlert, Severity } from './contract.ts';

export const METRES_PER_MILE = 1609.344;

/** How often alerts are asked for; while there is a critical one, more often. */
export const REFRESH_SECONDS = 300;
export const CRITICAL_REFRESH_SECONDS = 120;

const ORDER: readonly Severity[] = ['extreme', 'severe', 'moderate', 'minor'];

/** How grave it is: 3 for extreme, down to 0 for minor. */
export const gravity = (severity: Severity): number => ORDER.length - 1 - ORDER.indexOf(severity);

/** Severe or extreme: worth a vibration, and a notification that stays. */
export const isSevere = ({ severity }: Pick<EmergencyAlert, 'severity'>): boolean =>
  severity === 'severe' || severity === 'extreme';

type Timed = Pick<EmergencyAlert, 'is_active' | 'starts_at' | 'expires_at'>;

/** Whether an alert holds at a time, in milliseconds: active, begun and not expired. */
export const isCurrent = ({ is_active, starts_at, expires_at }: Timed, now: number): boolean =>
  is_active &&
  Date.parse(starts_at) <= now &&
  (expires_at === null || Date.parse(expires_at) > now);

/** What people see of alerts: current and not acknowledged; the gravest first, then the newest. */
export const shownAlerts = (alerts: readonly EmergencyAlert[], now: number): EmergencyAlert[] =>
  alerts.filter((alert) => isCurrent(alert, now) && !alert.is_acknowledged).toSorted(byGravity);

/** The gravest first, then the newest. */
export const byGravity = (
  a: Pick<EmergencyAlert, 'severity' | 'starts_at'>,
  b: Pick<EmergencyAlert, 'severity' | 'starts_at'>,
): number =>
  gravity(b.severity) - gravity(a.severity) || Date.parse(b.starts_at) - Date.parse(a.starts_at);

type Circle = Pick<EmergencyAlert, 'affected_latitude' | 'affected_longitude' | 'radius_miles'>;

/** Whether a place is within the circle that an alert is about. */
export const isAffected = (circle: Circle, place: Place): boolean =>
  metresBetween(
    { latitude: circle.affected_latitude, longitude: circle.affected_longitude },
    place,
  ) <=
  circle.radius_miles * METRES_PER_MILE;
