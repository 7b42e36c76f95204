import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { listAmenities, type AmenityKind } from '#shared/amenities/contract.ts';
import { suggestGeocoder } from '#shared/geocoder/contract.ts';
import {
  createTip,
  deleteLocation,
  getLocation,
  searchLocations,
  updateLocation,
} from '#shared/locations/contract.ts';
import type { PlaceFeature } from '#shared/locations/schemas.ts';
import { locations } from '../../api/features/locations/collections.ts';
import { runPlacesJob } from '../../api/features/locations/run-places-job.ts';
import { importPlaces } from '../../api/features/openstreetmap/import-places.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makePlace } from '../locations/made-places.ts';
import { expectRefused } from '../refusals.ts';
import { type MadeObject, square, writeExtract } from './made-extract.ts';

let api: TestApi;
let alex: TestPerson;
let sam: TestPerson;
let folder: string;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  [alex, sam] = await Promise.all([api.as('alex@example.com'), api.as('sam@example.com')]);
  folder = await mkdtemp(join(tmpdir(), 'extract-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await api.close();
});

/** The database, but something happens before the first lease of a place. */
function interrupted(act: () => Promise<unknown>): Db {
  let waiting: typeof act | null = act;
  const db = Object.create(api.db) as Db;
  db.collection = ((name: string) => {
    const rows = api.db.collection(name);
    const lease = rows.findOneAndUpdate.bind(rows) as (...of: unknown[]) => Promise<unknown>;
    const findOneAndUpdate = async (...of: unknown[]) => {
      const next = waiting;
      waiting = null;
      await next?.();
      return lease(...of);
    };
    return Object.assign(rows, { findOneAndUpdate });
  }) as Db['collection'];
  return db;
}

let regions = 0;
/** A part of the world that no other test uses, and a function that imports objects of it. */
function region() {
  regions += 1;
  const name = `region ${regions}`;
  const at = [-40 - regions, 10] as const;
  return {
    at,
    base: regions * 1_000,
    async take(objects: readonly MadeObject[], allowRemovals = false, db: Db = api.db) {
      const file = join(folder, `${name}.osm.pbf`);
      await writeExtract(file, objects);
      return importPlaces(db, { file, region: name, allowRemovals });
    },
    async places(...features: PlaceFeature[]) {
      const query = {
        latitude: String(at[0]),
        longitude: String(at[1]),
        radius: '5',
        features: features.join(','),
      };
      return (await sam.call(searchLocations, { query })).locations;
    },
    async amenities(utc_offset: number, ...kinds: AmenityKind[]) {
      const query = {
        latitude: String(at[0]),
        longitude: String(at[1]),
        radius: 5,
        kinds: kinds.join(','),
        utc_offset,
      };
      return (await sam.call(listAmenities, { query })).amenities;
    },
  };
}

const DOG_PARK = { leisure: 'dog_park', name: 'Paw Corner', fenced: 'yes', lit: 'yes' };
const read = (id: string) => alex.call(getLocation, { params: { id } });

