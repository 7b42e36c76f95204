import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import {
  createLiveCode,
  getFriendLink,
  LINK_UNKNOWN,
  openFriendLink,
  OWN_LINK,
  previewFriendLink,
  redeemLiveCode,
  renewFriendLink,
} from '#shared/friend-links/contract.ts';
import {
  createFriendRequest,
  listFriends,
  respondToFriendRequest,
} from '#shared/friends/contract.ts';
import type { FriendLinkRow } from '../../api/features/friend-links/collections.ts';
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
  expect(await open(sam, friend_link.token)).toEqual({ user_id: alex.user.id, is_live: false });
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
  expect(await open(eve, token)).toEqual({ user_id: alex.user.id, is_live: false });
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
  expect(await open(sam, token)).toEqual({ user_id: alex.user.id, is_live: false });
  await api.restartApi();
});

test('only members can show and open friend links', async () => {
  const token = await tokenOf(alex);
  const guest = await api.as(`guest.${++count}@example.com`, { access: false });
  await expectRefused(open(guest, token), 403);
  await expectRefused(guest.call(getFriendLink), 403);
  await expectRefused(open(sam, '../users'), 400);
});

describe('a code that is shown for a scan', () => {
  const show = async ({ call }: TestPerson) => (await call(createLiveCode)).live_code.token;
  const redeem = ({ call }: TestPerson, token: string) => call(redeemLiveCode, { body: { token } });
  const friendsOf = async ({ call }: TestPerson) =>
    (await call(listFriends)).friends.map(({ friend_user_id }) => friend_user_id);
  const links = () => api.db.collection<FriendLinkRow>('friend_links');

  test('makes friends at once, of one person', async () => {
    const [token, code] = [await tokenOf(alex), await show(alex)];
    const opened = await sam.call(openFriendLink, { body: { token, live_code: code } });
    expect(opened).toEqual({ user_id: alex.user.id, is_live: true });
    expect(await redeem(sam, code)).toEqual({ user_id: alex.user.id, display_name: 'Alex' });
    expect(await friendsOf(alex)).toEqual([sam.user.id]);
    expect(await friendsOf(sam)).toEqual([alex.user.id]);
    const eve = await person('Eve');
    await expectRefused(redeem(eve, code), 404, { error: LINK_UNKNOWN });
    expect(await eve.call(openFriendLink, { body: { token, live_code: code } })).toEqual({
      user_id: alex.user.id,
      is_live: false,
    });
  });

  test('works for a minute, and the one before it too', async () => {
    const first = await show(alex);
    await show(alex);
    const [row] = await links().find({ _id: alex.user.id }).toArray();
    expect(row?.live).toHaveLength(2);
    const until = row?.live?.map((code) => code.until.getTime() - Date.now()) ?? [];
    expect(Math.max(...until)).toBeLessThanOrEqual(60_000);
    await redeem(sam, first);
    const last = await show(alex);
    const eve = await person('Eve');
    await links().updateOne(
      { _id: alex.user.id },
      { $set: { 'live.$[].until': new Date(Date.now() - 1) } },
    );
    await expectRefused(redeem(eve, last), 404, { error: LINK_UNKNOWN });
  });

  test('accepts a waiting request, also after a denial', async () => {
    const body = { receiver_user_id: sam.user.id };
    const { friend_request } = await alex.call(createFriendRequest, { body });
    const deny = { request_id: friend_request.id, action: 'deny' as const };
    await sam.call(respondToFriendRequest, { body: deny });
    await redeem(alex, await show(sam));
    expect(await friendsOf(sam)).toEqual([alex.user.id]);
  });

  test('befriends no one across a block', async () => {
    const code = await show(alex);
    await alex.call(createBlock, { body: { blocked_user_id: sam.user.id } });
    await expectRefused(redeem(sam, code), 404, { error: LINK_UNKNOWN });
    const theirs = await show(sam);
    await expectRefused(redeem(alex, theirs), 409, { code: 'blocked' });
    expect(await friendsOf(alex)).toEqual([]);
    await expectRefused(redeem(alex, await show(alex)), 400, { code: 'own_link' });
  });
});

test('a guest reads who asks, and nothing else', async () => {
  await makeDog(alex, { name: 'Biscuit' });
  const token = await tokenOf(alex);
  const preview = (each: string) => api.call(previewFriendLink, { body: { token: each } });
  expect(await preview(token)).toEqual({ display_name: 'Alex', dog_names: ['Biscuit'] });
  await expectRefused(preview('AAAAAAAAAAAAAAAAAAAAAA'), 404, { error: LINK_UNKNOWN });
  const { live_code } = await alex.call(createLiveCode);
  await expectRefused(preview(live_code.token), 404, { error: LINK_UNKNOWN });
  await alex.call(renewFriendLink);
  await expectRefused(preview(token), 404, { error: LINK_UNKNOWN });
});

test('guessing friend links is limited', async () => {
  const token = await tokenOf(alex);
  await api.withLimits(1, async () => {
    for (let i = 0; i < 10; i++) await expectUnknown(sam, `guess${i}`);
    await expectRefused(open(sam, token), 429, { code: 'rate_limited' });
  });
});
