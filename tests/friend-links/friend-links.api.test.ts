import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import {
  getFriendLink,
  LINK_UNKNOWN,
  openFriendLink,
  OWN_LINK,
  renewFriendLink,
} from '#shared/friend-links/contract.ts';
import { createFriendRequest } from '#shared/friends/contract.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeProfile } from '../factories.ts';
import { befriend } from '../friends/befriend.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

let count = 0;
async function person(name: string): Promise<TestPerson> {
  const someone = await api.as(`${name}.${++count}@example.com`);
  await makeProfile(someone, { display_name: name });
  return someone;
}

const tokenOf = async ({ call }: TestPerson) => (await call(getFriendLink)).friend_link.token;
const open = ({ call }: TestPerson, token: string) => call(openFriendLink, { body: { token } });
const expectUnknown = (by: TestPerson, token: string) =>
  expectRefused(open(by, token), 404, { error: LINK_UNKNOWN });

let alex: TestPerson;
let sam: TestPerson;
beforeEach(async () => {
  [alex, sam] = await Promise.all([person('Alex'), person('Sam')]);
});

test('a friend link leads to its owner, who can then be sent a friend request', async () => {
  const token = await tokenOf(alex);
  expect(token).toMatch(/^[\w-]{22}$/);
  expect(token).not.toContain(alex.user.id);
  expect(await tokenOf(alex)).toBe(token);
  const { user_id } = await open(sam, token);
  expect(user_id).toBe(alex.user.id);
  const { friend_request } = await sam.call(createFriendRequest, {
    body: { receiver_user_id: user_id },
  });
  expect(friend_request).toMatchObject({ receiver_name: 'Alex', status: 'pending' });
  await expectRefused(open(alex, token), 400, { code: 'own_link', error: OWN_LINK });
});

test('two first calls at the same time make one friend link', async () => {
  const tokens = await Promise.all(Array.from({ length: 8 }, () => tokenOf(alex)));
  expect(new Set(tokens).size).toBe(1);
});

test('renewing a friend link revokes the one before', async () => {
  const before = await tokenOf(alex);
  const { friend_link } = await alex.call(renewFriendLink);
  expect(friend_link.token).not.toBe(before);
  expect(await tokenOf(alex)).toBe(friend_link.token);
  await expectUnknown(sam, before);
  expect(await open(sam, friend_link.token)).toEqual({ user_id: alex.user.id });
});

test('all friend links that lead to no one get the same answer', async () => {
  const token = await tokenOf(alex);
  await expectUnknown(sam, 'AAAAAAAAAAAAAAAAAAAAAA');
  await alex.call(createBlock, { body: { blocked_user_id: sam.user.id } });
  await expectUnknown(sam, token);
  const eve = await person('Eve');
  const users = api.db.collection<{ _id: string }>('users');
  const suspended = { $set: { suspended_until: new Date(Date.now() + 60_000) } };
  await users.updateOne({ _id: alex.user.id }, suspended);
  await expectUnknown(eve, token);
  await users.updateOne({ _id: alex.user.id }, { $unset: { suspended_until: '' } });
  expect(await open(eve, token)).toEqual({ user_id: alex.user.id });
  const nameless = await api.as(`nameless.${++count}@example.com`);
  await expectUnknown(eve, await tokenOf(nameless));
  await alex.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  await expectUnknown(eve, token);
  const left = await api.db.collection('friend_links').countDocuments({ token });
  expect(left).toBe(0);
});

test('a friend link does not tell a friend of a block before they are to see the end', async () => {
  await api.restartApi({ BLOCK_DELAY_SCALE: '1' });
  await befriend(alex, sam);
  const token = await tokenOf(alex);
  await alex.call(createBlock, { body: { blocked_user_id: sam.user.id } });
  expect(await open(sam, token)).toEqual({ user_id: alex.user.id });
  await api.restartApi();
});

test('only members can show and open friend links', async () => {
  const token = await tokenOf(alex);
  const guest = await api.as(`guest.${++count}@example.com`, { access: false });
  await expectRefused(open(guest, token), 403);
  await expectRefused(guest.call(getFriendLink), 403);
  await expectRefused(open(sam, '../users'), 400);
});

test('guessing friend links is limited', async () => {
  const token = await tokenOf(alex);
  await api.withLimits(1, async () => {
    for (let i = 0; i < 10; i++) await expectUnknown(sam, `guess${i}`);
    await expectRefused(open(sam, token), 429, { code: 'rate_limited' });
  });
});
