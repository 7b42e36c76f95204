import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createBlock, deleteBlock } from '#shared/blocks/contract.ts';
import { createDog, updateDog, type DogFields } from '#shared/dogs/contract.ts';
import { createFriendRequest } from '#shared/friends/contract.ts';
import { METERS_PER_DEGREE } from '#shared/place.ts';
import { getUserProfile, saveProfile } from '#shared/profile/contract.ts';
import {
  answerEncounter,
  dropLocation,
  reportLocation,
  type AnswerPhrase,
} from '#shared/proximity/contract.ts';
import { logout } from '#shared/session/contract.ts';
import { listRecentEncounters } from '#shared/walks/contract.ts';
import { proximityEvents } from '../../api/features/proximity/collections.ts';
import { createPositionStore } from '../../api/features/proximity/storage/position-store.ts';
import { unzip } from '../account/unzip.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { listen, type Listening } from '../events/listen.ts';
import { makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let people = 0;
const listening: Listening[] = [];

beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterEach(() => {
  for (const one of listening.splice(0)) one.close();
});
afterAll(() => api.close());

/** Coordinates that no other test uses. */
const somewhere = () => ({ latitude: 10 + people * 0.1, longitude: 20 });
const northOf = (place: { latitude: number; longitude: number }, meters: number) => ({
  ...place,
  latitude: place.latitude + meters / METERS_PER_DEGREE,
});

/** An owner past the gate, with a profile and a dog. */
async function owner(
  name: string,
  dog = 'Rex',
  details: Partial<DogFields> = {},
): Promise<TestPerson & { dogId: string }> {
  people += 1;
  const person = await api.as(`${name.toLowerCase()}-${people}@example.com`);
  await person.call(saveProfile, {
    body: { display_name: name, is_location_sharing_enabled: true },
  });
  const added = await person.call(createDog, {
    body: { name: dog, sound_type: 'leash_on', ...details },
  });
  return { ...person, dogId: added.dog.id };
}

async function listener(person: TestPerson, lastEventId?: string): Promise<Listening> {
  const one = await listen(api.origin, person, lastEventId);
  listening.push(one);
  return one;
}

/** Repeats a call until its response satisfies `isSo`. */
async function eventually<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    await wait(50);
  }
}

