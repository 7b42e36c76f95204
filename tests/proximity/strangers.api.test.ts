import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  createFriendRequest,
  listFriendRequests,
  respondToFriendRequest,
} from '#shared/friends/contract.ts';
import { METERS_PER_DEGREE, metersBetween, type Place, radians } from '#shared/place.ts';
import { dropLocation, reportLocation } from '#shared/proximity/contract.ts';
import { coarsePlace, createOffsets } from '../../api/features/proximity/engine/coarse-location.ts';
import { STRANGERS_MAX } from '../../api/features/proximity/storage/stranger-budget.ts';
import { SECRET, startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeDog, makeProfile } from '../factories.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const here = { latitude: 12, longitude: 34 };
const north = (meters: number) => ({
  ...here,
  latitude: here.latitude + meters / METERS_PER_DEGREE,
});
const wide = { ...here, radius_feet: 500 };

const offsetsOf = createOffsets(SECRET);
/** Returns the place 60 meters from `here` where the coarse location of one person is closest to the other's. */
function beside(viewer: TestPerson, other: TestPerson): Place {
  const coarse = ({ user }: TestPerson, place: Place) =>
    coarsePlace(place, offsetsOf(user.id, Date.now)(place));
  const shown = coarse(viewer, here);
  const places = Array.from({ length: 36 }, (_, index) => {
    const { latitude } = north(60 * Math.cos(radians(10 * index)));
    const east = (60 * Math.sin(radians(10 * index))) / METERS_PER_DEGREE;
    return { latitude, longitude: here.longitude + east / Math.cos(radians(latitude)) };
  });
  const far = (place: Place) => metersBetween(shown, coarse(other, place));
  return places.toSorted((one, two) => far(one) - far(two))[0]!;
}

async function owner(email: string): Promise<TestPerson> {
  const person = await api.as(email);
  await makeProfile(person);
  await makeDog(person);
  return person;
}

const sightings = () =>
  api.db.collection<{ _id: string; strangers: string[] }>('stranger_sightings');
const hour = () => Math.floor(Date.now() / 3_600_000);

/** Has a person see so many strangers in this hour, and in the next one, which may begin meanwhile. */
async function haveSeen({ user: { id } }: TestPerson, count: number): Promise<void> {
  const strangers = Array.from({ length: count }, (_, index) => `stranger ${index}`);
  await sightings().insertMany(
    [hour(), hour() + 1].map((number) => ({
      _id: `${id} ${number}`,
      user_id: id,
      strangers,
      at: new Date(),
    })),
  );
}

test('counts a stranger beyond 100 feet once and anonymously', async () => {
  const [ann, bob] = [await owner('ann@example.com'), await owner('bob@example.com')];
  await bob.call(reportLocation, { body: beside(ann, bob) });
  for (let report = 0; report < 3; report += 1) {
    const { nearbyUsers } = await ann.call(reportLocation, { body: wide });
    expect(nearbyUsers).toMatchObject([{ user_id: bob.user.id }]);
  }
  const rows = await sightings().find({ user_id: ann.user.id }).toArray();
  expect(rows.flatMap(({ strangers }) => strangers)).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(bob.user.id);
  await bob.call(dropLocation);
  await ann.call(dropLocation);
});

test('an account over its budget sees friends only and is flagged to moderators', async () => {
  const [cat, dan, eve] = [
    await owner('cat@example.com'),
    await owner('dan@example.com'),
    await owner('eve@example.com'),
  ];
  await dan.call(createFriendRequest, { body: { receiver_user_id: cat.user.id } });
  const { received } = await cat.call(listFriendRequests);
  await cat.call(respondToFriendRequest, {
    body: { request_id: received[0]!.id, action: 'accept' },
  });
  await haveSeen(cat, STRANGERS_MAX);
  await dan.call(reportLocation, { body: beside(cat, dan) });
  await eve.call(reportLocation, { body: beside(cat, eve) });
  const { nearbyUsers } = await cat.call(reportLocation, { body: wide });
  expect(nearbyUsers.map(({ user_id }) => user_id)).toEqual([dan.user.id]);
  await expect
    .poll(() => api.db.collection('message_reports').findOne({ reported_user_id: cat.user.id }))
    .toMatchObject({ subject_type: 'account', status: 'pending' });
  // Within 100 feet both are notified, whatever the budget.
  await eve.call(reportLocation, { body: north(-20) });
  const close = await cat.call(reportLocation, { body: wide });
  expect(close.nearbyUsers.map(({ user_id }) => user_id)).toContain(eve.user.id);
  for (const each of [cat, dan, eve]) await each.call(dropLocation);
});

test('of several strangers at once, as many are shown as the budget has room for', async () => {
  const viewers = [await owner('kai@example.com'), await owner('lea@example.com')];
  const others = [
    await owner('hal@example.com'),
    await owner('ida@example.com'),
    await owner('joe@example.com'),
  ];
  const room = [3, 2];
  for (const [i, viewer] of viewers.entries()) {
    await haveSeen(viewer, STRANGERS_MAX - room[i]!);
    for (const other of others) await other.call(reportLocation, { body: beside(viewer, other) });
    const { nearbyUsers } = await viewer.call(reportLocation, { body: wide });
    const shown = nearbyUsers.filter(({ user_id }) =>
      others.some(({ user }) => user.id === user_id),
    );
    expect(shown).toHaveLength(room[i]!);
    await viewer.call(dropLocation);
  }
  const flags = () =>
    api.db.collection('message_reports').distinct('reported_user_id', {
      reported_user_id: { $in: viewers.map(({ user }) => user.id) },
    });
  await expect.poll(flags).toEqual([viewers[1]!.user.id]);
  for (const other of others) await other.call(dropLocation);
});

test('an implausible position sees no one and is not stored, even after sharing was stopped', async () => {
  const [fay, guy] = [await owner('fay@example.com'), await owner('guy@example.com')];
  const there = { latitude: -12, longitude: 34 };
  await guy.call(reportLocation, { body: there });
  await fay.call(reportLocation, { body: { latitude: -13, longitude: 34 } });
  const unconfirmed = { nearbyUsers: [], next_update_seconds: 10, is_unconfirmed: true };
  expect(await fay.call(reportLocation, { body: there })).toEqual(unconfirmed);
  expect(await api.db.collection('positions').findOne({ _id: fay.user.id as never })).toMatchObject(
    { location: { coordinates: [34, -13] } },
  );
  await fay.call(dropLocation);
  expect(await fay.call(reportLocation, { body: there })).toMatchObject({ is_unconfirmed: true });
  expect((await guy.call(reportLocation, { body: there })).nearbyUsers).toEqual([]);
  expect(
    await api.db.collection('proximity_events').countDocuments({ sender_user_id: fay.user.id }),
  ).toBe(0);
});
