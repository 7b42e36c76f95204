import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import { createBlock, deleteBlock } from '#shared/blocks/contract.ts';
import { listMessages, sendMessage } from '#shared/chat/contract.ts';
import { WAITED_HEADER } from '#shared/deferred-calls.ts';
import { NOT_YET } from '#shared/endpoint.ts';
import {
  createFriendRequest,
  deleteFriend,
  listFriendRequests,
  listFriends,
  respondToFriendRequest,
  withdrawFriendRequest,
} from '#shared/friends/contract.ts';
import { readContacts } from '#shared/friends/document.ts';
import { readCard } from '#shared/profile/document.ts';
import { DAY_MS } from '#shared/time.ts';
import type { CallError } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

let count = 0;
/** Creates a user with a profile. */
async function person(name: string): Promise<TestPerson> {
  const someone = await api.as(`${name}.${++count}@example.com`);
  await makeProfile(someone, { display_name: name });
  return someone;
}
const alexAndSam = () => Promise.all([person('Alex'), person('Sam')]);
const alexSamAndEve = () => Promise.all([person('Alex'), person('Sam'), person('Eve')]);

const ask = async (one: TestPerson, other: TestPerson, message?: string) =>
  (
    await one.call(createFriendRequest, {
      body: { receiver_user_id: other.user.id, message },
    })
  ).friend_request;
const answer = (one: TestPerson, request_id: string, action: 'accept' | 'deny') =>
  one.call(respondToFriendRequest, { body: { request_id, action } });
const contactsOf = async ({ user }: TestPerson) =>
  readContacts(await api.document(user.documents.contacts));
/** Returns the users that may read a user's card. */
const readersOf = async ({ user }: TestPerson) =>
  (await api.db.collection('documents').distinct('owner_user_id', { subject_user_id: user.id }))
    .map(String)
    .toSorted();
async function befriend(one: TestPerson, other: TestPerson): Promise<void> {
  await answer(other, (await ask(one, other)).id, 'accept');
}