describe('a position report', () => {
  test('returns people nearby with their dogs and rounded distances, nearest first', async () => {
    const details = { size: 'medium', coat: 'black', notes: ['deaf', 'puppy'] } as const;
    const bella = { ...details, notes: [...details.notes] };
    const [ann, bob] = [await owner('Ann'), await owner('Bob', 'Bella', bella)];
    const cat = await owner('Cat');
    const here = somewhere();
    await bob.call(reportLocation, { body: northOf(here, 29) });
    await cat.call(reportLocation, { body: northOf(here, -10) });
    const answer = await ann.call(reportLocation, { body: here });
    expect(answer.nearbyUsers).toEqual([
      {
        user_id: cat.user.id,
        display_name: 'Cat',
        distance_feet: 40,
        dogs: [{ name: 'Rex', sound_type: 'leash_on', image_key: null }],
      },
      {
        user_id: bob.user.id,
        display_name: 'Bob',
        distance_feet: 100,
        dogs: [{ name: 'Bella', sound_type: 'leash_on', image_key: null, ...details }],
      },
    ]);
  });

  test('requests the next report in 30 s, or sooner when someone is near', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = somewhere();
    const alone = await ann.call(reportLocation, { body: here });
    expect(alone).toEqual({ nearbyUsers: [], next_update_seconds: 30 });
    const close = await bob.call(reportLocation, { body: northOf(here, 45) });
    expect(close.nearbyUsers).toEqual([]);
    expect([1, 2, 5]).toContain(close.next_update_seconds);
  });

  test('does not show people beyond 100 feet', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = somewhere();
    await bob.call(reportLocation, { body: northOf(here, 30.6) });
    expect((await ann.call(reportLocation, { body: here })).nearbyUsers).toEqual([]);
  });

  test('an inaccurate position is marked as such, shows no one and is shown to no one', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const town = { ...somewhere(), accuracy: 25_000 };
    const answers = [
      await ann.call(reportLocation, { body: town }),
      await bob.call(reportLocation, { body: town }),
    ];
    const rough = { nearbyUsers: [], next_update_seconds: 30, is_too_rough: true };
    expect(answers).toEqual([rough, rough]);
    await api.restartApi();
    const exact = await bob.call(reportLocation, { body: { ...town, accuracy: 5 } });
    expect(exact).toEqual({ nearbyUsers: [], next_update_seconds: 30 });
    expect(
      await api.db
        .collection('proximity_events')
        .countDocuments({ sender_user_id: { $in: [ann.user.id, bob.user.id] } }),
    ).toBe(0);
  });

  test('rejects an invalid position', async () => {
    const ann = await owner('Ann');
    await expect(
      ann.call(reportLocation, { body: { latitude: 91, longitude: 0 } }),
    ).rejects.toMatchObject({ status: 400, code: 'invalid_input' });
  });

  test('rejects a report without access', async () => {
    const visitor = await api.as(`stranger-${(people += 1)}@example.com`, { access: false });
    await expect(visitor.call(reportLocation, { body: somewhere() })).rejects.toMatchObject({
      status: 403,
      code: 'no_access',
    });
    await expect(api.call(reportLocation, { body: somewhere() })).rejects.toMatchObject({
      status: 401,
    });
  });

  test('stores one position per user and no coordinates elsewhere', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = { latitude: 47.123456, longitude: 8.654321 };
    await ann.call(reportLocation, { body: northOf(here, 120) });
    await ann.call(reportLocation, { body: here });
    await bob.call(reportLocation, { body: northOf(here, 5) });
    const rows = await api.db
      .collection('positions')
      .find({ _id: ann.user.id as never })
      .toArray();
    expect(rows).toHaveLength(1);
    expect(rows[0]?.['location']).toEqual({ type: 'Point', coordinates: [8.654321, 47.123456] });
    const meeting = await eventually(
      () => api.db.collection('proximity_events').findOne({ receiver_user_id: ann.user.id }),
      (row) => row !== null,
    );
    expect(Object.keys(meeting ?? {}).toSorted()).toEqual([
      '_id',
      'distance_feet',
      'pair_windows',
      'receiver_dog_ids',
      'receiver_user_id',
      'sender_dog_ids',
      'sender_user_id',
      'triggered_at',
    ]);
  });
});

describe('encounters', () => {
  test('notifies both people once, without coordinates, even if one stands still', async () => {
    const [ann, bob] = [await owner('Ann', 'Rex'), await owner('Bob', 'Bella')];
    const here = { latitude: 33.123456, longitude: 44.654321 };
    const annsEvents = await listener(ann);
    const bobsEvents = await listener(bob);
    const answers = [await ann.call(reportLocation, { body: here })];
    answers.push(await bob.call(reportLocation, { body: northOf(here, 20) }));
    const annsEncounter = await annsEvents.next('encounter');
    const bobsEncounter = await bobsEvents.next('encounter');
    expect(annsEncounter.user).toMatchObject({ display_name: 'Bob', distance_feet: 70 });
    expect(annsEncounter.user.dogs).toEqual([
      { name: 'Bella', sound_type: 'leash_on', image_key: null },
    ]);
    expect(bobsEncounter.user).toMatchObject({ display_name: 'Ann', distance_feet: 70 });
    expect(bobsEncounter.id).toBe(annsEncounter.id);

    // Coming closer and jitter at the edge belong to the same encounter.
    for (const meters of [10, 29, 32, 30, 33, 28])
      answers.push(await bob.call(reportLocation, { body: northOf(here, meters) }));
    expect(annsEvents.events.filter(({ type }) => type === 'encounter')).toHaveLength(1);
    const all = JSON.stringify(answers) + annsEvents.text() + bobsEvents.text();
    const withoutTimes = all.replaceAll(/\d\d\.\d{3}Z/g, '');
    expect(withoutTimes).not.toMatch(/latitude|longitude|coordinates|33\.12|44\.65/);
  });

  test('sends an encounter to each tab and device', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const tabs = [await listener(ann), await listener(ann), await listener(ann)];
    const here = somewhere();
    await ann.call(reportLocation, { body: here });
    await bob.call(reportLocation, { body: here });
    for (const tab of tabs) expect((await tab.next('encounter')).user.user_id).toBe(bob.user.id);
  });

  test('speeds up the reports of a person when another comes close', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const annsEvents = await listener(ann);
    const here = somewhere();
    expect((await ann.call(reportLocation, { body: here })).next_update_seconds).toBe(30);
    await bob.call(reportLocation, { body: northOf(here, 60) });
    const { next_update_seconds } = await annsEvents.next('cadence');
    expect([1, 2, 5]).toContain(next_update_seconds);
  });

  test('notifies approaching people at the moment they meet, between two reports', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const annsEvents = await listener(ann);
    const here = somewhere();
    // Bob comes from the north at 2.5 m/s, as his last fixes say: 32 m away now, inside in less than a second.
    await ann.call(reportLocation, { body: { ...here, speed: 0, accuracy: 2, age_seconds: 3 } });
    await ann.call(reportLocation, { body: { ...here, speed: 0, accuracy: 2 } });
    for (const seconds of [3, 2, 1, 0])
      await bob.call(reportLocation, {
        body: {
          ...northOf(here, 32 + 2.5 * seconds),
          speed: 2.5,
          heading: 180,
          accuracy: 2,
          age_seconds: seconds,
        },
      });
    expect((await annsEvents.next('encounter')).user).toMatchObject({
      user_id: bob.user.id,
      distance_feet: 100,
    });
  });
});

