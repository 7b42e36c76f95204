import type { Place } from '#shared/place.ts';

/** An address or town from a geocoder. */
export interface FoundAddress extends Place {
  name: string;
  /** Where it is: the wider parts of its address. */
  detail: string;
}

/** A service that finds addresses by their text, and the address at a point. Decision 335. */
export interface Geocoder {
  name: string;
  /**
   * Returns up to `ADDRESSES_MAX` results, best first.
   * @throws ProviderFailure for every failure
   */
  search(query: string, signal: AbortSignal): Promise<FoundAddress[]>;
  /**
   * Returns the address at a point, or null where there is none.
   * @throws ProviderFailure for every failure
   */
  reverse(point: Place, signal: AbortSignal): Promise<FoundAddress | null>;
}

export const ADDRESSES_MAX = 5;

/** Both geocoders use OpenStreetMap’s data, whose licence asks for this. */
export const ADDRESS_ATTRIBUTION = {
  text: '© OpenStreetMap contributors',
  url: 'https://www.openstreetmap.org/copyright',
};
