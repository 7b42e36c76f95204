import { z } from 'zod';
import { latitude, longitude } from '#shared/place.ts';
import { fetchJson } from '../../platform/http/fetch-json.ts';
import { answerList, lenient } from '../../platform/http/lenient-fields.ts';
import { ADDRESSES_MAX, type FoundAddress, type Geocoder } from './geocoder.ts';

const text = lenient(z.string());
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
const feature = z.object({
  geometry: z.object({ coordinates: z.tuple([longitude, latitude], z.unknown()) }),
  properties,
});
const answer = z.object({ features: answerList(feature) });

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
export const photon = ({ url, userAgent }: { url: string; userAgent: string }): Geocoder => {
  async function ask(path: string, query: Record<string, string>, signal: AbortSignal) {
    const address = new URL(path, url);
    address.search = new URLSearchParams({ ...query, lang: 'en' }).toString();
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
  }
  return {
    name: 'photon',
    search: (query, signal) => ask('/api', { q: query, limit: String(ADDRESSES_MAX) }, signal),
    async reverse({ latitude: lat, longitude: lon }, signal) {
      const [nearest] = await ask('/reverse', { lat: String(lat), lon: String(lon) }, signal);
      return nearest ?? null;
    },
  };
};
