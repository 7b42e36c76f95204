import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import {
  createLocation,
  createTip,
  createVisit,
  deleteLocation,
  getLocation,
  getMapTiles,
  searchLocations,
  updateLocation,
  type LocationFields,
} from '#shared/locations/contract.ts';
import type { Place } from '#shared/place.ts';
import type { ListingRow } from '../../api/features/ads/collections.ts';
import type { LocationRow } from '../../api/features/locations/collections.ts';
import { makeListing } from '../advertisers/made-listings.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';
import { makePlace, north } from './made-places.ts';

let api: TestApi;
let alex: TestPerson;
let sam: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  [alex, sam] = await Promise.all([api.as('alex@example.com'), api.as('sam@example.com')]);
  await Promise.all([makeProfile(alex), makeProfile(sam)]);
});
afterAll(() => api.close());

/** Coordinates that no other test uses. */
let corner = 0;
const somewhere = (): Place => ({ latitude: -60 + (corner += 4), longitude: 25 });

const at = ({ latitude, longitude }: Place) => ({
  latitude: String(latitude),
  longitude: String(longitude),
});
const searchAt = (person: TestPerson, place: Place, query: Record<string, string> = {}) =>
  person.call(searchLocations, { query: { ...at(place), ...query } });
const namesAt = async (person: TestPerson, place: Place, query: Record<string, string> = {}) =>
  (await searchAt(person, place, query)).locations.map(({ name }) => name);

describe('an empty search', () => {
  test('names other types within the radius, and the smallest wider radius with the searched type', async () => {
    const here = somewhere();
    await makePlace(alex, { name: 'First Park', ...north(here, 1) });
    await makePlace(alex, { name: 'Second Park', ...north(here, 2), confirm_new: true });
    await makePlace(alex, { name: 'Long Trail', ...north(here, 3), location_type: 'trail' });
    await makePlace(alex, { name: 'Far Lake', ...north(here, 30), location_type: 'lake' });
    await makePlace(sam, {
      name: 'Hidden Beach',
      ...north(here, 1),
      location_type: 'beach',
      is_public: false,
    });

    const lakes = await searchAt(alex, here, { radius: '10', type: 'lake' });
    expect(lakes).toMatchObject({
      locations: [],
      alternatives: {
        types: [
          { location_type: 'park', count: 2 },
          { location_type: 'trail', count: 1 },
        ],
        wider_radius_miles: 50,
      },
    });
    const beaches = await searchAt(alex, here, { radius: '10', type: 'beach' });
    expect(beaches.alternatives?.wider_radius_miles).toBeNull();
    const all = await searchAt(alex, here, { radius: '0.5' });
    expect(all.alternatives).toEqual({ types: [], wider_radius_miles: 1 });
    const found = await searchAt(alex, here, { radius: '10' });
    expect(found.alternatives).toBeNull();
  });
});

