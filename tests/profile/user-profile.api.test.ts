import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import { createFriendRequest } from '#shared/friends/contract.ts';
import { getFullProfile, getProfile, getUserProfile } from '#shared/profile/contract.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeDog, makeProfile } from '../factories.ts';
import { befriend } from '../friends/befriend.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

let count = 0;
async function person(display_name: string): Promise<TestPerson> {
  const someone = await api.as(`${display_name}.${++count}@example.com`);
  await makeProfile(someone, { display_name });
  return someone;
}
const ask = (one: TestPerson, other: TestPerson) =>
  one.call(createFriendRequest, { body: { receiver_user_id: other.user.id } });
const look = (one: TestPerson, other: TestPerson) =>
  one.call(getUserProfile, { params: { id: other.user.id } });
const statusFor = async (one: TestPerson, other: TestPerson) =>
  (await look(one, other)).friendship_status;

test('the own profile has the dogs and is the same by its id', async () => {
  const alex = await person('Alex');
  const dog = await makeDog(alex, { name: 'Rex' });
  const profile = await alex.call(getFullProfile);
  expect(profile).toMatchObject({
    id: (await alex.call(getProfile)).id,
    user_id: alex.user.id,
    display_name: 'Alex',
    is_location_sharing_enabled: true,
    dogs: [dog],
    friendship_status: 'none',
    mutual_friends_count: null,
    mutual_friend_ids: null,
  });
  expect(Date.parse(profile.join_date)).not.toBeNaN();
  expect(await look(alex, alex)).toEqual(profile);
  const fresh = await api.as('fresh@example.com');
  await expectRefused(fresh.call(getFullProfile), 404, { error: 'Profile not found' });
});

test('another user’s profile shows the relationship from each side', async () => {
  const [alex, sam] = await Promise.all([person('Alex'), person('Sam')]);
  const dog = await makeDog(sam, { name: 'Bo' });
  const profile = await look(alex, sam);
  // Others see the days, not the times.
  const noon = `${dog.created_at.slice(0, 10)}T12:00:00.000Z`;
  expect(profile).toMatchObject({
    id: sam.user.id,
    user_id: sam.user.id,
    display_name: 'Sam',
    dogs: [{ ...dog, created_at: noon }],
    friendship_status: 'none',
  });
  expect(profile.join_date).toMatch(/T12:00:00\.000Z$/);
  await ask(alex, sam);
  expect(await statusFor(alex, sam)).toBe('pending_sent');
  expect(await statusFor(sam, alex)).toBe('pending_received');
  await ask(sam, alex);
  expect(await statusFor(alex, sam)).toBe('friends');
  expect(await statusFor(sam, alex)).toBe('friends');
});

test('another user’s profile does not reveal whether they share their location', async () => {
  const [alex, sam] = await Promise.all([person('Alex'), person('Sam')]);
  const stranger = await look(alex, sam);
  await ask(alex, sam);
  await ask(sam, alex);
  const friend = await look(alex, sam);
  await makeProfile(sam, { display_name: 'Sam', is_location_sharing_enabled: false });
  expect(await look(alex, sam)).toEqual(friend);
  for (const { is_location_sharing_enabled } of [stranger, friend])
    expect(is_location_sharing_enabled).toBe(false);
});

test('hides the profile of a user who blocked the caller, and marks the one the caller blocked', async () => {
  const [alex, sam] = await Promise.all([person('Alex'), person('Sam')]);
  await alex.call(createBlock, { body: { blocked_user_id: sam.user.id } });
  expect(await statusFor(alex, sam)).toBe('blocked');
  await expectRefused(look(sam, alex), 404, { error: 'User not found', code: 'not_found' });
  await expectRefused(sam.call(getUserProfile, { params: { id: 'nobody' } }), 404, {
    error: 'User not found',
    code: 'not_found',
  });
});

test('answers 404 for a user without a profile', async () => {
  const alex = await person('Alex');
  const fresh = await api.as('no.profile@example.com');
  await expectRefused(look(alex, fresh), 404, { error: 'User not found' });
});

test('shows mutual friends to friends and to the receiver of a request, not to strangers', async () => {
  const [alex, sam, eve, zoe] = await Promise.all(
    ['Alex', 'Sam', 'Eve', 'Zoe'].map(person) as [
      Promise<TestPerson>,
      Promise<TestPerson>,
      Promise<TestPerson>,
      Promise<TestPerson>,
    ],
  );
  await befriend(alex, eve);
  await befriend(sam, eve);
  await befriend(sam, zoe);
  const mutual = async (one: TestPerson, other: TestPerson) => {
    const { mutual_friends_count, mutual_friend_ids } = await look(one, other);
    expect(mutual_friend_ids?.length ?? null).toBe(mutual_friends_count);
    return mutual_friends_count;
  };
  expect(await mutual(alex, sam)).toBeNull();
  await ask(alex, sam);
  // Sending a request is not enough to see mutual friends.
  expect(await mutual(alex, sam)).toBeNull();
  expect(await mutual(sam, alex)).toBe(1);
  expect((await look(sam, alex)).mutual_friend_ids).toEqual([eve.user.id]);
  await ask(sam, alex);
  expect(await mutual(alex, sam)).toBe(1);
  await befriend(alex, zoe);
  expect(await mutual(sam, alex)).toBe(2);
  expect(await mutual(alex, eve)).toBe(1);
});
