import { z } from 'zod';
import type { AlertType, Severity } from '#shared/alerts/contract.ts';
import { cutText } from '#shared/normalization/cut-text.ts';
import { METERS_PER_MILE, metersBetween, wrapLongitude, type Place } from '#shared/place.ts';
import { lenient, lenientList } from '../../platform/http/lenient-fields.ts';

/** A CAP message of the US National Weather Service, converted to our fields. */
export interface CapMessage {
  alert_id: string;
  kind: 'alert' | 'update' | 'cancel';
  /** The messages that it replaces, in the zones that it names. */
  references: string[];
  /** Codes of the zones that it names (UGC); empty if unknown. */
  zones: string[];
  /** The event's number at its office, the same in all of its messages; null for kinds without numbers. */
  vtec: string | null;
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

const ID_MAX = 200;
const REFERENCES_MAX = 200;
const ZONES_MAX = 200;
const TITLE_MAX = 200;
const TEXT_MAX = 4000;
/** Rings of polygons of a collection of polygons. */
const NESTING_MAX = 6;

const time = z.coerce.date<string>().min(new Date('2000-01-01')).max(new Date('2100-01-01'));
const id = z.string().min(1).max(ID_MAX);
const feature = z.object({
  geometry: lenient(z.object({ coordinates: z.unknown() })),
  properties: z.object({
    id,
    status: z.string(),
    messageType: z.string(),
    category: lenient(z.string()),
    severity: lenient(z.string()),
    event: z.string().min(1),
    headline: lenient(z.string()),
    description: lenient(z.string()),
    instruction: lenient(z.string()),
    references: lenientList(z.object({ identifier: id })),
    geocode: lenient(z.object({ UGC: lenientList(z.string().regex(/^\w{6}$/)) })),
    parameters: lenient(z.object({ VTEC: lenientList(z.string()) })),
    sent: time,
    effective: lenient(time),
    expires: lenient(time),
    ends: lenient(time),
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
    references: properties.references.slice(-REFERENCES_MAX).map(({ identifier }) => identifier),
    zones: zonesOf(properties.geocode?.UGC ?? []),
    vtec: vtecOf(properties.parameters?.VTEC ?? []),
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

/** Some of the zones would be wrong: who compares them must know all. */
const zonesOf = (codes: string[]): string[] => (codes.length > ZONES_MAX ? [] : codes);

/** `/O.NEW.KBUF.BZ.W.0001.…/`: what happens to the event, its office, its kind, and its number. */
const VTEC = /^\/[A-Z]\.([A-Z]{3})\.([A-Z]{4}\.[A-Z]{2}\.[A-Z]\.\d{4})\./;
/** An event that ends; a message may name one beside the event that takes its place. */
const ENDINGS = new Set(['CAN', 'EXP', 'UPG']);

function vtecOf(codes: string[]): string | null {
  const events = codes.flatMap((code) => {
    const [, action = '', event = ''] = VTEC.exec(code) ?? [];
    return event ? [{ action, event }] : [];
  });
  return (events.find(({ action }) => !ENDINGS.has(action)) ?? events[0])?.event ?? null;
}

function typeOf(event: string, category: string): AlertType {
  if (/\b(air (quality|stagnation)|smoke)\b/i.test(event)) return 'air_quality';
  if (/\b(tsunami|earthquake|volcano|avalanche|fire)\b/i.test(event)) return 'natural_disaster';
  if (category === 'Met') return 'weather';
  if (category === 'Geo' || category === 'Fire') return 'natural_disaster';
  if (['Safety', 'Security', 'Rescue', 'Health'].includes(category)) return 'public_safety';
  return 'other';
}

/** Returns all positions of GeoJSON coordinates. */
function pointsIn(coordinates: unknown, nesting = 0): Place[] {
  if (!Array.isArray(coordinates) || nesting > NESTING_MAX) return [];
  const [longitude, latitude] = coordinates as unknown[];
  if (typeof longitude === 'number' && typeof latitude === 'number')
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360
      ? [{ latitude, longitude: wrapLongitude(longitude) }]
      : [];
  return coordinates.flatMap((inner) => pointsIn(inner, nesting + 1));
}

const middleOf = (low: number, high: number): number => (low + high) / 2;

/** The middle of the shortest arc with all longitudes, which may cross the date line. */
function middleLongitude(longitudes: number[]): number {
  const sorted = longitudes.toSorted((a, b) => a - b);
  const west = sorted[0] as number;
  // The widest gap is outside of the arc. The first one is that across the date line.
  let arc = {
    gap: west + 360 - (sorted.at(-1) as number),
    from: west,
    to: sorted.at(-1) as number,
  };
  for (const [index, from] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before !== undefined && from - before > arc.gap)
      arc = { gap: from - before, from, to: before + 360 };
  }
  return wrapLongitude(middleOf(arc.from, arc.to));
}

function circleAround(points: Place[]): CapMessage['circle'] {
  if (points.length === 0) return null;
  const latitudes = points.map(({ latitude }) => latitude).toSorted((a, b) => a - b);
  const center = {
    latitude: middleOf(latitudes[0] as number, latitudes.at(-1) as number),
    longitude: middleLongitude(points.map(({ longitude }) => longitude)),
  };
  let meters = 0;
  for (const point of points) meters = Math.max(meters, metersBetween(center, point));
  return {
    affected_latitude: center.latitude,
    affected_longitude: center.longitude,
    radius_miles: Math.ceil((meters / METERS_PER_MILE) * 10) / 10,
  };
}