describe('a location', () => {
  test('creates a location from the form, with defaults for missing fields', async () => {
    const here = somewhere();
    const name = '  Oak Meadow ';
    const { location } = await alex.call(createLocation, { body: { name, ...here } });
    expect(location).toEqual({
      id: location.id,
      creator_user_id: alex.user.id,
      name: 'Oak Meadow',
      description: '',
      ...here,
      address: '',
      location_type: 'park',
      leash_required: false,
      parking_available: false,
      water_available: false,
      restrooms_available: false,
      fenced: false,
      off_leash: false,
      lit: false,
      opening_hours: null,
      osm_id: null,
      is_public: true,
      is_active: true,
      visit_count: 0,
      average_rating: null,
      tip_count: 0,
    });
    const all: LocationFields = {
      name: 'Elm Shore',
      description: 'Calm in the morning.',
      latitude: here.latitude,
      longitude: here.longitude,
      address: '1 Shore Road',
      location_type: 'beach',
      leash_required: true,
      parking_available: true,
      water_available: true,
      restrooms_available: true,
      is_public: false,
    };
    expect(await makePlace(alex, all)).toMatchObject(all);
    const read = await alex.call(getLocation, { params: { id: location.id } });
    expect(read.location).toEqual({
      ...location,
      tips: [],
      photos: [],
      own_rating: null,
      is_used_by_others: false,
    });
  });

  test.each<[object, Record<string, string>, string]>([
    [{ name: '' }, { name: 'Required' }, 'Required'],
    [{ name: '   ' }, { name: 'Required' }, 'Required'],
    [{ name: undefined }, { name: 'Required' }, 'Required'],
    [{ name: 'x'.repeat(101) }, { name: 'Invalid input' }, 'Invalid input'],
    [{ description: 'x'.repeat(501) }, { description: 'Invalid input' }, 'Invalid input'],
    [{ address: 'x'.repeat(201) }, { address: 'Invalid input' }, 'Invalid input'],
    [{ latitude: undefined }, { latitude: 'Required' }, 'Required'],
    [{ longitude: undefined }, { longitude: 'Required' }, 'Required'],
    [{ latitude: 90.1 }, { latitude: 'Invalid input' }, 'Invalid input'],
    [{ longitude: -180.1 }, { longitude: 'Invalid input' }, 'Invalid input'],
    [{ location_type: 'castle' }, { location_type: 'Invalid input' }, 'Invalid input'],
    [{ leash_required: 'yes' }, { leash_required: 'Invalid input' }, 'Invalid input'],
  ])('rejects a location with %j', async (wrong, fields, error) => {
    const body = { name: 'Somewhere', latitude: 1, longitude: 1, ...wrong };
    await expectRefused(alex.call(createLocation, { body }), 400, { error, fields });
    await expectRefused(alex.call(updateLocation, { params: { id: 'any' }, body }), 400, {
      error,
      fields,
    });
  });

  test('accepts the longest allowed name, description and address', async () => {
    const longest = {
      name: 'n'.repeat(100),
      description: 'd'.repeat(500),
      address: 'a'.repeat(200),
    };
    expect(await makePlace(alex, { ...longest, ...somewhere() })).toMatchObject(longest);
  });

  test('creates a location once when it is sent twice under one idempotency key', async () => {
    const here = somewhere();
    const body = { name: 'Once Only', ...here };
    const [first, second] = await Promise.all([
      alex.call(createLocation, { body, idempotencyKey: 'once' }),
      alex.call(createLocation, { body, idempotencyKey: 'once' }),
    ]);
    expect(second).toEqual(first);
    // The server stopped after it created the location and before it stored the idempotency key.
    await api.db.collection('idempotency_keys').deleteMany({});
    expect(await alex.call(createLocation, { body, idempotencyKey: 'once' })).toEqual(first);
    expect(await namesAt(sam, here)).toEqual(['Once Only']);
  });

  test('a private location is invisible to other users', async () => {
    const here = somewhere();
    const { id } = await makePlace(alex, { name: 'My Corner', ...here, is_public: false });
    expect(await namesAt(alex, here)).toEqual(['My Corner']);
    expect(await namesAt(sam, here)).toEqual([]);
    const body = { location_id: id };
    const notFound = { error: 'Location not found', code: 'not_found' };
    await expectRefused(sam.call(getLocation, { params: { id } }), 404, notFound);
    await expectRefused(sam.call(createVisit, { body }), 404, notFound);
    const tip = { ...body, title: 'A', content: 'B' };
    await expectRefused(sam.call(createTip, { body: tip }), 404, notFound);
    // Adding a similar location doesn't reveal it.
    await makePlace(sam, { name: 'My Corner', ...here });
  });

  test('only the creator can change and remove a location', async () => {
    const here = somewhere();
    const { id } = await makePlace(alex, { name: 'Wrong Name', ...here });
    const body = { name: 'Right Name', ...north(here, 1), water_available: true };
    const notFound = { error: 'Location not found', code: 'not_found' };
    await expectRefused(sam.call(updateLocation, { params: { id }, body }), 404, notFound);
    await expectRefused(sam.call(deleteLocation, { params: { id } }), 404, notFound);
    const { location } = await alex.call(updateLocation, { params: { id }, body });
    expect(location).toMatchObject(body);
    expect((await searchAt(sam, here)).locations).toMatchObject([{ id, distance_miles: 1 }]);
    expect(await alex.call(deleteLocation, { params: { id } })).toEqual({ is_removed: true });
    expect(await namesAt(sam, here)).toEqual([]);
    await expectRefused(alex.call(deleteLocation, { params: { id } }), 404, notFound);
  });

  test('a place used by others stays public, without its creator, after its creator deletes it', async () => {
    const here = somewhere();
    const { id } = await makePlace(alex, { name: 'Common Green', ...here });
    await alex.call(createVisit, { body: { location_id: id } });
    await sam.call(createVisit, { body: { location_id: id, rating: 4 } });
    const read = await alex.call(getLocation, { params: { id } });
    expect(read.location.is_used_by_others).toBe(true);
    const body = { name: 'Common Green', ...here, is_public: false };
    await expectRefused(alex.call(updateLocation, { params: { id }, body }), 409, {
      code: 'in_use',
      error: 'Other people use this place now, so it stays public',
    });
    expect(await alex.call(deleteLocation, { params: { id } })).toEqual({ is_removed: false });
    expect((await searchAt(sam, here)).locations).toMatchObject([
      { id, creator_user_id: null, visit_count: 2, average_rating: 4 },
    ]);
    await expectRefused(alex.call(deleteLocation, { params: { id } }), 404);
  });
});

