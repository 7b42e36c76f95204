import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { describePoint, searchGeocoder } from '#shared/geocoder/contract.ts';
import { startTestApi, type Call, type TestApi, type TestPerson } from '../api.ts';
import { emulate, type Emulated, type Emulator } from '../emulator.ts';
import { makeProfile } from '../factories.ts';
import { makePlace } from '../locations/made-places.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let alex: TestPerson;
let sam: TestPerson;
let geocoder: Emulator;
let answer: Emulated | null;

const street = (name: string) => ({
  status: 200,
  body: [
    {
      lat: '39.8',
      lon: '-89.65',
      name,
      display_name: `${name}, Springfield, Illinois, United States`,
    },
  ],
});

beforeAll(async () => {
  geocoder = await emulate(() => answer);
  api = await startTestApi(inject('mongodbUri'), {
    GEOCODER: 'nominatim',
    GEOCODER_URL: geocoder.url,
    GEOCODER_USER_AGENT: 'Leashwise tests (ops@example.com)',
    GEOCODER_REQUESTS_PER_SECOND: '4',
  });
  [alex, sam] = await Promise.all([api.as('alex@example.com'), api.as('sam@example.com')]);
  await Promise.all([makeProfile(alex), makeProfile(sam)]);
});
afterEach(() => {
  answer = { body: [] };
  geocoder.asked.length = 0;
});
afterAll(async () => {
  await api.close();
  geocoder.close();
});

const search = ({ call }: { call: Call }, query: string) =>
  call(searchGeocoder, { query: { query } });

describe('search by name', () => {
  test('finds own and public places by the beginnings of words, but not other people’s private ones', async () => {
    const at = { latitude: 12, longitude: 12 };
    await makePlace(alex, { ...at, name: 'Quarrywood Meadow', address: '1 Sluice Lane' });
    await makePlace(alex, {
      ...at,
      name: 'Quarrywood Garden',
      is_public: false,
      confirm_new: true,
    });
    const names = async (person: TestPerson, query: string) =>
      (await search(person, query)).results
        .filter(({ kind }) => kind === 'place')
        .map(({ name }) => name)
        .toSorted();
    expect(await names(alex, 'quarryw')).toEqual(['Quarrywood Garden', 'Quarrywood Meadow']);
    expect(await names(sam, 'quarryw')).toEqual(['Quarrywood Meadow']);
    expect(await names(sam, 'sluice quarrywood')).toEqual(['Quarrywood Meadow']);
  });

  test('returns addresses, then towns, with the sources to show', async () => {
    answer = street('Capitol Avenue');
    const { results, addresses, attributions } = await search(alex, 'Springfield, IL');
    expect(addresses).toBe('searched');
    expect(results.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'address Capitol Avenue',
      'town Springfield',
    ]);
    expect(attributions.map(({ text }) => text)).toEqual([
      '© OpenStreetMap contributors',
      'GeoNames',
    ]);
  });

  test('lists a town once if both sources know it', async () => {
    answer = street('Springfield');
    const { results } = await search(alex, 'Springfield, Illinois');
    expect(results.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['address Springfield']);
  });

  test('still finds towns while the geocoder fails', async () => {
    answer = { status: 503 };
    const { results, addresses } = await search(alex, 'Peoria, IL');
    expect(addresses).toBe('failed');
    expect(results[0]).toMatchObject({ kind: 'town', name: 'Peoria' });
  });

  test('lets visitors find towns only, without asking the geocoder', async () => {
    answer = street('Capitol Avenue');
    const { results, addresses } = await api.call(searchGeocoder, {
      query: { query: 'Decatur, IL' },
    });
    expect(addresses).toBe('off');
    expect(results.map(({ kind }) => kind)).toEqual(['town']);
    expect(geocoder.asked).toHaveLength(0);
  });

  test('refuses a text that is too short or too long', async () => {
    await expectRefused(search(alex, ' a '), 400, { error: 'Enter at least two characters' });
    await expectRefused(search(alex, 'a'.repeat(121)), 400);
  });
});

describe('the geocoder’s policy', () => {
  test('asks for the same text once, whoever searches it', async () => {
    answer = street('Capitol Avenue');
    await search(alex, 'Capitol Avenue 12');
    await search(sam, '  capitol avenue, 12 ');
    expect(geocoder.asked).toHaveLength(1);
    const stored = await api.db.collection('geocoder_results').find().toArray();
    expect(JSON.stringify(stored.map(({ _id }) => _id))).not.toMatch(/capitol/i);
  });

  test('asks at the configured pace, and drops what would wait too long', async () => {
    answer = street('A Street');
    const startedAt = Date.now();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => search(index % 2 ? alex : sam, `paced ${index}`)),
    );
    const seconds = (Date.now() - startedAt) / 1_000;
    const searched = answers.filter(({ addresses }) => addresses === 'searched').length;
    expect(geocoder.asked).toHaveLength(searched);
    // Four a second for three seconds, and the first.
    expect(searched).toBeGreaterThanOrEqual(4);
    expect(searched).toBeLessThanOrEqual(4 * seconds + 1);
    expect(answers.some(({ addresses }) => addresses === 'failed')).toBe(true);
  });
});

describe('the description of a point', () => {
  const CAPITOL = { latitude: '39.79837', longitude: '-89.65484' };
  const describeIt = ({ call }: { call: Call }, query = CAPITOL) => call(describePoint, { query });

  test('members get the address and the nearest town, visitors the town', async () => {
    answer = {
      body: {
        lat: '39.798',
        lon: '-89.654',
        name: 'Capitol Avenue',
        display_name: 'Capitol Avenue, Springfield, Illinois, United States',
      },
    };
    const town = { name: 'Springfield', detail: 'Illinois, United States' };
    const mine = await describeIt(alex);
    expect(mine).toMatchObject({
      address: 'Capitol Avenue, Springfield, Illinois, United States',
      town,
    });
    expect(mine.attributions.map(({ text }) => text)).toEqual([
      '© OpenStreetMap contributors',
      'GeoNames',
    ]);
    // The geocoder gets rounded coordinates, and a point next to it is not asked for again.
    expect(geocoder.asked[0]?.url.pathname).toBe('/reverse');
    expect(geocoder.asked[0]?.url.searchParams.get('lat')).toBe('39.7984');
    await describeIt(sam, { latitude: '39.79841', longitude: '-89.65482' });
    expect(geocoder.asked).toHaveLength(1);
    expect(await describeIt(api.visitor())).toMatchObject({ address: null, town });
  });

  test('a point at sea has no words, and a geocoder that fails leaves the town', async () => {
    answer = { body: { error: 'Unable to geocode' } };
    expect(await describeIt(alex, { latitude: '30', longitude: '-40' })).toEqual({
      address: null,
      town: null,
      attributions: [],
    });
    answer = { status: 500, body: {} };
    expect(await describeIt(alex, { latitude: '41.88', longitude: '-87.63' })).toMatchObject({
      address: null,
      town: { name: 'Chicago Loop' },
    });
  });

  test('refuses coordinates out of range', async () => {
    await expectRefused(describeIt(alex, { latitude: '91', longitude: '0' }), 400, {});
  });
});