describe('an answer to the other walker', () => {
  const tell = (person: TestPerson, { user }: TestPerson, phrase: AnswerPhrase = 'waiting') =>
    person.call(answerEncounter, { body: { user_id: user.id, phrase } });
  async function meeting(): Promise<[TestPerson, TestPerson]> {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = somewhere();
    await ann.call(reportLocation, { body: here });
    await bob.call(reportLocation, { body: northOf(here, 20) });
    return [ann, bob];
  }
  /** Waits until the encounter is stored, which warnings don't wait for. */
  const recorded = (one: TestPerson, other: TestPerson) =>
    eventually(
      () =>
        proximityEvents(api.db).countDocuments({
          sender_user_id: other.user.id,
          receiver_user_id: one.user.id,
        }),
      (count) => count > 0,
    );
  const notFound = { error: 'Person not found' };

  test('reaches the other one, and a later one replaces it', async () => {
    const [ann, bob] = await meeting();
    const bobs = await listener(bob);
    await recorded(ann, bob);
    await tell(ann, bob);
    // Again, as after a lost response.
    await tell(ann, bob);
    expect(await bobs.next('answer')).toMatchObject({ user_id: ann.user.id, phrase: 'waiting' });
    await tell(ann, bob, 'crossing');
    await eventually(
      async () => bobs.events.filter(({ type }) => type === 'answer').at(-1),
      (last) => last?.type === 'answer' && last.phrase === 'crossing',
    );
    await tell(bob, ann, 'hello');
    expect(
      await proximityEvents(api.db).findOne({
        sender_user_id: bob.user.id,
        receiver_user_id: ann.user.id,
      }),
    ).toMatchObject({ receiver_answer: 'crossing', sender_answer: 'hello' });
  });

  test('is told once while it stays the same and is shown, and five times at most', async () => {
    const [ann, bob] = await meeting();
    await recorded(ann, bob);
    const bobs = await listener(bob);
    const told = () =>
      bobs.events.flatMap((event) => (event.type === 'answer' ? [event.phrase] : []));
    await api.withLimits(1, async () => {
      for (const phrase of ['waiting', 'waiting', 'crossing'] as const)
        await tell(ann, bob, phrase);
      // As a minute later.
      const row = { sender_user_id: bob.user.id, receiver_user_id: ann.user.id };
      const at = new Date(Date.now() - 61_000);
      await proximityEvents(api.db).updateOne(row, { $set: { receiver_answer_at: at } });
      for (const phrase of ['crossing', 'hello'] as const) await tell(ann, bob, phrase);
      await expectRefused(tell(ann, bob, 'waiting'), 429);
      await tell(bob, ann, 'hello');
    });
    await eventually(
      async () => told(),
      (phrases) => phrases.at(-1) === 'hello',
    );
    expect(told()).toEqual(['waiting', 'crossing', 'crossing', 'hello']);
  });

  test('is exported to its author alone', async () => {
    const [ann, bob] = await meeting();
    await recorded(ann, bob);
    await tell(ann, bob);
    const exported = async ({ jar }: TestPerson): Promise<unknown> => {
      const response = await jar.fetch(`${api.origin}/api/account/export`);
      const files = unzip(Buffer.from(await response.arrayBuffer()));
      return JSON.parse(String(files.get('proximity_events.json')));
    };
    const met = {
      triggered_at: expect.any(String),
      distance_feet: expect.any(Number),
      dog_ids: [expect.any(String)],
    };
    const answered_at = expect.any(String);
    expect(await exported(ann)).toEqual([{ ...met, answer: 'waiting', answered_at }]);
    expect(await exported(bob)).toEqual([met]);
    await tell(bob, ann, 'hello');
    expect(await exported(bob)).toEqual([{ ...met, answer: 'hello', answered_at }]);
  });

  test('needs an encounter, and isn’t told across a block', async () => {
    const [ann, bob] = await meeting();
    await recorded(ann, bob);
    const cat = await owner('Cat');
    await cat.call(reportLocation, { body: somewhere() });
    await expectRefused(tell(cat, ann), 404, notFound);
    await bob.call(createBlock, { body: { blocked_user_id: ann.user.id } });
    await expectRefused(tell(ann, bob), 404, notFound);
    await expectRefused(tell(bob, ann), 404, notFound);
  });
});