describe('an import', () => {
  test('reads the places and amenities of a real extract', async () => {
    const file = join(import.meta.dirname, 'suburb.osm.pbf');
    const first = await importPlaces(api.db, { file, region: 'suburb' });
    expect(first).toMatchObject({ removed: 0, duplicates: 0 });
    expect(first.places).toBeGreaterThan(0);
    const dogParks = await api.db
      .collection('locations')
      .find({ 'imported.region': 'suburb', off_leash: true })
      .toArray();
    expect(dogParks).toHaveLength(1);
    const [longitude, latitude] = dogParks[0]!.point.coordinates;
    const query = { latitude: String(latitude), longitude: String(longitude), radius: '0.1' };
    const { locations } = await sam.call(searchLocations, { query });
    expect(locations[0]).toMatchObject({
      creator_user_id: null,
      off_leash: true,
      osm_id: expect.stringMatching(/^(node|way|relation)\/\d+$/),
    });
    expect(await importPlaces(api.db, { file, region: 'suburb' })).toEqual({
      ...first,
      written: 0,
    });
  });

  test('gives places their type, rules and center, and what is around them', async () => {
    const { at, base, take, places } = region();
    const near = (north: number, east: number) => [at[0] + north, at[1] + east] as const;
    await take([
      ...square(base, at, DOG_PARK),
      ...square(base + 10, near(0.01, 0), { natural: 'beach', name: 'Sands', dog: 'leashed' }),
      ...square(base + 20, near(0.02, 0), { landuse: 'forest', name: 'Oakwood' }),
      ...square(base + 30, near(0.03, 0), { leisure: 'park', name: 'No Dogs', dog: 'no' }),
      ...square(base + 40, near(0.03, 0.01), { leisure: 'park', name: 'Mine', access: 'private' }),
      { node: base + 50, at: near(0.0005, 0), tags: { amenity: 'drinking_water' } },
      ...square(base + 60, near(-0.02, 0), {}),
      { relation: base + 70, ways: [base + 60], tags: { leisure: 'park', name: 'Great Park' } },
    ]);
    const found = await places();
    expect(Object.fromEntries(found.map((place) => [place.name, place]))).toMatchObject({
      'Paw Corner': {
        osm_id: `way/${base}`,
        location_type: 'park',
        off_leash: true,
        fenced: true,
        lit: true,
        water_available: true,
        latitude: expect.closeTo(at[0], 5),
        longitude: expect.closeTo(at[1], 5),
      },
      Sands: { location_type: 'beach', leash_required: true, off_leash: false },
      Oakwood: { location_type: 'forest', water_available: false },
      'Great Park': { osm_id: `relation/${base + 70}`, location_type: 'park' },
    });
    expect(found).toHaveLength(4);
    const names = async (...features: PlaceFeature[]) =>
      (await places(...features)).map(({ name }) => name);
    expect(await names('off_leash', 'water_available')).toEqual(['Paw Corner']);
    expect(await names('parking_available')).toEqual([]);
  });

  test('names a place without a name by its street or town', async () => {
    const { base, take } = region();
    const springfield = [39.8, -89.65] as const;
    const tags = { leisure: 'dog_park' };
    await take([
      { node: base, at: springfield, tags },
      { node: base + 1, at: [39.7, -89.65], tags: { ...tags, 'addr:street': 'Elm Street' } },
      { node: base + 2, at: [-65, 10], tags },
      { node: base + 3, at: springfield, tags: { leisure: 'park' } },
    ]);
    const ids = [0, 1, 2, 3].map((number) => `osm-n${base + number}`);
    const rows = await locations(api.db)
      .find({ _id: { $in: ids } })
      .sort({ _id: 1 })
      .toArray();
    expect(rows.map(({ name }) => name)).toEqual([
      'Dog park in Springfield',
      'Dog park, Elm Street',
      'Dog park',
    ]);
  });

  test('makes one place of the parts of a trail, and of a node within an area of that name, and none of an alley', async () => {
    const { at, base, take, places } = region();
    await take([
      ...square(base, at, { leisure: 'park', name: 'Elm Park' }),
      { node: base + 10, at, tags: { leisure: 'park', name: 'Elm Park' } },
      { node: base + 30, at: [at[0] + 0.01, at[1]] },
      { node: base + 31, at: [at[0] + 0.011, at[1]] },
      { way: base + 30, refs: [base + 30, base + 31], tags: { highway: 'footway', name: 'Mews' } },
      { node: base + 20, at: [at[0], at[1] + 0.01] },
      { node: base + 21, at: [at[0], at[1] + 0.02] },
      { node: base + 22, at: [at[0], at[1] + 0.03] },
      {
        way: base + 20,
        refs: [base + 20, base + 21],
        tags: { highway: 'path', name: 'River Way' },
      },
      {
        way: base + 21,
        refs: [base + 21, base + 22],
        tags: { highway: 'path', name: 'River Way' },
      },
    ]);
    expect((await places()).map(({ name }) => name)).toEqual(['Elm Park', 'River Way']);
  });

  test('refuses a file that isn’t an extract, and changes nothing', async () => {
    const { take, base, at, places } = region();
    await take(square(base, at, DOG_PARK));
    const file = join(import.meta.dirname, 'made-extract.ts');
    await expect(importPlaces(api.db, { file, region: `region ${regions}` })).rejects.toThrow();
    expect(await places()).toHaveLength(1);
  });
});

