import type { Db } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { changeAdminLocation, mergeLocations } from '#shared/locations/admin-contract.ts';
import {
  createTip,
  createVisit,
  deleteLocation,
  getLocation,
  searchLocations,
  SIMILAR_LOCATION,
  updateLocation,
} from '#shared/locations/contract.ts';
import type { WalkLocation } from '#shared/locations/schemas.ts';
import type { Place } from '#shared/place.ts';
import {
  locationClaims,
  locations,
  locationTips,
  locationVisits,
} from '../../api/features/locations/collections.ts';
import { mergePlaces } from '../../api/features/locations/merge.ts';
import { runPlacesJob } from '../../api/features/locations/run-places-job.ts';
import { openDatabase } from '../../api/platform/database.ts';
import { CallError } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { makePlace, north } from './made-places.ts';

let api: TestApi;
let db: Db;
let admin: TestPerson;
let alex: TestPerson;
let sam: TestPerson;
let kim: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  db = await openDatabase(inject('mongodbUri'), api.env['MONGODB_DB']!);
  admin = await api.asAdmin();
  [alex, sam, kim] = (await Promise.all(
    ['alex', 'sam', 'kim'].map((name) => api.as(`${name}@example.com`)),
  )) as [TestPerson, TestPerson, TestPerson];
});
afterAll(async () => {
  await db.client.close();
  await api.close();
});

const ROUNDS = 12;
let corner = 0;
const freshPlace = (): Place => north({ latitude: 10, longitude: 5 }, (corner += 2));
const green = (owner = alex, name = 'Green') => makePlace(owner, { name, ...freshPlace() });
const found = async (place: Place): Promise<WalkLocation[]> => {
  const query = {
    latitude: String(place.latitude),
    longitude: String(place.longitude),
    radius: '0.3',
  };
  return (await sam.call(searchLocations, { query })).locations;
};
const read = async ({ id }: { id: string }) =>
  (await kim.call(getLocation, { params: { id } })).location;
/** Titles of the public tips; null when the location is not visible. */
const tipsOf = (place: { id: string }): Promise<string[] | null> =>
  read(place).then(
    ({ tips }) => tips.map(({ title }) => title),
    () => null,
  );
const addTip = (person: TestPerson, { id }: { id: string }, title: string) =>
  person.call(createTip, { body: { location_id: id, title, content: 'Oaks.' } });
const visit = (person: TestPerson, { id }: { id: string }) =>
  person.call(createVisit, { body: { location_id: id, rating: 4 } });
const merge = ({ id }: { id: string }, into: { id: string }) =>
  admin.call(mergeLocations, { params: { id }, body: { into_id: into.id } });
const remove = (person: TestPerson, { id }: { id: string }) =>
  person.call(deleteLocation, { params: { id } });
/** The error of a call, or null when it succeeded. */
const refusal = (asked: Promise<unknown>): Promise<CallError | null> =>
  asked.then(
    () => null,
    (error: unknown) => {
      if (error instanceof CallError) return error;
      throw error;
    },
  );
/** Spread over the few milliseconds that a request takes. */
const soon = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 12));