test('notifies people nearby at once when a dog changes from friendly to needing space', async () => {
  const [ann, bob] = [await owner('Ann'), await owner('Bob')];
  const change = (sound_type: 'leash_on' | 'leash_off') =>
    ann.call(updateDog, { params: { id: ann.dogId }, body: { name: 'Rex', sound_type } });
  await change('leash_off');
  const bobsEvents = await listener(bob);
  const here = somewhere();
  await bob.call(reportLocation, { body: here });
  await eventually(
    () => ann.call(reportLocation, { body: here }),
    () => bobsEvents.events.some(({ type }) => type === 'encounter'),
  );
  await change('leash_on');
  const received = await eventually(
    async () => bobsEvents.events.filter((event) => event.type === 'encounter'),
    (events) => events.length > 1,
  );
  expect(received[1]?.user).toMatchObject({
    user_id: ann.user.id,
    distance_feet: 10,
    dogs: [{ sound_type: 'leash_on' }],
  });
  expect(
    await api.db.collection('proximity_events').countDocuments({ receiver_user_id: bob.user.id }),
  ).toBe(1);
});

describe('the dogs that came along', () => {
  /** Returns the names of a person's dogs, as another one is shown them, and the ids. */
  async function withTwoDogs() {
    const [ann, bob] = [await owner('Ann', 'Rex'), await owner('Bob', 'Bella')];
    const lola = { name: 'Lola', sound_type: 'leash_off' } as const;
    const { dog } = await ann.call(createDog, { body: lola });
    const here = somewhere();
    const seen = async (dog_ids?: string[]) => {
      await ann.call(reportLocation, { body: { ...here, dog_ids } });
      const { nearbyUsers } = await bob.call(reportLocation, { body: here });
      return nearbyUsers[0]?.dogs.map(({ name }) => name);
    };
    return { ann, bob, here, seen, rexId: ann.dogId, lolaId: dog.id };
  }

  test('are the only ones that others are shown, and all of them in reports of earlier apps', async () => {
    const { bob, seen, rexId, lolaId } = await withTwoDogs();
    expect(await seen()).toEqual(['Rex', 'Lola']);
    expect(await seen([lolaId])).toEqual(['Lola']);
    expect(await seen([rexId, lolaId])).toEqual(['Rex', 'Lola']);
    expect(await seen([])).toEqual([]);
    // Neither another person's dog nor a removed one says which dogs came along.
    expect(await seen([lolaId, bob.dogId])).toEqual(['Lola']);
    expect(await seen([bob.dogId])).toEqual(['Rex', 'Lola']);
  });

  test('stay the same after a restart, and one that needs space is announced when it joins', async () => {
    const { ann, bob, here, seen, lolaId } = await withTwoDogs();
    expect(await seen([lolaId])).toEqual(['Lola']);
    await api.restartApi();
    const { nearbyUsers } = await bob.call(reportLocation, { body: here });
    expect(nearbyUsers[0]?.dogs.map(({ name }) => name)).toEqual(['Lola']);
    const events = await listener(bob);
    await ann.call(reportLocation, { body: here });
    expect((await events.next('encounter')).user.dogs.map(({ name }) => name)).toEqual([
      'Rex',
      'Lola',
    ]);
  });

  test('are those of an encounter that a device missed', async () => {
    const { ann, bob, here, lolaId } = await withTwoDogs();
    const first = await listener(bob);
    await bob.call(reportLocation, { body: here });
    await ann.call(reportLocation, { body: { ...here, dog_ids: [lolaId] } });
    const { user } = await first.next('encounter');
    expect(user.dogs.map(({ name }) => name)).toEqual(['Lola']);
    const again = await listener(bob, '0');
    expect((await again.next('encounter')).user).toEqual(user);
  });

  test('are stored with an encounter, of both', async () => {
    const { ann, bob, here, lolaId } = await withTwoDogs();
    await bob.call(reportLocation, { body: here });
    await ann.call(reportLocation, { body: { ...here, dog_ids: [lolaId] } });
    await expect
      .poll(() => proximityEvents(api.db).findOne({ sender_user_id: ann.user.id }))
      .toMatchObject({ sender_dog_ids: [lolaId], receiver_dog_ids: [bob.dogId] });
    const { encounters } = await bob.call(listRecentEncounters);
    expect(encounters[0]!.dogs.map(({ name }) => name)).toEqual(['Lola']);
  });

  test('refuses more than anybody has', async () => {
    const ann = await owner('Ann');
    const dog_ids = Array.from({ length: 21 }, (_, index) => `dog-${index}`);
    await expectRefused(ann.call(reportLocation, { body: { ...somewhere(), dog_ids } }), 400);
  });
});

