import { cutText } from '#shared/normalization/cut-text.ts';
import { z } from 'zod';
import type { AlertType, Severity } from '#shared/alerts/contract.ts';
import { METERS_PER_MILE, metersBetween, type Place } from '#shared/place.ts';

/** A CAP message of the US National Weather Service, converted to our fields. */
export interface CapMessage {
  alert_id: string;
  kind: 'alert' | 'update' | 'cancel';
  /** The messages that it replaces. */
  references: string[];
  sent_at: Date;
  alert_type: AlertType;
  severity: Severity;
  title: string;
  description: string;
  instructions: string | null;
  /** A circle around its area; null if it names only zones. */
  circle: { affected_latitude: number; affected_longitude: number; radius_miles: number } | null;
  starts_at: Date;
  expires_at: Date | null;
}

const time = z.coerce.date<string>();
const feature = z.object({
  geometry: z.object({ type: z.string(), coordinates: z.unknown() }).nullish(),
  properties: z.object({
    id: z.string().min(1),
    status: z.string(),
    messageType: z.string(),
    category: z.string().nullish(),
    severity: z.string().nullish(),
    event: z.string().min(1),
    headline: z.string().nullish(),
    description: z.string().nullish(),
    instruction: z.string().nullish(),
    references: z.array(z.object({ identifier: z.string() })).nullish(),
    sent: time,
    effective: time.nullish(),
    expires: time.nullish(),
    ends: time.nullish(),
  }),
});

/**
 * The response of /alerts/active. Features are parsed one by one, so that an invalid one doesn’t hide the others.
 */
export const capCollection = z.object({ features: z.array(z.unknown()) });

const KINDS: Record<string, CapMessage['kind']> = {
  Alert: 'alert',
  Update: 'update',
  Cancel: 'cancel',
};
const SEVERITIES: Record<string, Severity> = {
  Extreme: 'extreme',
  Severe: 'severe',
  Moderate: 'moderate',
  Minor: 'minor',
};
const TITLE_MAX = 200;
const TEXT_MAX = 4000;

/**
 * Parses a message.
 * @returns null if it is invalid or not for the public, such as a test
 */
export function readCap(value: unknown): CapMessage | null {
  const parsed = feature.safeParse(value);
  if (!parsed.success) return null;
  const { geometry, properties } = parsed.data;
  const kind = KINDS[properties.messageType];
  if (properties.status !== 'Actual' || !kind) return null;
  const { sent, effective, ends, expires, event, headline, description, instruction } = properties;
  return {
    alert_id: properties.id,
    kind,
    references: (properties.references ?? []).map(({ identifier }) => identifier),
    sent_at: sent,
    alert_type: typeOf(event, properties.category ?? ''),
    severity: SEVERITIES[properties.severity ?? ''] ?? 'minor',
    title: cutText(event, TITLE_MAX),
    description: cutText(description?.trim() || headline?.trim() || event, TEXT_MAX),
    instructions: cutText(instruction?.trim() ?? '', TEXT_MAX) || null,
    circle: circleAround(pointsIn(geometry?.coordinates)),
    starts_at: effective ?? sent,
    expires_at: ends ?? expires ?? null,
  };
}

function typeOf(event: string, category: string): AlertType {
  if (/\b(air (quality|stagnation)|smoke)\b/i.test(event)) return 'air_quality';
  if (/\b(tsunami|earthquake|volcano|avalanche|fire)\b/i.test(event)) return 'natural_disaster';
  if (category === 'Met') return 'weather';
  if (category === 'Geo' || category === 'Fire') return 'natural_disaster';
  if (['Safety', 'Security', 'Rescue', 'Health'].includes(category)) return 'public_safety';
  return 'other';
}

/** Returns all positions of GeoJSON coordinates of any nesting. */
function pointsIn(coordinates: unknown): Place[] {
  if (!Array.isArray(coordinates)) return [];
  const [longitude, latitude] = coordinates as unknown[];
  if (typeof longitude === 'number' && typeof latitude === 'number')
    return [{ latitude, longitude }];
  return coordinates.flatMap(pointsIn);
}

function circleAround(points: Place[]): CapMessage['circle'] {
  if (points.length === 0) return null;
  const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
  const centre = {
    latitude: middle(points.map(({ latitude }) => latitude)),
    longitude: middle(points.map(({ longitude }) => longitude)),
  };
  const meters = Math.max(...points.map((point) => metersBetween(centre, point)));
  return {
    affected_latitude: centre.latitude,
    affected_longitude: centre.longitude,
    radius_miles: Math.ceil((meters / METERS_PER_MILE) * 10) / 10,
  };
}
