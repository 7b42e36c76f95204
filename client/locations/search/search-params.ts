import { SEARCH_RADIUS, locationType, type LocationType } from '#shared/locations/schemas.ts';
import { latitude, longitude, type Place } from '#shared/place.ts';

/** What is searched for: it is in the address, so that back and sharing work. */
export interface Wanted {
  /** From where; null until that is known. */
  from: Place | null;
  /** In miles. */
  radius: number;
  /** Null: all types. */
  type: LocationType | null;
}

/** Three decimals are about a hundred yards: near enough to search, and an address may be shared. */
const rough = (degrees: number): string => degrees.toFixed(3);

/** A radius as it was typed: a whole number, within its bounds. */
export function radiusOf(typed: string | null): number {
  const miles = Number.parseInt(typed ?? '', 10);
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

/** What an address says is searched for; what makes no sense in it is left out. */
export function readWanted(search: URLSearchParams): Wanted {
  return {
    from: degreesIn(search),
    radius: radiusOf(search.get('radius')),
    type: locationType.safeParse(search.get('type')).data ?? null,
  };
}

/** Puts what is searched for into an address, and leaves the rest of it. */
export function writeWanted(search: URLSearchParams, { from, radius, type }: Wanted): void {
  if (from) {
    search.set('latitude', rough(from.latitude));
    search.set('longitude', rough(from.longitude));
  }
  search.set('radius', String(radius));
  if (type) search.set('type', type);
  else search.delete('type');
}