describe('blocked people', () => {
  test('warns blocked people of each other’s dogs without identifying them, in both directions, until the block ends', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = somewhere();
    const annsEvents = await listener(ann);
    const bobsEvents = await listener(bob);
    await ann.call(createBlock, { body: { blocked_user_id: bob.user.id } });
    await ann.call(reportLocation, { body: here });
    const seen = [
      ...(await bob.call(reportLocation, { body: here })).nearbyUsers,
      ...(await ann.call(reportLocation, { body: here })).nearbyUsers,
      (await annsEvents.next('encounter')).user,
    ];
    expect(seen).toHaveLength(3);
    for (const { user_id, distance_feet, ...rest } of seen) {
      expect(user_id).toMatch(/^anonymous-/);
      expect(distance_feet).toBeGreaterThanOrEqual(250);
      expect(rest).toEqual({
        display_name: '',
        dogs: [{ name: '', sound_type: 'leash_on', image_key: null }],
        is_anonymous: true,
      });
      for (const { user } of [ann, bob]) expect(user_id).not.toContain(user.id);
    }
    // The id is of no use.
    const params = { id: seen[0]!.user_id };
    await expectRefused(bob.call(getUserProfile, { params }), 404);
    const body = { receiver_user_id: params.id };
    await expectRefused(bob.call(createFriendRequest, { body }), 404);
    const met = { sender_user_id: { $in: [ann.user.id, bob.user.id] } };
    expect(await api.db.collection('proximity_events').countDocuments(met)).toBe(0);

    await ann.call(deleteBlock, { params: { blockedUserId: bob.user.id } });
    const answer = await eventually(
      () => ann.call(reportLocation, { body: here }),
      ({ nearbyUsers }) => nearbyUsers.some(({ user_id }) => user_id === bob.user.id),
    );
    expect(answer.nearbyUsers).toHaveLength(1);
    // They are notified of each other by name only now.
    await expect
      .poll(() =>
        bobsEvents.events.flatMap((each) => (each.type === 'encounter' ? [each.user] : [])),
      )
      .toMatchObject([{ is_anonymous: true }, { user_id: ann.user.id }]);
  });

  test('somebody without a dog who blocks a walker is told nothing of her', async () => {
    const ann = await owner('Ann');
    const watcher = await api.as('watcher@example.com');
    await makeProfile(watcher);
    await watcher.call(createBlock, { body: { blocked_user_id: ann.user.id } });
    const here = somewhere();
    const events = await listener(watcher);
    const report = { ...here, radius_feet: 500 };
    const before = await watcher.call(reportLocation, { body: report });
    await ann.call(reportLocation, { body: here });
    const answer = await watcher.call(reportLocation, { body: report });
    expect(answer).toEqual(before);
    expect(events.events).toEqual([]);
  });

  test('a walker without a name and a blocked one are shown the same', async () => {
    const shown = [];
    for (const isBlock of [true, false]) {
      const [ann, bob] = [await owner('Ann'), await owner('Bob')];
      if (isBlock) await ann.call(createBlock, { body: { blocked_user_id: bob.user.id } });
      const body = { ...somewhere(), ...(!isBlock && { is_nameless: true }) };
      await ann.call(reportLocation, { body });
      const { is_nameless: _, ...there } = body;
      const { nearbyUsers, next_update_seconds } = await bob.call(reportLocation, { body: there });
      expect(nearbyUsers).toHaveLength(1);
      const { user_id, ...rest } = nearbyUsers[0]!;
      expect(user_id).toMatch(/^anonymous-/);
      shown.push({ ...rest, distance_feet: 0, next_update_seconds });
    }
    expect(shown[1]).toEqual(shown[0]);
  });
  test('a block hides people who are together from each other, so that it doesn’t look like one', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = somewhere();
    await ann.call(reportLocation, { body: here });
    expect((await bob.call(reportLocation, { body: here })).nearbyUsers).toHaveLength(1);
    await ann.call(createBlock, { body: { blocked_user_id: bob.user.id } });
    await eventually(
      () => bob.call(reportLocation, { body: here }),
      ({ nearbyUsers }) => nearbyUsers.length === 0,
    );
    await eventually(
      () => ann.call(reportLocation, { body: here }),
      ({ nearbyUsers }) => nearbyUsers.length === 0,
    );
  });
});

