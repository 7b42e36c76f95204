import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { deleteAccount, DELETION_WORDS } from '#shared/account/contract.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import { listRecentEncounters } from '#shared/walks/contract.ts';
import {
  proximityEvents,
  type ProximityEventRow,
} from '../../api/features/proximity/collections.ts';
import { eventId } from '../../api/platform/events/event-id.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeDog, makeProfile } from '../factories.ts';

let api: TestApi;
let count = 0;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

async function member(name: string): Promise<TestPerson> {
  const person = await api.as(`${name.toLowerCase()}-${++count}@example.com`);
  await makeProfile(person, { display_name: name });
  await makeDog(person, { name: `${name}’s dog`, size: 'large', coat: 'black' });
  return person;
}

/** Records an encounter as the proximity service does. */
async function meet(
  one: TestPerson,
  other: TestPerson,
  agoMs: number,
  dogs: Pick<ProximityEventRow, 'sender_dog_ids' | 'receiver_dog_ids'> = {},
): Promise<void> {
  const triggered_at = new Date(Date.now() - agoMs);
  const _id = eventId(triggered_at.getTime());
  await proximityEvents(api.db).insertOne({
    _id,
    sender_user_id: one.user.id,
    receiver_user_id: other.user.id,
    ...dogs,
    distance_feet: 70,
    triggered_at,
    pair_windows: [_id],
  });
}

const metBy = async (person: TestPerson) => (await person.call(listRecentEncounters)).encounters;

test('lists people met in the last 24 hours once, the last one first, by name, dogs and minute only', async () => {
  const [ann, bob, cat, old] = [
    await member('Ann'),
    await member('Bob'),
    await member('Cat'),
    await member('Old'),
  ];
  await meet(ann, bob, 3 * MINUTE_MS);
  await meet(bob, ann, 5 * MINUTE_MS);
  await meet(cat, ann, 60 * MINUTE_MS);
  await meet(old, ann, DAY_MS + MINUTE_MS);
  await meet(bob, cat, MINUTE_MS);
  const before = Date.now();
  const encounters = await metBy(ann);
  expect(encounters.map(({ display_name }) => display_name)).toEqual(['Bob', 'Cat']);
  const [first] = encounters;
  expect(first).toEqual({
    user_id: bob.user.id,
    display_name: 'Bob',
    dogs: [
      {
        name: 'Bob’s dog',
        sound_type: 'leash_on',
        image_key: null,
        size: 'large',
        coat: 'black',
      },
    ],
    met_at: expect.stringMatching(/:00\.000Z$/),
  });
  const age = before - Date.parse(first!.met_at);
  expect(age).toBeGreaterThanOrEqual(3 * MINUTE_MS - 1000);
  expect(age).toBeLessThan(5 * MINUTE_MS);
});

test('lists the dogs that came along when they met last, and all where that is not known', async () => {
  const [ann, bob] = [await member('Ann'), await member('Bob')];
  const { id } = await makeDog(bob, { name: 'Second' });
  const dogs = async () => (await metBy(ann))[0]!.dogs.map(({ name }) => name);
  await meet(ann, bob, 9 * MINUTE_MS);
  expect(await dogs()).toEqual(['Bob’s dog', 'Second']);
  await meet(ann, bob, 5 * MINUTE_MS, { sender_dog_ids: [], receiver_dog_ids: [id] });
  expect(await dogs()).toEqual(['Second']);
  await meet(bob, ann, MINUTE_MS, { sender_dog_ids: [], receiver_dog_ids: [] });
  expect(await dogs()).toEqual([]);
});

test('leaves out people whom the caller blocked; they still see whom they had met', async () => {
  const [ann, bob] = [await member('Ann'), await member('Bob')];
  await meet(ann, bob, MINUTE_MS);
  expect(await metBy(bob)).toHaveLength(1);
  await ann.call(createBlock, { body: { blocked_user_id: bob.user.id } });
  expect(await metBy(ann)).toEqual([]);
  expect(await metBy(bob)).toMatchObject([
    { display_name: 'Ann', dogs: [{ name: 'Ann’s dog', image_key: null }] },
  ]);
  await bob.call(createBlock, { body: { blocked_user_id: ann.user.id } });
  expect(await metBy(bob)).toEqual([]);
});

test('leaves out deleted accounts', async () => {
  const [ann, bob] = [await member('Ann'), await member('Bob')];
  await meet(bob, ann, MINUTE_MS);
  await bob.call(deleteAccount, { body: { confirmation: DELETION_WORDS } });
  expect(await metBy(ann)).toEqual([]);
});
