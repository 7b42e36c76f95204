import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import { createDog } from '#shared/dogs/contract.ts';
import { METERS_PER_DEGREE } from '#shared/place.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { startApi, type ApiServer } from '../../api/app/server.ts';
import { readEnv } from '../../api/platform/env.ts';
import { caller, type CallSettings } from '../../client/platform/http/api-client.ts';
import { freePort } from '../../scripts/stack/ports.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { listen, type Listening } from '../events/listen.ts';
import { startNats, type TestNats } from '../nats.ts';

let nats: TestNats;
/** The first node. */
let api: TestApi;
let second: ApiServer;
let secondOrigin: string;
const streams: Listening[] = [];
let people = 0;

beforeAll(async () => {
  nats = await startNats();
  api = await startTestApi(inject('mongodbUri'), { NATS_URL: nats.url });
  second = await startApi(readEnv({ ...api.env, API_PORT: String(await freePort()) }));
  secondOrigin = `http://127.0.0.1:${second.port}`;
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(async () => {
  await second.close();
  await api.close();
  await nats.stop();
});

/** Each test has its own place. */
const somewhere = () => ({ latitude: -20 - people * 0.1, longitude: 30 });
const northOf = (place: { latitude: number; longitude: number }, meters: number) => ({
  ...place,
  latitude: place.latitude + meters / METERS_PER_DEGREE,
});

interface Member extends TestPerson {
  /** Calls on the second node. */
  second: ReturnType<typeof caller>;
}

async function createMember(name: string): Promise<Member> {
  people += 1;
  const person = await api.as(`${name}-${people}@example.com`);
  await person.call(saveProfile, {
    body: { display_name: name, is_location_sharing_enabled: true },
  });
  const settings: CallSettings = { origin: secondOrigin, fetch: person.jar.fetch };
  return { ...person, second: caller(settings) };
}

async function openStream(origin: string, person: Member): Promise<Listening> {
  const stream = await listen(origin, person);
  streams.push(stream);
  return stream;
}

test('warns both owners once, wherever their reports and event streams are', async () => {
  const [ann, bob] = [await createMember('ann'), await createMember('bob')];
  const here = somewhere();
  // Each one's stream is on the other node than their reports.
  const [ofAnn, ofBob] = [await openStream(secondOrigin, ann), await openStream(api.origin, bob)];
  await ann.call(reportLocation, { body: here });
  const answer = await bob.second(reportLocation, { body: northOf(here, 10) });
  expect(answer.nearbyUsers).toMatchObject([{ user_id: ann.user.id, distance_feet: 40 }]);
  expect((await ofAnn.next('encounter')).user).toMatchObject({ user_id: bob.user.id });
  expect((await ofBob.next('encounter')).user).toMatchObject({ user_id: ann.user.id });
  // Both continue reporting, to any node.
  for (const call of [ann.call, ann.second, ann.call]) await call(reportLocation, { body: here });
  for (const call of [bob.second, bob.call]) await call(reportLocation, { body: northOf(here, 9) });
  await expect
    .poll(() =>
      api.db.collection('proximity_events').countDocuments({
        sender_user_id: { $in: [ann.user.id, bob.user.id] },
      }),
    )
    .toBe(1);
  for (const stream of [ofAnn, ofBob])
    expect(stream.events.filter(({ type }) => type === 'encounter')).toHaveLength(1);
});

test('forgets on all nodes who stops sharing, and hides who is blocked', async () => {
  const [ann, bob, cat] = [
    await createMember('ann'),
    await createMember('bob'),
    await createMember('cat'),
  ];
  const here = somewhere();
  await ann.call(reportLocation, { body: here });
  await bob.second(reportLocation, { body: northOf(here, 200) });
  await ann.call(saveProfile, {
    body: { display_name: 'ann', is_location_sharing_enabled: false },
  });
  await cat.call(createBlock, { body: { blocked_user_id: bob.user.id } });
  await cat.call(reportLocation, { body: northOf(here, 5) });
  await expect
    .poll(async () => (await bob.second(reportLocation, { body: northOf(here, 8) })).nearbyUsers)
    .toEqual([]);
  expect(await api.db.collection('positions').countDocuments({ _id: ann.user.id as never })).toBe(
    0,
  );
});

test('warns blocked people anonymously, and with one id, wherever they report', async () => {
  const [ann, bob] = [await createMember('ann'), await createMember('bob')];
  for (const person of [ann, bob])
    await person.call(createDog, { body: { name: 'Rex', sound_type: 'leash_on' } });
  await ann.call(createBlock, { body: { blocked_user_id: bob.user.id } });
  const here = somewhere();
  const ofAnn = await openStream(secondOrigin, ann);
  await ann.call(reportLocation, { body: { ...here, device: 'ann', sequence: 1 } });
  const report = { ...northOf(here, 10), device: 'bob' };
  const [one] = (await bob.second(reportLocation, { body: { ...report, sequence: 1 } }))
    .nearbyUsers;
  expect(one).toMatchObject({ is_anonymous: true, display_name: '' });
  const [other] = (await bob.call(reportLocation, { body: { ...report, sequence: 2 } }))
    .nearbyUsers;
  expect(other).toEqual(one);
  expect((await ofAnn.next('encounter')).user).toMatchObject({ is_anonymous: true });
});

test('warns within seconds while NATS is down, and at once when it is back', async () => {
  const [ann, bob] = [await createMember('ann'), await createMember('bob')];
  const here = somewhere();
  const [ofAnn, ofBob] = [await openStream(secondOrigin, ann), await openStream(secondOrigin, bob)];
  await ann.call(reportLocation, { body: here });
  await bob.second(reportLocation, { body: northOf(here, 140) });
  await nats.stop();
  await ann.call(reportLocation, { body: northOf(here, 130) });
  await bob.second(reportLocation, { body: northOf(here, 135) });
  expect((await ofBob.next('encounter')).user).toMatchObject({ user_id: ann.user.id });
  expect((await ofAnn.next('encounter')).user).toMatchObject({ user_id: bob.user.id });

  await nats.start();
  const [cat, dan] = [await createMember('cat'), await createMember('dan')];
  const there = somewhere();
  const ofCat = await openStream(api.origin, cat);
  await cat.second(reportLocation, { body: there });
  await expect
    .poll(async () => (await dan.call(reportLocation, { body: northOf(there, 5) })).nearbyUsers)
    .toMatchObject([{ user_id: cat.user.id }]);
  expect((await ofCat.next('encounter')).user).toMatchObject({ user_id: dan.user.id });
});
