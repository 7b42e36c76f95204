import { z } from 'zod';
import { latitude, longitude } from '#shared/place.ts';
import { fetchJson } from '../weather/fetch-json.ts';
import { ADDRESSES_MAX, type Geocoder } from './geocoder.ts';

const answer = z.array(
  z.object({
    lat: z.coerce.number().pipe(latitude),
    lon: z.coerce.number().pipe(longitude),
    name: z.string().optional(),
    /** All parts of the address, separated by commas, the narrowest first. */
    display_name: z.string().min(1),
  }),
);

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
    return found.slice(0, ADDRESSES_MAX).map(({ lat, lon, name, display_name }) => {
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
    });
  },
});