describe('a repeated import', () => {
  test('changes what changed and removes what is gone, but keeps what members use', async () => {
    const { at, base, take, places } = region();
    const kept = square(base + 20, [at[0] + 0.02, at[1]], { leisure: 'park', name: 'Kept' });
    const used = square(base + 10, [at[0] + 0.01, at[1]], { leisure: 'park', name: 'Used' });
    const unused = square(base + 30, [at[0] + 0.03, at[1]], { leisure: 'park', name: 'Unused' });
    const bin = { node: base + 40, at, tags: { amenity: 'waste_basket' } };
    await take([...square(base, at, DOG_PARK), ...kept, ...used, ...unused, bin]);
    const usedId = (await places()).find(({ name }) => name === 'Used')?.id ?? '';
    const tip = { location_id: usedId, title: 'Shade', content: 'Oaks.' };
    await sam.call(createTip, { body: tip });

    const report = await take([...square(base, at, { ...DOG_PARK, name: 'Paw Field' }), ...kept]);
    expect(report).toMatchObject({ places: 2, written: 1, removed: 2 });
    expect((await places()).map(({ name }) => name)).toEqual(['Paw Field', 'Used', 'Kept']);
    expect((await read(usedId)).location.tips).toMatchObject([{ title: 'Shade' }]);
  });

  test('removes nothing of a large region from a file that lacks most of it, unless told to', async () => {
    const { at, base, take } = region();
    const bins = Array.from({ length: 30 }, (_, n) => ({
      node: base + n,
      at: [at[0] + n / 1_000, at[1]] as const,
      tags: { amenity: 'waste_basket' },
    }));
    await take(bins);
    await expect(take(bins.slice(0, 10))).rejects.toThrow('20 of 30 amenities');
    expect(await take(bins.slice(0, 10), true)).toMatchObject({ removed: 20 });
  });

  test('keeps a correction of a member beside what is imported, for everyone', async () => {
    const { at, base, take, places } = region();
    await take(square(base, at, DOG_PARK));
    const [place] = await places();
    const { id = '', ...shown } = place ?? {};
    const body = { ...shown, name: 'Paw Corner North', fenced: false } as typeof shown & {
      name: string;
      latitude: number;
      longitude: number;
    };
    const { location } = await alex.call(updateLocation, { params: { id }, body });
    expect(location).toMatchObject({
      name: 'Paw Corner North',
      fenced: false,
      creator_user_id: null,
    });

    await take(square(base, at, { ...DOG_PARK, lit: 'no', name: 'Paw Corner Dog Park' }));
    expect(await places()).toMatchObject([
      { id, name: 'Paw Corner North', fenced: false, lit: false, off_leash: true },
    ]);
    const row = await api.db.collection('locations').findOne({ _id: id as never });
    expect(row?.imported.facts).toMatchObject({ name: 'Paw Corner Dog Park', fenced: true });
    expect(Object.keys(row?.correction.facts).toSorted()).toEqual(['fenced', 'name', 'words']);
    await expectRefused(alex.call(deleteLocation, { params: { id } }), 404, {
      error: 'Location not found',
    });
  });

  test('keeps a place that is gone from the file but that a member corrected', async () => {
    const { at, base, take, places } = region();
    const park = square(base + 10, [at[0] + 0.01, at[1]], { leisure: 'park', name: 'Elm Park' });
    await take([...square(base, at, DOG_PARK), ...park]);
    const place = (await places()).find(({ name }) => name === 'Paw Corner')!;
    const { id, ...shown } = place;
    const body = { ...shown, name: 'Paw Corner North' };
    await alex.call(updateLocation, { params: { id }, body });
    expect(await take(park)).toMatchObject({ removed: 0 });
    expect((await places()).map(({ name }) => name)).toEqual(['Paw Corner North', 'Elm Park']);

    // Corrected back.
    await alex.call(updateLocation, { params: { id }, body: shown });
    expect(await take(park)).toMatchObject({ removed: 1 });
  });

  test('leads to the same place of a member instead of showing it twice, until that is removed', async () => {
    const { at, base, take, places } = region();
    const [latitude, longitude] = at;
    const own = await makePlace(alex, { name: 'Paw Corner', latitude, longitude });
    const report = await take(square(base, [latitude + 0.001, longitude], DOG_PARK));
    expect(report).toMatchObject({ duplicates: 1 });
    expect(await places()).toMatchObject([{ id: own.id, osm_id: null }]);
    expect((await read(`osm-w${base}`)).location.id).toBe(own.id);
    expect(await take(square(base, [latitude + 0.001, longitude], DOG_PARK))).toMatchObject({
      duplicates: 0,
    });
    await alex.call(deleteLocation, { params: { id: own.id } });
    expect(await places()).toMatchObject([{ id: `osm-w${base}`, osm_id: `way/${base}` }]);
  });

  test('shows the same place again when a member makes theirs private, even after a crash', async () => {
    const { at, base, take, places } = region();
    const fields = { name: 'Paw Corner', latitude: at[0], longitude: at[1] };
    const { id } = await makePlace(alex, fields);
    await take(square(base, at, DOG_PARK));
    expect(await places()).toMatchObject([{ id }]);
    await alex.call(updateLocation, { params: { id }, body: { ...fields, is_public: false } });
    const imported = { _id: `osm-w${base}` };
    expect(await places()).toMatchObject([{ id: imported._id }]);

    // As a crash right after the write of the private place leaves it.
    const hidden = { merged_into: id, is_active: false, is_checked: true };
    await locations(api.db).updateOne(imported, { $set: hidden });
    await locations(api.db).updateOne(
      { _id: id, is_checked: false },
      { $set: { changed_at: new Date(0) } },
    );
    await runPlacesJob(api.db);
    expect(await places()).toMatchObject([{ id: imported._id }]);
  });

  test('goes on when a member removes the same place at that moment', async () => {
    const { at, base, take, places } = region();
    const gone = square(base + 10, [at[0] + 0.01, at[1]], { leisure: 'park', name: 'Gone' });
    await take(gone);
    const [latitude, longitude] = at;
    const { id } = await makePlace(alex, { name: 'Paw Corner', latitude, longitude });
    const db = interrupted(() => alex.call(deleteLocation, { params: { id } }));
    const report = await take(square(base, at, DOG_PARK), false, db);
    expect(report).toMatchObject({ duplicates: 0, removed: 1 });
    expect(await places()).toMatchObject([{ id: `osm-w${base}` }]);
  });
});