test('shows two people to each other or neither, at any distance up to the widest radius', async () => {
  const shown: number[] = [];
  for (let meters = 50; meters <= 250; meters += 20) {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = somewhere();
    const there = northOf(here, meters);
    const watching = { body: { ...here, radius_feet: 500 } };
    await bob.call(reportLocation, { body: there });
    const byAnn = await ann.call(reportLocation, watching);
    const byBob = await bob.call(reportLocation, { body: there });
    const feet = (users: typeof byAnn.nearbyUsers) =>
      users.map(({ distance_feet }) => distance_feet);
    expect(feet(byBob.nearbyUsers)).toEqual(feet(byAnn.nearbyUsers));
    shown.push(...feet(byAnn.nearbyUsers));
  }
  expect(shown.length).toBeGreaterThan(0);
});

describe('sharing', () => {
  test('turning sharing off rejects reports and deletes the position', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = somewhere();
    await ann.call(reportLocation, { body: here });
    await ann.call(saveProfile, {
      body: { display_name: 'Ann', is_location_sharing_enabled: false },
    });
    const refused = await eventually(
      () => ann.call(reportLocation, { body: here }).catch((error: unknown) => error),
      (answer) => answer instanceof Error,
    );
    expect(refused).toMatchObject({
      status: 409,
      code: 'sharing_off',
      message: 'Location sharing is off',
    });
    expect((await bob.call(reportLocation, { body: here })).nearbyUsers).toEqual([]);
    expect(await api.db.collection('positions').countDocuments({ _id: ann.user.id as never })).toBe(
      0,
    );
  });

  test('DELETE hides the user at once', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = somewhere();
    await ann.call(reportLocation, { body: here });
    await ann.call(dropLocation);
    expect((await bob.call(reportLocation, { body: here })).nearbyUsers).toEqual([]);
    expect(await api.db.collection('positions').countDocuments({ _id: ann.user.id as never })).toBe(
      0,
    );
  });

  test('DELETE from a device at home keeps the position of the device on a walk', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const home = await api.as(ann.user.email);
    const here = somewhere();
    await ann.call(reportLocation, { body: here });
    // A page opened at home, in a quiet place, deletes the position.
    await home.call(dropLocation);
    const seen = await bob.call(reportLocation, { body: here });
    expect(seen.nearbyUsers).toMatchObject([{ user_id: ann.user.id }]);
    await home.call(reportLocation, { body: here });
    await home.call(dropLocation);
    expect((await bob.call(reportLocation, { body: here })).nearbyUsers).toEqual([]);
  });

  test('uses the position of the walking device over that of a device at home', async () => {
    const [ann, bob, cat] = [await owner('Ann'), await owner('Bob'), await owner('Cat')];
    const laptop = await api.as(ann.user.email);
    const home = somewhere();
    const park = { ...home, latitude: home.latitude + 0.001 };
    await ann.call(reportLocation, { body: home });
    await laptop.call(reportLocation, { body: home });
    await ann.call(reportLocation, { body: park });
    await laptop.call(reportLocation, { body: home });
    expect((await bob.call(reportLocation, { body: home })).nearbyUsers).toEqual([]);
    const seen = await cat.call(reportLocation, { body: park });
    expect(seen.nearbyUsers).toMatchObject([{ user_id: ann.user.id }]);
    const row = await api.db.collection('positions').findOne({ _id: ann.user.id as never });
    expect(row?.['location']).toMatchObject({ coordinates: [park.longitude, park.latitude] });
  });

  test('a report delayed until after DELETE is ignored', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = somewhere();
    const device = 'a-tracker';
    await ann.call(reportLocation, { body: { ...here, device, sequence: 1 } });
    await ann.call(dropLocation, { query: { device, sequence: 3 } });
    await ann.call(reportLocation, { body: { ...here, device, sequence: 2 } });
    expect((await bob.call(reportLocation, { body: here })).nearbyUsers).toEqual([]);
    const id = ann.user.id as never;
    expect(await api.db.collection('positions').countDocuments({ _id: id })).toBe(0);
    await ann.call(reportLocation, { body: { ...here, device, sequence: 4 } });
    expect((await bob.call(reportLocation, { body: here })).nearbyUsers).toHaveLength(1);
  });

  test('shows changed dogs to people nearby', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = somewhere();
    await ann.call(reportLocation, { body: here });
    await bob.call(reportLocation, { body: here });
    await ann.call(updateDog, {
      params: { id: ann.dogId },
      body: { name: 'Max', sound_type: 'leash_off' },
    });
    const answer = await eventually(
      () => bob.call(reportLocation, { body: here }),
      ({ nearbyUsers }) => nearbyUsers[0]?.dogs[0]?.name === 'Max',
    );
    expect(answer.nearbyUsers[0]?.dogs[0]?.sound_type).toBe('leash_off');
  });

  test('a logout ends sharing', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = somewhere();
    await ann.call(reportLocation, { body: here });
    await ann.call(logout);
    const answer = await eventually(
      () => bob.call(reportLocation, { body: here }),
      ({ nearbyUsers }) => nearbyUsers.length === 0,
    );
    expect(answer.nearbyUsers).toEqual([]);
  });
});