describe('twenty simultaneous requests to create the same location', () => {
  test('creates one location when twenty people post it at once, and names it to the others', async () => {
    const people = await Promise.all(
      Array.from({ length: 20 }, (_, i) => api.as(`poster-${i}@example.com`)),
    );
    const place = freshPlace();
    const outcomes = await Promise.all(
      people.map((person, i) =>
        refusal(
          makePlace(person, {
            name: i % 2 ? 'Riverside Park' : 'The riverside dog park',
            ...north(place, i / 2_000),
          }),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
    const [there, ...others] = await found(place);
    expect(others).toEqual([]);
    const refused = outcomes.filter((outcome) => outcome !== null);
    expect(refused).toHaveLength(19);
    for (const { code, fields } of refused)
      expect({ code, fields }).toEqual({
        code: SIMILAR_LOCATION,
        fields: { candidates: there?.id },
      });
    expect(await locationClaims(db).countDocuments()).toBe(0);
  });

  test('creates every location that is confirmed as new, even at the same time', async () => {
    const place = freshPlace();
    await Promise.all(
      [alex, sam, kim].map((person) =>
        makePlace(person, { name: 'Meadow', ...place, confirm_new: true }),
      ),
    );
    expect(await found(place)).toHaveLength(3);
  });

  test('creates private locations of the same name for several users at once', async () => {
    const place = freshPlace();
    const own = { name: 'Secret meadow', ...place, is_public: false };
    const outcomes = await Promise.all(
      [alex, sam, kim].map((person) => refusal(makePlace(person, own))),
    );
    expect(outcomes).toEqual([null, null, null]);
  });

  test('ignores the claim of a request that ended without releasing it', async () => {
    const place = freshPlace();
    const point = { type: 'Point' as const, coordinates: [place.longitude, place.latitude] };
    await locationClaims(db).insertOne({
      _id: '0',
      name: 'Meadow',
      point: point as { type: 'Point'; coordinates: [number, number] },
      creator_user_id: sam.user.id,
      is_public: true,
      at: new Date(Date.now() - 60_000),
    });
    expect((await makePlace(alex, { name: 'Meadow', ...place })).name).toBe('Meadow');
    expect(await locationClaims(db).countDocuments()).toBe(0);
  });
});

describe('two admins who merge two locations into each other', () => {
  test('merging two locations into each other at once leaves one, with the tips and visits of both', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = [await green(), await green(sam, 'Meadow')];
      await Promise.all([
        addTip(kim, one, 'One'),
        addTip(kim, other, 'Other'),
        visit(alex, other),
        visit(sam, one),
      ]);
      const outcomes = await Promise.all([refusal(merge(one, other)), refusal(merge(other, one))]);
      expect(outcomes.filter((outcome) => outcome === null).length).toBeLessThanOrEqual(1);
      const refused = outcomes.filter((outcome) => outcome !== null);
      for (const { status } of refused) expect(status).toBe(409);
      if (outcomes.every(Boolean)) await merge(one, other);
      const [a, b] = [await read(one), await read(other)];
      expect(a.id).toBe(b.id);
      expect(a.tips.map(({ title }) => title).toSorted()).toEqual(['One', 'Other']);
      expect(a.visit_count).toBe(2);
    }
  });

  test('merging three locations in a ring loses no tips', async () => {
    for (let round = 0; round < ROUNDS / 2; round++) {
      const ring = [await green(), await green(sam, 'Meadow'), await green(kim, 'Wood')];
      for (const [i, one] of ring.entries()) await addTip(kim, one, String(i));
      await Promise.all(ring.map((one, i) => refusal(merge(one, ring[(i + 1) % 3]!))));
      const tips = new Map<string, string[]>();
      for (const one of ring) {
        const { id, tips: its } = await read(one);
        tips.set(
          id,
          its.map(({ title }) => title),
        );
      }
      expect([...tips.values()].flat().toSorted()).toEqual(['0', '1', '2']);
    }
  });
});

describe('the target of a merge', () => {
  test('the data of a place follow its target, which was merged before they arrived', async () => {
    const [one, target, last] = [
      await green(),
      await green(sam, 'Meadow'),
      await green(kim, 'Wood'),
    ];
    await addTip(kim, one, 'One');
    await merge(target, last);
    // As a request left it that marked the place just before the other merge.
    await locations(db).updateOne({ _id: one.id }, { $set: { merged_into: target.id } });
    await mergePlaces(db, one.id, target.id);
    const { id, tips } = await read(one);
    expect(id).toBe(last.id);
    expect(tips.map(({ title }) => title)).toEqual(['One']);
  });

  test('the target of a merge stays public when its creator removes it', async () => {
    const [one, other] = [await green(), await green(sam, 'Meadow')];
    await merge(one, other);
    expect(await remove(sam, other)).toEqual({ is_removed: false });
    expect(await read(one)).toMatchObject({ id: other.id, creator_user_id: null });
  });

  test('the target of a merge is deleted when all merged locations belong to its creator', async () => {
    const [one, other] = [await green(alex), await green(alex, 'Meadow')];
    await merge(one, other);
    expect(await remove(alex, other)).toEqual({ is_removed: true });
    await expectRefused(read(one), 404);
    expect(await locations(db).countDocuments({ _id: { $in: [one.id, other.id] } })).toBe(0);
  });

  test('removing a location while another is merged into it keeps the tips of the other', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = [await green(), await green(sam, 'Meadow')];
      await addTip(kim, one, 'One');
      const [merged, removed] = await Promise.all([
        soon().then(() => refusal(merge(one, other))),
        soon().then(() => refusal(remove(sam, other))),
      ]);
      expect(removed).toBeNull();
      expect([undefined, 404, 409]).toContain(merged?.status);
      const { id, tips } = await read(one);
      expect(id).toBe(merged ? one.id : other.id);
      expect(tips.map(({ title }) => title)).toEqual(['One']);
    }
  });

  test('chained merges at the same time all lead to the last target', async () => {
    for (let round = 0; round < ROUNDS / 2; round++) {
      const [one, two, three] = [
        await green(),
        await green(sam, 'Meadow'),
        await green(kim, 'Wood'),
      ];
      await addTip(kim, one, 'One');
      await visit(alex, two);
      const outcomes = await Promise.all([
        soon().then(() => refusal(merge(one, two))),
        soon().then(() => refusal(merge(two, three))),
      ]);
      await locations(db).updateMany({ is_checked: false }, { $set: { changed_at: new Date(0) } });
      await runPlacesJob(db);
      const { id, tips } = await read(one);
      expect(id).toBe(outcomes[0] ? one.id : outcomes[1] ? two.id : three.id);
      expect(tips.map(({ title }) => title)).toEqual(['One']);
      expect((await read(two)).visit_count).toBe(1);
    }
  });
});