describe('a friend request', () => {
  test('a friend request shows to both users with names and message', async () => {
    const [alex, sam] = await alexAndSam();
    const request = await ask(alex, sam, '  Shall we walk? ');
    expect(request).toMatchObject({
      sender_user_id: alex.user.id,
      sender_name: 'Alex',
      receiver_user_id: sam.user.id,
      receiver_name: 'Sam',
      status: 'pending',
      message: 'Shall we walk?',
    });
    expect(await alex.call(listFriendRequests)).toEqual({ received: [], sent: [request] });
    expect(await sam.call(listFriendRequests)).toEqual({ received: [request], sent: [] });
    expect((await contactsOf(alex)).sent).toEqual([
      {
        user_id: sam.user.id,
        relationship: 'sent',
        name: 'Sam',
        at: request.created_at,
        request_id: request.id,
        message: 'Shall we walk?',
        card: null,
      },
    ]);
    expect((await contactsOf(sam)).received).toMatchObject([
      { user_id: alex.user.id, name: 'Alex', request_id: request.id },
    ]);
  });

  test('accepting a request makes friends who can read each other’s cards', async () => {
    const [alex, sam] = await alexAndSam();
    const request = await ask(alex, sam);
    const { friend_request } = await answer(sam, request.id, 'accept');
    expect(friend_request).toMatchObject({ id: request.id, status: 'accepted' });
    expect(await alex.call(listFriendRequests)).toEqual({ received: [], sent: [] });
    const [user1_id, user2_id] = [alex.user.id, sam.user.id].toSorted();
    expect(await alex.call(listFriends)).toEqual({
      friends: [
        {
          user1_id,
          user2_id,
          friend_user_id: sam.user.id,
          friend_name: 'Sam',
          created_at: friend_request.updated_at,
        },
      ],
    });
    expect((await sam.call(listFriends)).friends).toMatchObject([
      { friend_user_id: alex.user.id, friend_name: 'Alex' },
    ]);
    const [friend] = (await contactsOf(alex)).friends;
    expect(friend).toMatchObject({ user_id: sam.user.id, at: friend_request.updated_at });
    expect(readCard(await api.document(friend?.card ?? '')).display_name).toBe('Sam');
    expect(await readersOf(alex)).toEqual([sam.user.id]);
    expect(await readersOf(sam)).toEqual([alex.user.id]);
  });

  test('the messages of requests begin the thread, once', async () => {
    const [alex, sam] = await alexAndSam();
    const request = await ask(alex, sam, 'Shall we walk?');
    await answer(sam, request.id, 'accept');
    const textsOf = async ({ call }: TestPerson, friend: TestPerson) =>
      (await call(listMessages, { params: { friendUserId: friend.user.id } })).messages.map(
        ({ sender_user_id, message_text }) => [sender_user_id, message_text],
      );
    const said = [[alex.user.id, 'Shall we walk?']];
    await vi.waitFor(async () => expect(await textsOf(sam, alex)).toEqual(said));
    // Another projection of the same pair adds nothing.
    await makeProfile(alex, { display_name: 'Alexandra' });
    await api.runJobs();
    await sam.call(sendMessage, {
      body: { receiver_user_id: alex.user.id, message_text: 'Sure' },
    });
    await vi.waitFor(async () =>
      expect(await textsOf(alex, sam)).toEqual([...said, [sam.user.id, 'Sure']]),
    );
  });

  test('a denied request disappears for both and rests for 30 days', async () => {
    const [alex, sam] = await alexAndSam();
    const request = await ask(alex, sam);
    const denied = await answer(sam, request.id, 'deny');
    expect(denied.friend_request.status).toBe('denied');
    expect(await alex.call(listFriendRequests)).toEqual({ received: [], sent: [] });
    expect(await contactsOf(sam)).toMatchObject({ received: [], friends: [] });
    await expectRefused(answer(sam, request.id, 'accept'), 409, {
      code: 'answered',
      error: 'Failed to accept friend request: you’ve already answered it',
    });
    const resting = {
      code: 'resting',
      error:
        'Your last request to this person was a short time ago. You can send another one after 30 days.',
    };
    await expectRefused(ask(alex, sam), 409, resting);
    // Also across a block.
    await sam.call(createBlock, { body: { blocked_user_id: alex.user.id } });
    await expectRefused(ask(alex, sam), 409, resting);
    await sam.call(deleteBlock, { params: { blockedUserId: alex.user.id } });
    expect((await ask(alex, sam)).id).not.toBe(request.id);
  });

  test('the user who denied a request can send one', async () => {
    const [alex, sam] = await alexAndSam();
    await answer(sam, (await ask(alex, sam)).id, 'deny');
    const { id } = await ask(sam, alex);
    await api.db
      .collection('pairs')
      .updateOne(
        { 'request.id': id },
        { $set: { [`denied_at.${alex.user.id}`]: new Date(Date.now() - 30 * DAY_MS) } },
      );
    await answer(alex, id, 'deny');
    expect(await ask(alex, sam)).toMatchObject({ status: 'pending' });
  });

  test('a withdrawn request disappears for both and can be sent again', async () => {
    const [alex, sam, eve] = await alexSamAndEve();
    const withdraw = (by: TestPerson, from: TestPerson, headers = {}) =>
      by.call(withdrawFriendRequest, { params: { receiverUserId: from.user.id }, headers });
    const request = await ask(alex, sam, 'Shall we walk?');
    for (const outsider of [sam, eve])
      await expectRefused(withdraw(outsider, alex), 404, { error: 'Friend request not found' });
    await expectRefused(withdraw(alex, sam, { [WAITED_HEADER]: '60000' }), 409, {
      code: 'requested_since',
      error: 'You’ve sent another request since then.',
    });
    expect(await withdraw(alex, sam)).toEqual({});
    expect(await alex.call(listFriendRequests)).toEqual({ received: [], sent: [] });
    expect(await sam.call(listFriendRequests)).toEqual({ received: [], sent: [] });
    expect((await contactsOf(alex)).sent).toEqual([]);
    expect((await contactsOf(sam)).received).toEqual([]);
    await expectRefused(answer(sam, request.id, 'accept'), 404);
    await expectRefused(withdraw(alex, sam), 404, { error: 'Friend request not found' });

    await answer(sam, (await ask(alex, sam)).id, 'accept');
    await expectRefused(withdraw(alex, sam), 409, {
      code: 'already_friends',
      error: 'You’re already friends.',
    });
  });

  test('a request to a user who has sent one makes friends', async () => {
    const [alex, sam] = await alexAndSam();
    const first = await ask(alex, sam);
    expect(await ask(sam, alex)).toMatchObject({ id: first.id, status: 'accepted' });
    expect((await contactsOf(alex)).friends).toHaveLength(1);
    expect(await ask(alex, sam)).toMatchObject({ id: first.id, status: 'accepted' });
  });

  test('a repeated request with the same key is sent once, and a late repeat restores nothing', async () => {
    const [alex, sam] = await alexAndSam();
    const body = { receiver_user_id: sam.user.id };
    const once = () => alex.call(createFriendRequest, { body, idempotencyKey: 'one' });
    const [first, second] = await Promise.all([once(), once()]);
    expect(second).toEqual(first);
    await answer(sam, first.friend_request.id, 'deny');
    expect(await once()).toEqual(first);
    expect(await alex.call(listFriendRequests)).toEqual({ received: [], sent: [] });
  });

  test('refuses a request to unknown users or oneself, or with a long message', async () => {
    const [alex, sam] = await alexAndSam();
    const send = (body: { receiver_user_id: string; message?: string }) =>
      alex.call(createFriendRequest, { body });
    await expectRefused(send({ receiver_user_id: 'nobody' }), 404, { error: 'User not found' });
    await expectRefused(send({ receiver_user_id: alex.user.id }), 400, {
      error: 'You can’t send yourself a friend request',
    });
    await expectRefused(send({} as { receiver_user_id: string }), 400, {
      fields: { receiver_user_id: 'Required' },
    });
    const long = 'x'.repeat(201);
    await expectRefused(send({ receiver_user_id: sam.user.id, message: long }), 400, {
      fields: { message: 'Invalid input' },
    });
    expect(await ask(alex, sam, long.slice(1))).toMatchObject({ message: long.slice(1) });
  });

  test('only the receiver can answer a request', async () => {
    const [alex, sam, eve] = await alexSamAndEve();
    const request = await ask(alex, sam);
    for (const outsider of [alex, eve])
      await expectRefused(answer(outsider, request.id, 'accept'), 404, {
        error: 'Friend request not found',
      });
    await expectRefused(
      sam.call(respondToFriendRequest, {
        body: { request_id: request.id, action: 'maybe' as 'deny' },
      }),
      400,
      { fields: { action: 'Invalid input' } },
    );
    expect((await contactsOf(sam)).received).toHaveLength(1);
  });
});

