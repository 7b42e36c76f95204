import { afterEach, describe, expect, test } from 'vitest';
import { chooseGeocoder } from '../../api/features/geocoder/choose-geocoder.ts';
import { nominatim } from '../../api/features/geocoder/nominatim.ts';
import { photon } from '../../api/features/geocoder/photon.ts';
import { readEnv } from '../../api/platform/env.ts';
import { emulate, type Emulated, type Emulator } from '../emulator.ts';

let emulator: Emulator | null = null;
afterEach(() => emulator?.close());

const userAgent = 'Leashwise tests (ops@example.com)';
const signal = () => AbortSignal.timeout(5_000);
async function start(answer: Emulated): Promise<string> {
  emulator = await emulate(() => answer);
  return emulator.url;
}

describe('Photon', () => {
  // A shortened response of the public server.
  const body = {
    type: 'FeatureCollection',
    features: [
      {
        geometry: { type: 'Point', coordinates: [-89.6501, 39.7984] },
        properties: {
          osm_key: 'place',
          housenumber: '301',
          street: 'South 2nd Street',
          city: 'Springfield',
          state: 'Illinois',
          postcode: '62701',
          country: 'United States',
          countrycode: 'US',
        },
      },
      {
        geometry: { type: 'Point', coordinates: [-0.1651, 51.5074] },
        properties: { name: 'Hyde Park', city: 'London', country: 'United Kingdom' },
      },
      { geometry: { type: 'Point', coordinates: [0, 0] }, properties: {} },
    ],
  };

  test('Photon returns addresses and named places with where they are', async () => {
    const geocoder = photon({ url: await start({ body }), userAgent });
    expect(await geocoder.search('301 S 2nd St', signal())).toEqual([
      {
        name: '301 South 2nd Street',
        detail: 'Springfield, Illinois 62701, United States',
        latitude: 39.7984,
        longitude: -89.6501,
      },
      {
        name: 'Hyde Park',
        detail: 'London, United Kingdom',
        latitude: 51.5074,
        longitude: -0.1651,
      },
    ]);
    const [asked] = emulator!.asked;
    expect(asked?.url.pathname).toBe('/api');
    expect(Object.fromEntries(asked!.url.searchParams)).toEqual({
      q: '301 S 2nd St',
      limit: '5',
      lang: 'en',
    });
    expect(asked?.headers['user-agent']).toBe(userAgent);
  });

  test('a missing, null, or invalid value of Photon hides neither its address nor others', async () => {
    const [first, ...others] = body.features;
    const features = [
      { ...first, properties: { ...first?.properties, state: null, country: 7 } },
      { geometry: null },
      null,
      ...others,
    ];
    const geocoder = photon({ url: await start({ body: { features } }), userAgent });
    expect((await geocoder.search('x', signal())).map(({ name }) => name)).toEqual([
      '301 South 2nd Street',
      'Hyde Park',
    ]);
  });

  test('Photon fails for an answer that isn’t GeoJSON', async () => {
    const geocoder = photon({ url: await start({ body: { features: [{}] } }), userAgent });
    await expect(geocoder.search('x', signal())).rejects.toThrow('unexpected response');
  });
});

describe('Nominatim', () => {
  const body = [
    {
      place_id: 1,
      lat: '39.7984',
      lon: '-89.6501',
      name: '',
      display_name: '301, South 2nd Street, Springfield, Sangamon County, Illinois, United States',
    },
    {
      place_id: 2,
      lat: '51.5074',
      lon: '-0.1651',
      name: 'Hyde Park',
      display_name: 'Hyde Park, London, England, United Kingdom',
    },
  ];

  test('Nominatim returns addresses and named places, and is told who asks', async () => {
    const geocoder = nominatim({ url: await start({ body }), userAgent });
    expect(await geocoder.search('hyde park', signal())).toEqual([
      {
        name: '301 South 2nd Street',
        detail: 'Springfield, Sangamon County, Illinois, United States',
        latitude: 39.7984,
        longitude: -89.6501,
      },
      {
        name: 'Hyde Park',
        detail: 'London, England, United Kingdom',
        latitude: 51.5074,
        longitude: -0.1651,
      },
    ]);
    const [asked] = emulator!.asked;
    expect(asked?.url.pathname).toBe('/search');
    expect(asked?.headers['user-agent']).toBe(userAgent);
  });

  test('an invalid result of Nominatim hides no other one', async () => {
    const [first, ...others] = body;
    const found = [{ ...first, display_name: null }, null, ...others];
    const geocoder = nominatim({ url: await start({ body: found }), userAgent });
    expect((await geocoder.search('x', signal())).map(({ name }) => name)).toEqual(['Hyde Park']);
  });

  test('Nominatim fails with the status of a refusal', async () => {
    const geocoder = nominatim({ url: await start({ status: 429 }), userAgent });
    await expect(geocoder.search('x', signal())).rejects.toMatchObject({ status: 429 });
  });
});

describe('settings', () => {
  const base = {
    MONGODB_URI: 'mongodb://127.0.0.1',
    SYNC_SECRET: 'a secret of the tests',
    SYNC_INTERNAL_URL: 'http://127.0.0.1:9',
    API_PORT: '0',
    PUBLIC_ORIGIN: 'http://localhost:3000',
  };

  test('is off by default, and chosen by GEOCODER', () => {
    expect(chooseGeocoder(readEnv(base))).toBeNull();
    const env = { ...base, GEOCODER_USER_AGENT: userAgent };
    expect(chooseGeocoder(readEnv({ ...env, GEOCODER: 'photon' }))?.name).toBe('photon');
    expect(chooseGeocoder(readEnv({ ...env, GEOCODER: 'nominatim' }))?.name).toBe('nominatim');
  });

  test('refuses a geocoder without a contact, and an unknown one', () => {
    expect(() => readEnv({ ...base, GEOCODER: 'nominatim' })).toThrow('GEOCODER_USER_AGENT');
    expect(() => readEnv({ ...base, GEOCODER: 'other' })).toThrow('GEOCODER');
  });
});