describe('amenities', () => {
  test('come nearest first, with what they offer and whether they are open by the caller’s clock', async () => {
    const { at, base, take, amenities } = region();
    await take([
      {
        node: base,
        at: [at[0] + 0.01, at[1]],
        tags: {
          amenity: 'veterinary',
          name: 'Dr. Paw',
          phone: '+1 541 555 0100',
          opening_hours: '24/7',
        },
      },
      {
        node: base + 1,
        at,
        tags: { amenity: 'toilets', fee: 'no', opening_hours: 'now and then' },
      },
      { node: base + 2, at, tags: { amenity: 'vending_machine', vending: 'excrement_bags' } },
      { node: base + 3, at, tags: { amenity: 'toilets', access: 'private' } },
    ]);
    expect(await amenities(0, 'vet', 'toilets')).toMatchObject([
      { kind: 'toilets', notes: ['Free'], opening_hours: null, is_open: null },
      { kind: 'vet', name: 'Dr. Paw', phone: '+1 541 555 0100', is_open: true, changes_at: null },
    ]);
    expect(await amenities(0, 'bin')).toMatchObject([{ notes: ['Bags for dog waste'] }]);
  });
});

test('suggestions name near places first', async () => {
  const { at, base, take } = region();
  const far = region();
  await take(square(base, at, { leisure: 'park', name: 'Hydewood Park' }));
  await far.take(square(far.base, far.at, { leisure: 'park', name: 'Hydewood Park' }));
  const [latitude, longitude] = far.at;
  const { results, attributions } = await sam.call(suggestGeocoder, {
    query: { query: 'hydewood', latitude, longitude },
  });
  expect(results.map(({ id }) => id)).toEqual([`osm-w${far.base}`, `osm-w${base}`]);
  expect(attributions).toMatchObject([{ text: '© OpenStreetMap contributors' }]);
});