describe('a friend', () => {
  test('removing a friend affects both users and revokes access to the cards', async () => {
    const [alex, sam, eve] = await alexSamAndEve();
    await befriend(alex, sam);
    await befriend(alex, eve);
    const params = { friendUserId: sam.user.id };
    expect(await alex.call(deleteFriend, { params })).toEqual({});
    expect((await alex.call(listFriends)).friends).toMatchObject([{ friend_name: 'Eve' }]);
    expect(await sam.call(listFriends)).toEqual({ friends: [] });
    expect((await contactsOf(sam)).friends).toEqual([]);
    expect(await readersOf(alex)).toEqual([eve.user.id]);
    expect(await readersOf(sam)).toEqual([]);
    await expectRefused(alex.call(deleteFriend, { params }), 404, {
      error: "Friend not found or you're not friends with this user",
    });
  });

  test('a late repeat of a removal does not end a new friendship', async () => {
    const [alex, sam] = await alexAndSam();
    await befriend(alex, sam);
    const part = () =>
      alex.call(deleteFriend, {
        params: { friendUserId: sam.user.id },
        idempotencyKey: 'part',
      });
    await part();
    await befriend(sam, alex);
    expect(await part()).toEqual({});
    expect((await alex.call(listFriends)).friends).toHaveLength(1);
  });

  test('outdated actions of a device do not end a new friendship or lift a later block', async () => {
    const [alex, sam] = await alexAndSam();
    await befriend(alex, sam);
    const late = { headers: { [WAITED_HEADER]: '60000' } };
    const remove = { params: { friendUserId: sam.user.id } };
    await expectRefused(alex.call(deleteFriend, { ...remove, ...late }), 409, {
      code: 'friends_since',
      error: 'You’ve become friends again since then.',
    });
    expect((await contactsOf(alex)).friends).toHaveLength(1);
    expect(await alex.call(deleteFriend, remove)).toEqual({});

    await alex.call(createBlock, { body: { blocked_user_id: sam.user.id } });
    const unblock = { params: { blockedUserId: sam.user.id } };
    await expectRefused(alex.call(deleteBlock, { ...unblock, ...late }), 409, {
      code: 'blocked_since',
      error: 'You’ve blocked this person again since then.',
    });
    expect((await contactsOf(alex)).blocked).toHaveLength(1);
    expect(await alex.call(deleteBlock, unblock)).toEqual({});
  });

  test('deleting an account removes it from the lists and contacts documents of friends', async () => {
    const [alex, sam] = await alexAndSam();
    await befriend(alex, sam);
    await sam.call(deleteAccount, { body: { confirmation: 'delete my account' } });
    expect(await alex.call(listFriends)).toEqual({ friends: [] });
    expect(await contactsOf(alex)).toMatchObject({ friends: [] });
    expect(await readersOf(alex)).toEqual([]);
    expect(await api.db.collection('pairs').countDocuments({ users: sam.user.id })).toBe(0);
  });
});

