import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { WAITED_HEADER } from '#shared/deferred-calls.ts';
import { mergeLocations } from '#shared/locations/admin-contract.ts';
import {
  createVisit,
  deleteLocation,
  getLocation,
  searchLocations,
} from '#shared/locations/contract.ts';
import type { ReadLocation, WalkLocation } from '#shared/locations/schemas.ts';
import {
  deleteVisit,
  listVisits,
  rateLocation,
  undoVisit,
  updateVisit,
  withdrawRating,
} from '#shared/locations/visit-contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { locationVisits, type LocationRow } from '../../api/features/locations/collections.ts';
import { recount } from '../../api/features/locations/location-stats.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { makePlace, north } from './made-places.ts';

let api: TestApi;
let alex: TestPerson;
let sam: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  [alex, sam] = await Promise.all([api.as('alex@example.com'), api.as('sam@example.com')]);
});
afterAll(() => api.close());

let corner = 0;
const place = (): Promise<WalkLocation> =>
  makePlace(alex, { name: 'Green', latitude: 10 + (corner += 1), longitude: 15 });
const visit = (person: TestPerson, { id }: { id: string }, more: object = {}) =>
  person.call(createVisit, { body: { location_id: id, ...more } });
const rate = (person: TestPerson, { id }: { id: string }, rating: number) =>
  person.call(rateLocation, { params: { id }, body: { rating } });
const read = async ({ id }: { id: string }, person = sam) =>
  (await person.call(getLocation, { params: { id } })).location;
const visitsOf = async (person: TestPerson, { id }: { id: string }) =>
  (await person.call(listVisits)).visits.filter(({ location_id }) => location_id === id);
/** Expects totals, also after the background job counted them anew. */
async function expectTotals(of: { id: string }, totals: Partial<ReadLocation>): Promise<void> {
  expect(await read(of)).toMatchObject(totals);
  await recount(api.db, of.id);
  expect(await read(of)).toMatchObject(totals);
}

test('records a visit near the place only, and takes today’s back, but not its rating', async () => {
  const green = await place();
  const { latitude, longitude } = green;
  const elsewhere = { latitude: latitude + 0.02, longitude };
  await expectRefused(visit(sam, green, elsewhere), 409, {
    error: 'You can record a visit when you’re there',
    code: 'not_there',
  });
  await expectTotals(green, { visit_count: 0 });
  await visit(sam, green, { latitude: latitude + 0.005, longitude, rating: 4 });
  await expectTotals(green, { visit_count: 1, average_rating: 4 });
  for (let times = 0; times < 2; times += 1)
    await sam.call(undoVisit, { params: { id: green.id } });
  await expectTotals(green, { visit_count: 0, average_rating: 4 });
  expect(await visitsOf(sam, green)).toEqual([]);
});

test('rates a place without a visit, once a person', async () => {
  const green = await place();
  expect(await rate(sam, green, 2)).toEqual({ average_rating: 2 });
  await rate(sam, green, 5);
  expect(await rate(alex, green, 4)).toEqual({ average_rating: 4.5 });
  await expectTotals(green, { visit_count: 0, average_rating: 4.5, own_rating: 5 });
  expect(await visitsOf(sam, green)).toEqual([]);
  for (const rating of [0, 6, 2.5, null])
    await expectRefused(
      sam.call(rateLocation, { params: { id: green.id }, body: { rating } } as never),
      400,
    );
  await expectRefused(rate(sam, { id: 'nowhere' }, 3), 404, { error: 'Location not found' });
});

test('a visit on the day of a rating counts once, whether it comes before, after or twice at once', async () => {
  const green = await place();
  await rate(sam, green, 3);
  await Promise.all([visit(sam, green), visit(sam, green)]);
  await rate(sam, green, 4);
  await expectTotals(green, { visit_count: 1, average_rating: 4 });
  expect(await visitsOf(sam, green)).toHaveLength(1);
});

test('a rating that waited on the device doesn’t replace one of a later day', async () => {
  const green = await place();
  await rate(sam, green, 5);
  await sam.call(rateLocation, {
    params: { id: green.id },
    body: { rating: 1 },
    headers: { [WAITED_HEADER]: String(2 * DAY_MS) },
    idempotencyKey: 'old-rating',
  });
  await expectTotals(green, { average_rating: 5, own_rating: 5, visit_count: 0 });
});

