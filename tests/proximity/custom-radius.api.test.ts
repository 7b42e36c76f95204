import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { METERS_PER_DEGREE } from '#shared/place.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { listen } from '../events/listen.ts';
import { makeDog, makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const here = { latitude: 47, longitude: 8 };
const north = (meters: number) => ({
  ...here,
  latitude: here.latitude + meters / METERS_PER_DEGREE,
});

async function owner(email: string) {
  const person = await api.as(email);
  await makeProfile(person);
  await makeDog(person);
  return person;
}

test('a user with a wider alert radius and people farther away are shown to each other, without a recorded encounter', async () => {
  const wide = await owner('wide@example.com');
  const walker = await owner('walker@example.com');
  // 146 m includes the walker even if their coarse location is off by up to 90 m.
  const first = { body: { ...here, radius_feet: 480 } };
  expect((await wide.call(reportLocation, first)).nearbyUsers).toEqual([]);
  const listening = await listen(api.origin, wide);
  const answer = await walker.call(reportLocation, { body: north(40) });
  expect(answer.nearbyUsers).toMatchObject([{ user_id: wide.user.id }]);
  const event = await listening.next('encounter');
  expect(event).toMatchObject({
    type: 'encounter',
    user: { user_id: walker.user.id, dogs: [{ name: 'Rex' }] },
  });
  // The secret offset of the coarse location decides between the two ranges.
  expect([250, 480]).toContain(event.user.distance_feet);
  listening.close();
  expect((await wide.call(reportLocation, first)).nearbyUsers).toMatchObject([
    { user_id: walker.user.id, distance_feet: event.user.distance_feet },
  ]);
  // With the usual radius, neither sees the other.
  expect((await wide.call(reportLocation, { body: here })).nearbyUsers).toEqual([]);
  expect((await walker.call(reportLocation, { body: north(40) })).nearbyUsers).toEqual([]);
  expect(await api.db.collection('proximity_events').countDocuments()).toBe(0);
});

test.each([9, 501, 'far'])('rejects a radius of %s', async (radius) => {
  const person = await api.as('wrong@example.com');
  const body = { ...here, radius_feet: radius as number };
  await expectRefused(person.call(reportLocation, { body }), 400, {
    error: 'Invalid input',
    fields: { radius_feet: 'Invalid input' },
  });
});