describe('writes while a location is removed', () => {
  test('an acknowledged tip survives the removal of its location, or the tip is rejected', async () => {
    for (let round = 0; round < ROUNDS * 2; round++) {
      const place = await green();
      const [tipError] = await Promise.all([
        soon().then(() => refusal(addTip(kim, place, 'Shade'))),
        soon().then(() => remove(alex, place)),
      ]);
      const rest = await locationTips(db).countDocuments({ location_id: place.id });
      expect({ refused: tipError?.status, tips: await tipsOf(place), rest }).toEqual(
        tipError
          ? { refused: 404, tips: null, rest: 0 }
          : { refused: undefined, tips: ['Shade'], rest: 1 },
      );
    }
  });

  test('an acknowledged visit survives the removal of its location, or the visit is rejected', async () => {
    for (let round = 0; round < ROUNDS * 2; round++) {
      const place = await green();
      const [visitError] = await Promise.all([
        soon().then(() => refusal(visit(kim, place))),
        soon().then(() => remove(alex, place)),
      ]);
      const rest = await locationVisits(db).countDocuments({ location_id: place.id });
      const visits = await read(place).then(
        ({ visit_count }) => visit_count,
        () => null,
      );
      expect({ refused: visitError?.status, visits, rest }).toEqual(
        visitError
          ? { refused: 404, visits: null, rest: 0 }
          : { refused: undefined, visits: 1, rest: 1 },
      );
    }
  });

  test('a location can’t become private while another user’s tip is being added', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const place = await green();
      const { latitude, longitude } = place;
      const body = { name: 'Green', latitude, longitude, is_public: false };
      const [tipError, hideError] = await Promise.all([
        soon().then(() => refusal(addTip(kim, place, 'Shade'))),
        soon().then(() => refusal(alex.call(updateLocation, { params: { id: place.id }, body }))),
      ]);
      expect({ tip: tipError?.status, hide: hideError?.code, tips: await tipsOf(place) }).toEqual(
        tipError
          ? { tip: 404, hide: undefined, tips: null }
          : { tip: undefined, hide: 'in_use', tips: ['Shade'] },
      );
    }
  });

  test('tips and visits that are added during a merge end up at the target', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [one, other] = [await green(), await green(sam, 'Meadow')];
      await Promise.all([
        soon().then(() => addTip(kim, one, 'Shade')),
        soon().then(() => visit(kim, one)),
        soon().then(() => merge(one, other)),
      ]);
      const { id, tips } = await read(one);
      expect(id).toBe(other.id);
      expect(tips.map(({ title }) => title)).toEqual(['Shade']);
      expect(await locationVisits(db).countDocuments({ location_id: other.id })).toBe(1);
    }
  });
});

test('a location that is shown and merged at once does not appear beside its target', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [one, other] = [await green(), await green(sam, 'Meadow')];
    const params = { id: one.id };
    await admin.call(changeAdminLocation, { params, body: { is_active: false } });
    const [merged] = await Promise.all([
      refusal(merge(one, other)),
      soon().then(() =>
        refusal(admin.call(changeAdminLocation, { params, body: { is_active: true } })),
      ),
    ]);
    expect(merged).toBeNull();
    expect((await found(one)).map(({ id }) => id)).toEqual([]);
    expect((await read(one)).id).toBe(other.id);
  }
});

test('the background job finishes a merge and a removal that a crash interrupted', async () => {
  const [merging, removing, target] = [await green(), await green(), await green(sam, 'Meadow')];
  const expires_at = new Date(Date.now() - 110_000);
  await addTip(kim, merging, 'Shade');
  for (const [{ id }, into] of [
    [merging, target.id],
    [removing, null],
  ] as const)
    await locations(db).updateOne(
      { _id: id },
      { $set: { lease: { id: 'crashed', into, expires_at } } },
    );
  await visit(kim, removing);
  expect((await read(removing)).visit_count).toBe(1);
  await merge(merging, target);
  expect((await read(merging)).tips).toHaveLength(1);

  const removed = await green();
  await addTip(alex, removed, 'Mine');
  const removal = { is_removed: true as const, is_active: false, is_public: false };
  const unchecked = { is_checked: false, changed_at: new Date(0) };
  await locations(db).updateOne(
    { _id: removed.id },
    { $set: { ...removal, creator_user_id: null, ...unchecked } },
  );
  await expectRefused(read(removed), 404);
  await runPlacesJob(db);
  expect(await locations(db).countDocuments({ _id: removed.id })).toBe(0);
  expect(await locationTips(db).countDocuments({ location_id: removed.id })).toBe(0);
});
