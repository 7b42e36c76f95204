import { z } from 'zod';
import { latitude, longitude } from '#shared/place.ts';
import { fetchJson } from '../../platform/http/fetch-json.ts';
import { answerList, lenient } from '../../platform/http/lenient-fields.ts';
import { ADDRESSES_MAX, type FoundAddress, type Geocoder } from './geocoder.ts';

const result = z.object({
  lat: z.coerce.number().pipe(latitude),
  lon: z.coerce.number().pipe(longitude),
  name: lenient(z.string()),
  /** All parts of the address, separated by commas, the narrowest first. */
  display_name: z.string().min(1),
});
const answer = answerList(result);
/** It answers a point without an address, such as at sea, with an error in a 200. */
const reverseAnswer = z.union([result, z.object({ error: z.unknown() })]);

function addressOf({ lat, lon, name, display_name }: z.infer<typeof result>): FoundAddress {
  const parts = display_name.split(', ');
  // A house has no name: its number and street together are one.
  const isNamed = Boolean(name) && parts[0] === name;
  const named = isNamed || parts.length < 3 ? 1 : 2;
  return {
    name: parts.slice(0, named).join(' '),
    detail: parts.slice(named).join(', '),
    latitude: lat,
    longitude: lon,
  };
}

/** Nominatim of OpenStreetMap, its public server or one’s own. Its policy wants a User-Agent that identifies the installation. */
export const nominatim = ({ url, userAgent }: { url: string; userAgent: string }): Geocoder => ({
  name: 'nominatim',
  async search(query, signal) {
    const address = new URL('/search', url);
    address.search = new URLSearchParams({
      q: query,
      format: 'jsonv2',
      limit: String(ADDRESSES_MAX),
    }).toString();
    const found = await fetchJson(answer, address, {
      signal,
      headers: { 'user-agent': userAgent, 'accept-language': 'en-US,en' },
    });
    return found.slice(0, ADDRESSES_MAX).map(addressOf);
  },
  async reverse({ latitude: lat, longitude: lon }, signal) {
    const address = new URL('/reverse', url);
    address.search = new URLSearchParams({
      lat: String(lat),
      lon: String(lon),
      format: 'jsonv2',
    }).toString();
    const found = await fetchJson(reverseAnswer, address, {
      signal,
      headers: { 'user-agent': userAgent, 'accept-language': 'en-US,en' },
    });
    return 'error' in found ? null : addressOf(found);
  },
});
