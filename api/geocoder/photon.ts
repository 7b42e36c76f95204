import { z } from 'zod';
import { latitude, longitude } from '#shared/place.ts';
import { fetchJson } from '../weather/fetch-json.ts';
import { ADDRESSES_MAX, type FoundAddress, type Geocoder } from './geocoder.ts';

const text = z.string().optional();
const properties = z.object({
  name: text,
  housenumber: text,
  street: text,
  district: text,
  city: text,
  county: text,
  state: text,
  postcode: text,
  country: text,
});
const answer = z.object({
  features: z.array(
    z.object({
      geometry: z.object({ coordinates: z.tuple([longitude, latitude], z.unknown()) }),
      properties,
    }),
  ),
});

function addressOf(of: z.infer<typeof properties>): Pick<FoundAddress, 'name' | 'detail'> {
  const street = [of.housenumber, of.street].filter(Boolean).join(' ');
  const [name = '', ...rest] = [
    ...new Set(
      [
        of.name,
        street,
        of.district,
        of.city,
        of.county,
        [of.state, of.postcode].filter(Boolean).join(' '),
        of.country,
      ].filter((part): part is string => Boolean(part)),
    ),
  ];
  return { name, detail: rest.join(', ') };
}

/** Photon (github.com/komoot/photon), its public server or one’s own. */
export const photon = ({ url, userAgent }: { url: string; userAgent: string }): Geocoder => ({
  name: 'photon',
  async search(query, signal) {
    const address = new URL('/api', url);
    address.search = new URLSearchParams({
      q: query,
      limit: String(ADDRESSES_MAX),
      lang: 'en',
    }).toString();
    const { features } = await fetchJson(answer, address, {
      signal,
      headers: { 'user-agent': userAgent },
    });
    return features
      .map(({ geometry: { coordinates }, properties: of }) => ({
        ...addressOf(of),
        latitude: coordinates[1],
        longitude: coordinates[0],
      }))
      .filter(({ name }) => name !== '')
      .slice(0, ADDRESSES_MAX);
  },
});