describe('logout on the phone while signed in at home', () => {
  test('a logout on one device ends its sharing at once', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    await api.as(ann.user.email);
    const here = somewhere();
    await ann.call(reportLocation, { body: here });
    await ann.call(logout);
    const answer = await eventually(
      () => bob.call(reportLocation, { body: here }),
      ({ nearbyUsers }) => nearbyUsers.length === 0,
    );
    expect(answer.nearbyUsers).toEqual([]);
    const id = ann.user.id as never;
    expect(await api.db.collection('positions').countDocuments({ _id: id })).toBe(0);
  });

  test('a logout ends sharing after a restart, too, and keeps reports of the device at home', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const home = await api.as(ann.user.email);
    const here = somewhere();
    await ann.call(reportLocation, { body: here });
    await api.restartApi();
    await ann.call(logout);
    await eventually(
      () => bob.call(reportLocation, { body: here }),
      ({ nearbyUsers }) => nearbyUsers.length === 0,
    );
    await home.call(reportLocation, { body: here });
    const tablet = await api.as(ann.user.email);
    await tablet.call(logout);
    const answer = await bob.call(reportLocation, { body: here });
    expect(answer.nearbyUsers).toMatchObject([{ user_id: ann.user.id }]);
  });
});

describe('a server clock that is set back by an hour', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test('removes stale positions and allows new encounters after the clock was set back', async () => {
    const [ann, bob, cat] = [await owner('Ann'), await owner('Bob'), await owner('Cat')];
    const bobsEvents = await listener(bob);
    const countEncounters = () =>
      bobsEvents.events.filter(({ type }) => type === 'encounter').length;
    const here = somewhere();
    await bob.call(reportLocation, { body: here });
    await ann.call(reportLocation, { body: here });
    await bobsEvents.next('encounter');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    // Two minutes and one second pass.
    const since = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => since() + 121_000);
    expect((await cat.call(reportLocation, { body: here })).nearbyUsers).toEqual([]);
    await bob.call(reportLocation, { body: northOf(here, 900) });
    await ann.call(reportLocation, { body: northOf(here, 900) });
    expect(
      await eventually(
        async () => countEncounters(),
        (count) => count > 1,
      ),
    ).toBe(2);
  });
});

