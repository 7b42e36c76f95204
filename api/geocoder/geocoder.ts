import type { Place } from '#shared/place.ts';

/** An address or town from a geocoder. */
export interface FoundAddress extends Place {
  name: string;
  /** Where it is: the wider parts of its address. */
  detail: string;
}

/** A service that finds addresses by their text. */
export interface Geocoder {
  name: string;
  /**
   * Returns up to `ADDRESSES_MAX` results, best first.
   * @throws ProviderFailure for every failure
   */
  search(query: string, signal: AbortSignal): Promise<FoundAddress[]>;
}

export const ADDRESSES_MAX = 5;

/** Both geocoders use OpenStreetMap’s data, whose licence asks for this. */
export const ADDRESS_ATTRIBUTION = {
  text: '© OpenStreetMap contributors',
  url: 'https://www.openstreetmap.org/copyright',
};