describe('a block between users', () => {
  test('a block ends the friendship for both, and the blocked user sees a stranger', async () => {
    const [alex, sam] = await alexAndSam();
    await befriend(alex, sam);
    await alex.call(createBlock, { body: { blocked_user_id: sam.user.id } });
    expect(await alex.call(listFriends)).toEqual({ friends: [] });
    expect(await sam.call(listFriends)).toEqual({ friends: [] });
    expect(await contactsOf(sam)).toEqual({ friends: [], received: [], sent: [], blocked: [] });
    expect(await readersOf(alex)).toEqual([]);
    expect(await readersOf(sam)).toEqual([]);
  });

  test('a request to a blocker gets the same answer as one to an unknown user', async () => {
    const [alex, sam] = await alexAndSam();
    await alex.call(createBlock, { body: { blocked_user_id: sam.user.id } });
    const refusalOf = (receiver_user_id: string) =>
      sam.call(createFriendRequest, { body: { receiver_user_id } }).then(
        () => null,
        ({ message, status, code, fields }: CallError) => ({ message, status, code, fields }),
      );
    expect(await refusalOf(alex.user.id)).toEqual(await refusalOf('nobody'));
    await expectRefused(ask(alex, sam), 409, {
      code: 'blocked',
      error: 'You’ve blocked this person. Unblock them first.',
    });
    await alex.call(deleteBlock, { params: { blockedUserId: sam.user.id } });
    expect(await ask(sam, alex)).toMatchObject({ status: 'pending' });
  });

  test('a block removes a pending request, which can’t be accepted anymore', async () => {
    const [alex, sam] = await alexAndSam();
    const request = await ask(sam, alex);
    await sam.call(createBlock, { body: { blocked_user_id: alex.user.id } });
    await expectRefused(answer(alex, request.id, 'accept'), 404, {
      error: 'Friend request not found',
    });
    expect(await contactsOf(alex)).toMatchObject({ received: [] });
  });
});

test('updates the contacts documents when the sync server is back', async () => {
  const [alex, sam, eve] = await alexSamAndEve();
  const request = await ask(alex, sam);
  // Allows one request an hour.
  await api.withLimits(0.04, async () => {
    await api.stopSync();
    await Promise.all([
      expectRefused(answer(sam, request.id, 'accept'), 503, { code: 'unavailable' }),
      expectRefused(ask(alex, eve), 503, { code: 'unavailable' }),
    ]);
    // The friendship is stored, but not in the contacts documents yet.
    expect((await alex.call(listFriends)).friends).toHaveLength(1);
    await api.startSync();
    expect((await contactsOf(alex)).friends).toEqual([]);
    // It counts as one request, however often it was retried.
    expect((await ask(alex, eve)).status).toBe('pending');
    await expectRefused(ask(alex, eve), 429, { code: 'rate_limited' });
  });
  await api.runJobs();
  await expect.poll(async () => (await contactsOf(alex)).friends.length).toBe(1);
  await expect.poll(async () => (await contactsOf(sam)).friends.length).toBe(1);
  expect(await readersOf(alex)).toEqual([sam.user.id]);
});

test('accepting a request from somebody whose documents can only be read now still begins the conversation', async () => {
  const [alex, sam] = await alexAndSam();
  const request = await ask(alex, sam, 'Shall we walk?');
  const quarantine = { failures: 2, failed_at: new Date(), trials: 1, retry_at: new Date(8e12) };
  const row = { kind: 'account', owner_user_id: alex.user.id, quarantine };
  await api.db
    .collection('documents')
    .insertMany([1, 2, 3].map(() => ({ ...row, _id: randomUUID() }) as never));
  await api.stopSync();
  await api.startSync();
  await expectRefused(makeProfile(alex, { display_name: 'Alexander' }), 503, { code: NOT_YET });
  await answer(sam, request.id, 'accept');
  const { messages } = await sam.call(listMessages, { params: { friendUserId: alex.user.id } });
  expect(messages).toMatchObject([{ message_text: 'Shall we walk?' }]);
});