test('a withdrawn rating counts no more, nor do earlier ones, and visits keep their notes', async () => {
  const green = await place();
  const withdraw = (person: TestPerson, of: { id: string } = green) =>
    person.call(withdrawRating, { params: { id: of.id } });
  await rate(alex, green, 4);
  await visit(sam, green, { notes: 'Muddy', rating: 1 });
  // Two earlier days: one with a visit, one with a rating alone.
  const visits = locationVisits(api.db);
  const today = (await visits.findOne({ location_id: green.id, user_id: sam.user.id }))!;
  for (const [day, is_rating_only] of [
    ['2026-01-02', undefined],
    ['2026-01-03', true],
  ] as const)
    await visits.insertOne({
      ...today,
      _id: `${today._id} ${day}`,
      day,
      rating: 2,
      ...(is_rating_only && { is_rating_only }),
    });
  await recount(api.db, green.id);
  await expectTotals(green, { average_rating: 2.5, own_rating: 1, visit_count: 2 });

  expect(await withdraw(sam)).toEqual({ average_rating: 4 });
  await expectTotals(green, { average_rating: 4, own_rating: null, visit_count: 2 });
  expect((await visitsOf(sam, green)).map(({ notes }) => notes)).toContain('Muddy');
  expect(await withdraw(sam)).toEqual({ average_rating: 4 });
  await Promise.all([withdraw(alex), withdraw(alex)]);
  await expectTotals(green, { average_rating: null, visit_count: 2 });
  await rate(sam, green, 5);
  await expectTotals(green, { average_rating: 5, own_rating: 5 });
  await expectRefused(withdraw(sam, { id: 'nowhere' }), 404, { error: 'Location not found' });
});

test('a withdrawal that waited on the device leaves a rating of a later day', async () => {
  const green = await place();
  await rate(sam, green, 5);
  await sam.call(withdrawRating, {
    params: { id: green.id },
    headers: { [WAITED_HEADER]: String(2 * DAY_MS) },
    idempotencyKey: 'old-withdrawal',
  });
  await expectTotals(green, { average_rating: 5, own_rating: 5 });
});

test('lists a user’s own visits with notes, the latest first, and changes the notes', async () => {
  const [green, blue] = [await place(), await place()];
  await visit(sam, green, { notes: 'Muddy.' });
  await visit(sam, blue);
  await visit(alex, green, { notes: 'Alex was here' });
  const { visits } = await sam.call(listVisits);
  const [second, first] = visits.filter(({ location_id }) =>
    [green.id, blue.id].includes(location_id),
  );
  expect([second, first]).toMatchObject([
    { location_id: blue.id, location_name: 'Green', notes: null },
    { location_id: green.id, notes: 'Muddy.' },
  ]);
  expect(JSON.stringify(visits)).not.toContain('Alex was here');
  const params = { id: first!.id };
  const changed = await sam.call(updateVisit, { params, body: { notes: ' Dry again. ' } });
  expect(changed.visit).toMatchObject({ id: first!.id, notes: 'Dry again.' });
  await sam.call(updateVisit, { params, body: { notes: null } });
  expect((await visitsOf(sam, green))[0]?.notes).toBeNull();
  await expectRefused(sam.call(updateVisit, { params, body: { notes: 'x'.repeat(501) } }), 400);
  await expectRefused(alex.call(updateVisit, { params, body: { notes: 'Mine' } }), 404, {
    error: 'Visit not found',
  });
  await expectRefused(alex.call(deleteVisit, { params }), 404, { error: 'Visit not found' });
});

test('removes a visit and keeps the rating of its day', async () => {
  const green = await place();
  await visit(sam, green, { notes: 'Nice', rating: 4 });
  await visit(alex, green);
  const params = { id: (await visitsOf(sam, green))[0]!.id };
  await sam.call(deleteVisit, { params });
  await expectTotals(green, { visit_count: 1, average_rating: 4, own_rating: 4 });
  expect(await visitsOf(sam, green)).toEqual([]);
  await expectRefused(sam.call(deleteVisit, { params }), 404);
  const [own] = await visitsOf(alex, green);
  await alex.call(deleteVisit, { params: { id: own!.id } });
  await expectTotals(green, { visit_count: 0, average_rating: 4 });
  expect(JSON.stringify(await api.db.collection('location_visits').find().toArray())).not.toContain(
    'Nice',
  );
});

test('a place that is no longer shown to the visitor has no name in the list', async () => {
  const green = await place();
  await visit(sam, green);
  await api.db
    .collection<LocationRow>('locations')
    .updateOne({ _id: green.id }, { $set: { is_active: false } });
  expect(await visitsOf(sam, green)).toMatchObject([{ location_name: null }]);
});

test('a merge joins the rating of one place with the visit of the other on one day', async () => {
  const green = await place();
  const twin = await makePlace(alex, {
    name: 'Green Two',
    ...north(green, 0.1),
    confirm_new: true,
  });
  await rate(sam, green, 2);
  await visit(sam, twin, { notes: 'Same place' });
  const admin = await api.asAdmin();
  await admin.call(mergeLocations, { params: { id: twin.id }, body: { into_id: green.id } });
  await expectTotals(green, { visit_count: 1, average_rating: 2 });
  expect(await visitsOf(sam, green)).toMatchObject([{ notes: 'Same place' }]);
  // A place that someone rated stays when its creator removes it.
  await alex.call(deleteLocation, { params: { id: green.id } });
  const query = { latitude: String(green.latitude), longitude: String(green.longitude) };
  expect((await sam.call(searchLocations, { query })).locations).toMatchObject([{ id: green.id }]);
});