test('stores the first position at once, and those of the next moment together', async () => {
  const client = new MongoClient(inject('mongodbUri'), { monitorCommands: true });
  const writes: number[] = [];
  client.on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'update') writes.push((command as { updates: unknown[] }).updates.length);
  });
  try {
    const store = createPositionStore(client.db(api.db.databaseName));
    const put = (userId: string) =>
      store.put(userId, {
        report: somewhere(),
        at: new Date(),
        sessionId: 'session',
      });
    // However slow the machine is, the next ones come in the same moment.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    await put('first');
    expect(writes).toEqual([1]);
    await Promise.all([put('second'), nextTurn().then(() => put('third'))]);
    expect(writes).toEqual([1, 2]);
  } finally {
    vi.restoreAllMocks();
    await client.close();
  }
});

describe('a restart of the API', () => {
  test('keeps positions and encounters across a restart', async () => {
    const [ann, bob, cat] = [await owner('Ann'), await owner('Bob'), await owner('Cat')];
    const here = somewhere();
    await ann.call(reportLocation, { body: here });
    await bob.call(reportLocation, { body: here });
    await eventually(
      () => api.db.collection('proximity_events').countDocuments({ receiver_user_id: ann.user.id }),
      (count) => count === 1,
    );
    await api.restartApi();
    const annsEvents = await listener(ann);
    const catsEvents = await listener(cat);
    const answer = await bob.call(reportLocation, { body: here });
    expect(answer.nearbyUsers.map(({ user_id }) => user_id)).toEqual([ann.user.id]);
    await cat.call(reportLocation, { body: here });
    await catsEvents.next('encounter');
    // Ann is notified of Cat. She already knows about Bob.
    expect((await annsEvents.next('encounter')).user.user_id).toBe(cat.user.id);
    expect(annsEvents.events.filter(({ type }) => type === 'encounter')).toHaveLength(1);
  });

  test('deletes positions that became stale during a restart', async () => {
    const [ann, bob] = [await owner('Ann'), await owner('Bob')];
    const here = somewhere();
    await ann.call(reportLocation, { body: here });
    const at = new Date(Date.now() - 181_000);
    await api.db
      .collection('positions')
      .updateOne(
        { _id: ann.user.id as never },
        { $set: { at, minute: Math.floor(at.getTime() / 60_000) } },
      );
    await api.restartApi();
    expect((await bob.call(reportLocation, { body: here })).nearbyUsers).toEqual([]);
    expect(await api.db.collection('positions').countDocuments({ _id: ann.user.id as never })).toBe(
      0,
    );
  });
});
