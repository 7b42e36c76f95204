import { kilometersOf, milesOfKilometers } from '#shared/distance.ts';
import { SEARCH_RADIUS } from '#shared/locations/rules.ts';
import {
  locationType,
  placeFeature,
  type LocationType,
  type PlaceFeature,
} from '#shared/locations/schemas.ts';
import { cutText } from '#shared/normalization/cut-text.ts';
import { latitude, longitude, type Place } from '#shared/place.ts';
import type { Units } from '#shared/units.ts';

/** A search, stored in the address so that going back and sharing work. */
export interface PlaceQuery {
  /** The center; null until known. */
  from: Place | null;
  /** In miles. */
  radius: number;
  /** Null for all types. */
  type: LocationType | null;
  /** Only places that have all of them. */
  features: readonly PlaceFeature[];
  /** The name of the center; null if it has none. */
  near: string | null;
}

const NEAR_MAX = 60;

/** Formats a radius in miles as a whole number in the owner's units. */
export const shownRadius = (miles: number, { system }: Units): string =>
  String(Math.round(system === 'us' ? miles : kilometersOf(miles)));

/** Parses a radius typed in the owner's units: whole miles, or the default if it is not a number. @returns null if it is out of bounds */
export function typedMiles(typed: string, { system }: Units): number | null {
  const whole = Number.parseInt(typed, 10);
  if (!Number.isFinite(whole)) return SEARCH_RADIUS.usual;
  const miles = system === 'us' ? whole : Math.round(milesOfKilometers(whole));
  return miles >= SEARCH_RADIUS.shortest && miles <= SEARCH_RADIUS.max ? miles : null;
}

/** Three decimals are about a hundred yards: accurate enough to search, and coarse enough to share. */
const rough = (degrees: number): string => degrees.toFixed(3);

/** Reads the radius in an address as a whole number within its bounds. */
function radiusOf(text: string | null): number {
  const miles = Number.parseInt(text ?? '', 10);
  if (!Number.isFinite(miles)) return SEARCH_RADIUS.usual;
  return Math.min(SEARCH_RADIUS.max, Math.max(SEARCH_RADIUS.shortest, miles));
}

function degreesIn(search: URLSearchParams): Place | null {
  const [lat, lng] = [search.get('latitude'), search.get('longitude')];
  if (!lat || !lng) return null;
  const read = {
    latitude: latitude.safeParse(Number(lat)),
    longitude: longitude.safeParse(Number(lng)),
  };
  return read.latitude.success && read.longitude.success
    ? { latitude: read.latitude.data, longitude: read.longitude.data }
    : null;
}

/** Reads names that are divided by commas. */
export const namesIn = <Name extends string>(text: string | null, names: readonly Name[]): Name[] =>
  names.filter((name) => text?.split(',').includes(name));

/** The inverse of `namesIn`. */
export function writeNames(search: URLSearchParams, key: string, names: readonly string[]): void {
  if (names.length > 0) search.set(key, names.join(','));
  else search.delete(key);
}

/** Reads the search from an address, ignoring invalid values. */
export function readPlaceQuery(search: URLSearchParams): PlaceQuery {
  return {
    from: degreesIn(search),
    radius: radiusOf(search.get('radius')),
    type: locationType.safeParse(search.get('type')).data ?? null,
    features: namesIn(search.get('features'), placeFeature.options),
    near: cutText(search.get('near') ?? '', NEAR_MAX) || null,
  };
}

/** Writes the search to an address, keeping other parameters. */
export function writePlaceQuery(
  search: URLSearchParams,
  { from, radius, type, features, near }: PlaceQuery,
): void {
  if (from) {
    search.set('latitude', rough(from.latitude));
    search.set('longitude', rough(from.longitude));
  }
  search.set('radius', String(radius));
  if (type) search.set('type', type);
  else search.delete('type');
  writeNames(search, 'features', features);
  if (near) search.set('near', cutText(near, NEAR_MAX));
  else search.delete('near');
}