describe('a similar location nearby', () => {
  test('rejects a similar location nearby, unless the user confirms that it is new', async () => {
    const here = somewhere();
    const first = await makePlace(alex, { name: 'Riverside Dog Park', ...here });
    const again = { name: 'riverside park', ...north(here, 0.1) };
    await expectRefused(sam.call(createLocation, { body: again }), 409, {
      code: 'similar_location',
      error: 'This place may already exist: Riverside Dog Park',
      fields: { candidates: first.id },
    });
    await makePlace(sam, { name: 'Riverside Dog Park', ...north(here, 2) });
    await makePlace(sam, { name: 'Hillside Dog Park', ...here });
    const body = { ...again, confirm_new: true };
    const { location } = await sam.call(createLocation, { body });
    expect(location.name).toBe('riverside park');
    // The nearest first.
    await expectRefused(alex.call(createLocation, { body: again }), 409, {
      fields: { candidates: `${location.id} ${first.id}` },
    });
  });
});

describe('search for locations', () => {
  test('finds locations within the radius, nearest first, with either name of each parameter', async () => {
    const here = somewhere();
    for (const [miles, name, location_type] of [
      [12.4, 'Far Lake', 'lake'],
      [0, 'Right Here', 'park'],
      [3.26, 'Third Trail', 'trail'],
      [1.04, 'Second Beach', 'beach'],
    ] as const)
      await makePlace(alex, { name, ...north(here, miles), location_type });
    const { locations, advertisements, next_cursor } = await searchAt(sam, here);
    expect(locations.map(({ name, distance_miles }) => [name, distance_miles])).toEqual([
      ['Right Here', 0],
      ['Second Beach', 1],
      ['Third Trail', 3.3],
    ]);
    expect({ advertisements, next_cursor }).toEqual({ advertisements: [], next_cursor: null });
    expect(await namesAt(sam, here, { radius: '100' })).toHaveLength(4);
    expect(await namesAt(sam, here, { radius: '2' })).toHaveLength(2);
    expect(await namesAt(sam, here, { radius_miles: '2' })).toHaveLength(2);
    expect(await namesAt(sam, here, { radius: '2', radius_miles: '50' })).toHaveLength(2);
    expect(await namesAt(sam, here, { radius_miles: '0.1' })).toEqual(['Right Here']);
    expect(await namesAt(sam, here, { type: 'trail' })).toEqual(['Third Trail']);
    expect(await namesAt(sam, here, { location_type: 'beach' })).toEqual(['Second Beach']);
    expect(await namesAt(sam, here, { type: 'all' })).toHaveLength(3);
    expect(await namesAt(sam, here, { type: '' })).toHaveLength(3);
  });

  test.each([
    ['latitude', undefined, 'Required'],
    ['longitude', '', 'Required'],
    ['latitude', '91', 'Invalid input'],
    ['latitude', 'here', 'Invalid input'],
    ['radius', '0.09', 'Invalid input'],
    ['radius', '100.1', 'Invalid input'],
    ['radius_miles', 'wide', 'Invalid input'],
    ['type', 'castle', 'Invalid input'],
    ['location_type', 'castle', 'Invalid input'],
    ['include_tips', 'perhaps', 'Invalid input'],
    ['include_ads', '1', 'Invalid input'],
    ['limit', '51', 'Invalid input'],
    ['limit', '0', 'Invalid input'],
    ['cursor', 'nonsense', 'Invalid input'],
  ])('rejects a search with %s %s', async (name, value, error) => {
    const query = { latitude: '1', longitude: '1', [name]: value };
    await expectRefused(alex.call(searchLocations, { query }), 400, {
      error,
      fields: { [name]: error },
    });
  });

  test('pages through all results, including locations at the same point', async () => {
    const here = somewhere();
    const made: string[] = [];
    for (let index = 0; index < 23; index += 1) {
      const spot = north(here, index < 12 ? 0.5 : index / 10);
      const name = `Place ${String.fromCodePoint(97 + index).repeat(6)}`;
      const body = { name, ...spot, confirm_new: true };
      made.push((await alex.call(createLocation, { body })).location.id);
    }
    expect((await searchAt(sam, here)).locations).toHaveLength(20);
    const found: { id: string; distance_miles: number }[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
      const page = await searchAt(sam, here, { limit: '5', ...(cursor && { cursor }) });
      found.push(...page.locations);
      cursor = page.next_cursor;
    }
    expect(found.map(({ id }) => id).toSorted()).toEqual(made.toSorted());
    const distances = found.map(({ distance_miles }) => distance_miles);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
  });

  test('pages through 300 locations at one point', async () => {
    const here = somewhere();
    const { id } = await makePlace(alex, { name: 'First of Many', ...here });
    const locations = api.db.collection<LocationRow>('locations');
    const row = await locations.findOne({ _id: id });
    if (!row) throw new Error('the place is not there');
    const many = Array.from({ length: 300 }, (_, index) => ({
      ...row,
      _id: `many-${index}-${id}`,
    }));
    await locations.insertMany(many);
    await makePlace(alex, { name: 'Behind Them', ...north(here, 1) });
    const found: string[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
      const page = await searchAt(sam, here, { limit: '50', ...(cursor && { cursor }) });
      found.push(...page.locations.map((location) => location.id));
      cursor = page.next_cursor;
    }
    expect(found).toHaveLength(302);
    expect(new Set(found).size).toBe(302);
    await locations.deleteMany({ _id: { $regex: `^many-.*${id}$` } });
  });

  test('finds locations across the antimeridian', async () => {
    const east = { latitude: -76, longitude: 179.99 };
    await makePlace(alex, { name: 'Beyond', latitude: -76, longitude: -179.99 });
    expect((await searchAt(sam, east)).locations).toMatchObject([
      { name: 'Beyond', distance_miles: 0.3 },
    ]);
  });

  test('returns the five most helpful tips of each location only on request', async () => {
    const here = somewhere();
    const { id } = await makePlace(alex, { name: 'Talked About', ...here });
    for (const title of ['1', '2', '3', '4', '5', '6', '7']) {
      const body = { location_id: id, title, content: 'Words.' };
      await alex.call(createTip, { body });
    }
    expect((await searchAt(sam, here)).locations).toMatchObject([{ tip_count: 7, tips: [] }]);
    const [place] = (await searchAt(sam, here, { include_tips: 'true' })).locations;
    expect(place?.tip_count).toBe(7);
    expect(place?.tips.map(({ title }) => title)).toEqual(['7', '6', '5', '4', '3']);
  });

  test('returns paying businesses within their own radius only on request', async () => {
    const here = somewhere();
    const { latitude, longitude } = north(here, 3);
    const place: ListingRow['place'] = { type: 'Point', coordinates: [longitude, latitude] };
    const near = await makeListing(api, { place, search_radius_miles: 5 });
    await makeListing(api, { place, search_radius_miles: 2, business_name: 'Too Far' });
    expect((await searchAt(sam, here)).advertisements).toEqual([]);
    const { advertisements } = await searchAt(sam, here, { include_ads: 'true' });
    const { business_name, business_type, description, address, phone, website_url } = near;
    expect(advertisements).toEqual([
      {
        business_name,
        business_type,
        description,
        address,
        phone,
        website_url,
        id: near._id,
        image_url: null,
        distance_miles: advertisements[0]?.distance_miles,
        view_id: advertisements[0]?.view_id,
      },
    ]);
    expect(advertisements[0]?.distance_miles).toBeCloseTo(3, 1);
    expect(advertisements[0]?.view_id).toMatch(/^.{10,}$/);
  });

  test('leaves out tips by people who blocked the user or were blocked by them', async () => {
    const here = somewhere();
    const [rude, calm] = await Promise.all([
      api.as('rude@example.com'),
      api.as('calm@example.com'),
    ]);
    await Promise.all([makeProfile(rude), makeProfile(calm)]);
    const { id } = await makePlace(rude, { name: 'Quarrel Hill', ...here });
    const body = { location_id: id, content: 'Words.' };
    await rude.call(createTip, { body: { ...body, title: 'Rude' } });
    await calm.call(createTip, { body: { ...body, title: 'Calm' } });
    await calm.call(createBlock, { body: { blocked_user_id: rude.user.id } });
    const seenBy = async (person: TestPerson) => {
      const [found] = (await searchAt(person, here, { include_tips: 'true' })).locations;
      const { location } = await person.call(getLocation, { params: { id } });
      expect(location.tips.map(({ title }) => title)).toEqual(
        found?.tips.map(({ title }) => title),
      );
      const { tip_count, creator_user_id } = found ?? {};
      return { tips: found?.tips.map(({ title }) => title), tip_count, creator_user_id };
    };
    const rudes = rude.user.id;
    expect(await seenBy(sam)).toEqual({
      tips: ['Calm', 'Rude'],
      tip_count: 2,
      creator_user_id: rudes,
    });
    expect(await seenBy(calm)).toEqual({ tips: ['Calm'], tip_count: 1, creator_user_id: null });
    expect(await seenBy(rude)).toEqual({ tips: ['Rude'], tip_count: 1, creator_user_id: rudes });
  });
});

describe('map tiles', () => {
  test('serves OpenStreetMap tiles by default, other tiles or none by configuration', async () => {
    expect(await alex.call(getMapTiles)).toEqual({
      tiles: {
        url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
        attribution: '© OpenStreetMap contributors',
        attribution_url: 'https://www.openstreetmap.org/copyright',
      },
    });
    const url = 'https://{s}.tiles.example/{z}/{x}/{y}.png';
    await api.restartApi({ TILE_URL: url });
    expect(await alex.call(getMapTiles)).toEqual({
      tiles: { url, attribution: 'tiles.example', attribution_url: null },
    });
    await api.restartApi({ TILE_URL: 'none' });
    expect(await alex.call(getMapTiles)).toEqual({ tiles: null });
  });
});
