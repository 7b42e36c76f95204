import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createBlock, deleteBlock, listBlocks } from '#shared/blocks/contract.ts';
import {
  listConversations,
  listMessages,
  markRead,
  searchMessages,
} from '#shared/chat/contract.ts';
import { getDogFriendlyIndex, getUserFriendlyIndex } from '#shared/friendly-index/contract.ts';
import {
  createFriendRequest,
  deleteFriend,
  listFriends,
  listFriendRequests,
  respondToFriendRequest,
  withdrawFriendRequest,
} from '#shared/friends/contract.ts';
import { readContacts } from '#shared/friends/document.ts';
import { getUserProfile } from '#shared/profile/contract.ts';
import { listActivity } from '#shared/push/contract.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { listRecentEncounters } from '#shared/walks/contract.ts';
import { threads } from '../../api/features/chat/collections.ts';
import { proximityEvents } from '../../api/features/proximity/collections.ts';
import { pairs } from '../../api/features/relationships/collections.ts';
import { eventId } from '../../api/platform/events/event-id.ts';
import { unzip } from '../account/unzip.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { createMember, friends, say, threadsOf } from '../chat/talk.ts';
import { makeDog, makeProfile } from '../factories.ts';
import { befriend } from '../friends/befriend.ts';
import { expectRefused } from '../refusals.ts';

vi.setConfig({ testTimeout: 90_000 });
const patience = { timeout: 30_000 };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'), { BLOCK_DELAY_SCALE: '1' });
});
afterAll(() => api.close());

const block = (by: TestPerson, other: TestPerson) =>
  by.call(createBlock, { body: { blocked_user_id: other.user.id } });

const pairOf = (one: TestPerson, other: TestPerson) =>
  pairs(api.db).findOne({ users: { $all: [one.user.id, other.user.id] } });

/** Lets the time pass until the blocked user sees the end. */
async function endEarlierView(one: TestPerson, other: TestPerson): Promise<void> {
  const pair = await pairOf(one, other);
  await pairs(api.db).updateOne(
    { _id: pair!._id },
    { $set: { 'earlier_view.until': new Date(Date.now() - 1) } },
  );
  await expect
    .poll(async () => {
      const now = await pairOf(one, other);
      return now?.is_projected && !now.earlier_view;
    }, patience)
    .toBe(true);
}

/** Returns a user's export: what is in a file, by its name. */
async function exported({ jar }: TestPerson): Promise<(file: string) => string> {
  const archive = await jar.fetch(`${api.origin}/api/account/export`);
  const files = unzip(Buffer.from(await archive.arrayBuffer()));
  return (file) => files.get(file)?.toString() ?? '';
}

const failed = (error: Error) => error.message;

/** Returns everything that a user can learn about another one, except messages of their own. */
async function storyOf(person: TestPerson, about: TestPerson) {
  const { call, user } = person;
  const id = about.user.id;
  const params = { friendUserId: id };
  const read = await exported(person);
  return {
    contacts: await api.document(user.documents.contacts),
    account: await api.document(user.documents.account),
    friends: await call(listFriends),
    requests: await call(listFriendRequests),
    conversations: await call(listConversations),
    messages: await call(listMessages, { params, query: {} }).catch(failed),
    found: await call(searchMessages, { query: { words: 'hello' } }),
    profile: await call(getUserProfile, { params: { id } }).catch(failed),
    index: await call(getUserFriendlyIndex, { params: { id } }).catch(failed),
    own_index: await call(getUserFriendlyIndex, { params: { id: user.id } }),
    met: await call(listRecentEncounters),
    blocks: await call(listBlocks),
    exported_friends: read('friends.json'),
    exported_messages: read('messages.json'),
  };
}

async function meet(one: TestPerson, other: TestPerson): Promise<void> {
  const triggered_at = new Date(Date.now() - 5 * MINUTE_MS);
  const _id = eventId(triggered_at.getTime());
  await proximityEvents(api.db).insertOne({
    _id,
    sender_user_id: one.user.id,
    receiver_user_id: other.user.id,
    distance_feet: 70,
    triggered_at,
    pair_windows: [_id],
  });
}

test('a block changes nothing for the blocked friend until a random time between 10 and 60 minutes later', async () => {
  const [ann, bob] = await friends(api, 'Ann', 'Bob');
  await makeDog(ann, { name: 'Rex' });
  await say(ann, bob, 'Hello Bob');
  await say(bob, ann, 'Hello Ann');
  await meet(ann, bob);
  const before = await storyOf(bob, ann);
  expect(before.friends.friends).toHaveLength(1);

  const from = Date.now();
  await block(ann, bob);
  const until = (await pairOf(ann, bob))!.earlier_view!.until.getTime();
  expect(until).toBeGreaterThanOrEqual(from + 10 * MINUTE_MS);
  expect(until).toBeLessThanOrEqual(Date.now() + HOUR_MS);
  expect(await storyOf(bob, ann)).toEqual(before);
  // Another device, and a server that has just started, tell the same.
  await api.restartApi();
  const again = await api.as(bob.user.email);
  expect(await storyOf(again, ann)).toEqual(before);
});

test('the blocker sees the end at once, and nothing of the blocker reaches the blocked friend', async () => {
  const [ann, bob] = await friends(api, 'Ann', 'Bob');
  await makeDog(ann, { name: 'Rex' });
  await say(bob, ann, 'Hello Ann');
  const cardUrl = readContacts(await api.document(bob.user.documents.contacts)).friends[0]!.card!;
  const card = await api.document(cardUrl);
  await block(ann, bob);

  expect(await ann.call(listFriends)).toEqual({ friends: [] });
  expect(await ann.call(listConversations)).toEqual({ conversations: [] });
  expect(await threadsOf(api, ann)).toEqual([]);
  expect(readContacts(await api.document(ann.user.documents.contacts))).toMatchObject({
    friends: [],
    blocked: [{ user_id: bob.user.id }],
  });

  await makeProfile(ann, { display_name: 'Ann elsewhere' });
  await makeDog(ann, { name: 'New dog' });
  const { display_name, dogs } = await bob.call(getUserProfile, { params: { id: ann.user.id } });
  expect({ display_name, dogs: dogs.map(({ name }) => name) }).toEqual({
    display_name: 'Ann',
    dogs: ['Rex'],
  });
  expect((await bob.call(listFriends)).friends[0]!.friend_name).toBe('Ann');
  expect((await bob.call(listConversations)).conversations[0]!.friend_display_name).toBe('Ann');
  expect(readContacts(await api.document(bob.user.documents.contacts)).friends[0]!.name).toBe(
    'Ann',
  );
  const index = { params: { id: ann.user.id } };
  expect((await bob.call(getUserFriendlyIndex, index)).total_dogs).toBe(1);
  const newDog = await ann.call(getUserProfile, { params: { id: ann.user.id } });
  const dogId = newDog.dogs.find(({ name }) => name === 'New dog')!.id;
  const query = { owner_user_id: ann.user.id };
  await expectRefused(bob.call(getDogFriendlyIndex, { params: { id: dogId }, query }), 404);
  expect(await api.document(cardUrl)).toEqual(card);
});

test('the list of what somebody was told shows a block no sooner than the list of friends', async () => {
  const [ann, bob] = [await createMember(api, 'Ann'), await createMember(api, 'Bob')];
  const cat = await createMember(api, 'Cat');
  await befriend(bob, ann);
  await cat.call(createFriendRequest, { body: { receiver_user_id: bob.user.id } });
  const before = await bob.call(listActivity);
  expect(before.activity.map(({ body }) => body)).toEqual([
    'Cat would like to be friends.',
    'You and Ann are now friends.',
  ]);
  await block(ann, bob);
  await block(cat, bob);
  await makeProfile(ann, { display_name: 'Ann elsewhere' });
  expect(await bob.call(listActivity)).toEqual(before);
  await endEarlierView(ann, bob);
  await endEarlierView(cat, bob);
  expect(await bob.call(listActivity)).toEqual({ activity: [] });
});

test('messages of a blocked friend are stored, never delivered, and removed in the end', async () => {
  const [ann, bob] = await friends(api, 'Ann', 'Bob');
  const { id } = await say(ann, bob, 'Hello');
  await block(ann, bob);
  const sent = await say(bob, ann, 'Are you there?');
  expect(sent.is_read).toBe(false);
  expect((await bob.call(markRead, { body: { message_ids: [id] } })).marked).toBe(1);
  const params = { friendUserId: ann.user.id };
  const { messages } = await bob.call(listMessages, { params, query: {} });
  expect(messages.map(({ message_text }) => message_text)).toEqual(['Hello', 'Are you there?']);

  const other = { friendUserId: bob.user.id };
  await expectRefused(ann.call(listMessages, { params: other, query: {} }), 404);
  await expectRefused(say(ann, bob, 'Not any more'), 404);
  await ann.call(markRead, { body: { message_ids: [sent.id] } });
  const [row] = await api.db.collection('messages').find({ text: 'Are you there?' }).toArray();
  expect(row).toMatchObject({ is_read: false });
  // The blocker can read neither document, and the blocked friend writes their own only.
  const thread = await threads(api.db).findOne({ users: ann.user.id, is_live: true });
  const rights = await api.db
    .collection<{ _id: string; owner_user_id: string }>('documents')
    .find({ _id: { $in: Object.values(thread!.segments[0]!.documents) } })
    .toArray();
  expect(rights.find(({ owner_user_id }) => owner_user_id === ann.user.id)).toMatchObject({
    reader_user_ids: [bob.user.id],
    is_frozen: true,
  });
  expect(rights.find(({ owner_user_id }) => owner_user_id === bob.user.id)).toMatchObject({
    reader_user_ids: [],
    is_frozen: false,
  });

  await endEarlierView(ann, bob);
  expect(await api.db.collection('messages').countDocuments({ thread_id: thread!._id })).toBe(0);
  await expectRefused(say(bob, ann, 'Hello?'), 404);
  expect((await ann.call(listBlocks)).blocks).toHaveLength(1);
});

test('the end looks to the blocked friend as it does after an unfriending', async () => {
  const [removed, blocked] = [await createMember(api, 'Friend'), await createMember(api, 'Friend')];
  const stories = await Promise.all(
    [removed, blocked].map(async (friend) => {
      const ann = await createMember(api, 'Ann');
      await befriend(ann, friend);
      await say(ann, friend, 'Hello');
      await meet(ann, friend);
      if (friend === removed)
        await ann.call(deleteFriend, { params: { friendUserId: friend.user.id } });
      else {
        await block(ann, friend);
        await endEarlierView(ann, friend);
      }
      const {
        contacts,
        friends: all,
        conversations,
        messages,
        found,
        met,
        requests,
        own_index,
      } = await storyOf(friend, ann);
      const story = { contacts, all, conversations, messages, found, met, requests, own_index };
      return JSON.stringify(story)
        .replaceAll(ann.user.id, 'ann')
        .replaceAll(friend.user.id, 'friend')
        .replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'time')
        .replaceAll(/"version":\d+/g, '"version"');
    }),
  );
  expect(stories[1]).toBe(stories[0]);
});

test('a request that the blocked user sent looks unanswered, and then declined', async () => {
  const [ann, bob] = [await createMember(api, 'Ann'), await createMember(api, 'Bob')];
  const ask = () => bob.call(createFriendRequest, { body: { receiver_user_id: ann.user.id } });
  const { friend_request } = await ask();
  const before = await storyOf(bob, ann);
  await block(ann, bob);
  expect(await storyOf(bob, ann)).toEqual(before);
  expect((await ask()).friend_request).toEqual(friend_request);
  expect(await ann.call(listFriendRequests)).toEqual({ received: [], sent: [] });
  await endEarlierView(ann, bob);
  expect(await bob.call(listFriendRequests)).toEqual({ received: [], sent: [] });
  expect(readContacts(await api.document(bob.user.documents.contacts)).sent).toEqual([]);
});

test('withdrawing a request and sending another one tells a blocked user nothing', async () => {
  const stories = [];
  for (const isBlocked of [false, true]) {
    const [ann, bob] = [await createMember(api, 'Ann'), await createMember(api, 'Bob')];
    const body = { receiver_user_id: ann.user.id, message: 'Hello' };
    await bob.call(createFriendRequest, { body });
    if (isBlocked) await block(ann, bob);
    const params = { receiverUserId: ann.user.id };
    const withdrawn = await bob.call(withdrawFriendRequest, { params });
    const without = await storyOf(bob, ann);
    const again = await bob.call(createFriendRequest, { body });
    const story = { withdrawn, without, again, after: await storyOf(bob, ann) };
    stories.push(
      JSON.stringify(story)
        .replaceAll(ann.user.id, 'ann')
        .replaceAll(bob.user.id, 'bob')
        .replaceAll(bob.user.email, 'email')
        .replaceAll(/"id":"[^"]*"/g, '"id"')
        .replaceAll(/"request_id":"[^"]*"/g, '"request_id"')
        .replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'time')
        .replaceAll(/"version":\d+/g, '"version"'),
    );
    const { received } = await ann.call(listFriendRequests);
    expect(received).toHaveLength(isBlocked ? 0 : 1);
    if (!isBlocked) continue;
    await endEarlierView(ann, bob);
    expect(await bob.call(listFriendRequests)).toEqual({ received: [], sent: [] });
    await expectRefused(bob.call(createFriendRequest, { body }), 409, { code: 'resting' });
  }
  expect(stories[1]).toBe(stories[0]);
});

test('removing the friend meanwhile tells a blocked friend nothing, also by what they do next', async () => {
  const stories = [];
  for (const isBlocked of [false, true]) {
    const [ann, bob] = await friends(api, 'Ann', 'Bob');
    await makeDog(ann, { name: 'Rex' });
    await say(ann, bob, 'Hello Bob');
    await say(bob, ann, 'Hello Ann');
    await meet(ann, bob);
    if (isBlocked) await block(ann, bob);
    const params = { friendUserId: ann.user.id };
    const remove = () => bob.call(deleteFriend, { params });
    const removed = await remove();
    const without = await storyOf(bob, ann);
    const repeated = await remove().catch(failed);
    const written = await say(bob, ann, 'Are you there?').catch(failed);
    const ask = () => bob.call(createFriendRequest, { body: { receiver_user_id: ann.user.id } });
    const [asked, again] = [await ask(), await ask()];
    const withRequest = await storyOf(bob, ann);
    const blocked = await block(bob, ann);
    const withBlock = await storyOf(bob, ann);
    const unblocked = await bob.call(deleteBlock, { params: { blockedUserId: ann.user.id } });
    const last = { asked: await ask(), story: await storyOf(bob, ann) };
    const acts = { removed, repeated, written, asked, again, blocked, unblocked };
    stories.push(
      JSON.stringify({ acts, without, withRequest, withBlock, last })
        .replaceAll(ann.user.id, 'ann')
        .replaceAll(bob.user.id, 'bob')
        .replaceAll(bob.user.email, 'email')
        .replaceAll(/"(id|request_id|dog_id)":"[^"]*"/g, '"id"')
        .replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'time'),
    );
    expect((await ann.call(listFriendRequests)).received).toHaveLength(isBlocked ? 0 : 1);
    if (!isBlocked) continue;
    expect((await ann.call(listBlocks)).blocks).toHaveLength(1);
    await endEarlierView(ann, bob);
    expect(await bob.call(listFriendRequests)).toEqual({ received: [], sent: [] });
    await expectRefused(ask(), 409, { code: 'resting' });
  }
  expect(stories[1]).toBe(stories[0]);
});

test('the messages of a blocked friend who removed the friend are removed when the time is over, or by an unblocking', async () => {
  for (const isUnblocked of [false, true]) {
    const [ann, bob] = await friends(api, 'Ann', 'Bob');
    await say(bob, ann, 'Hello');
    await block(ann, bob);
    await bob.call(deleteFriend, { params: { friendUserId: ann.user.id } });
    const messages = { sender_user_id: bob.user.id };
    expect(await api.db.collection('messages').countDocuments(messages)).toBe(1);
    if (isUnblocked) await ann.call(deleteBlock, { params: { blockedUserId: bob.user.id } });
    else await endEarlierView(ann, bob);
    expect(await api.db.collection('messages').countDocuments(messages)).toBe(0);
    expect(await threads(api.db).countDocuments({ users: bob.user.id, is_live: true })).toBe(0);
  }
});

test('a request of the blocker looks withdrawn when the blocked user answers it', async () => {
  for (const action of ['accept', 'deny'] as const) {
    const [ann, bob] = [await createMember(api, 'Ann'), await createMember(api, 'Bob')];
    const { friend_request } = await ann.call(createFriendRequest, {
      body: { receiver_user_id: bob.user.id },
    });
    await block(ann, bob);
    const body = { request_id: friend_request.id, action };
    await expectRefused(bob.call(respondToFriendRequest, { body }), 404);
    expect(await bob.call(listFriendRequests)).toEqual({ received: [], sent: [] });
    expect(readContacts(await api.document(bob.user.documents.contacts)).received).toEqual([]);
    expect((await ann.call(listBlocks)).blocks).toHaveLength(1);
  }
});

test('an unblocking ends the wait, removes the messages, and allows a new friendship', async () => {
  const [ann, bob] = await friends(api, 'Ann', 'Bob');
  await say(bob, ann, 'Before');
  await block(ann, bob);
  await say(bob, ann, 'Meanwhile');
  await ann.call(deleteBlock, { params: { blockedUserId: bob.user.id } });
  expect(await bob.call(listFriends)).toEqual({ friends: [] });
  expect(await threadsOf(api, bob)).toEqual([]);
  expect((await pairOf(ann, bob))?.earlier_view).toBeUndefined();
  await befriend(bob, ann);
  await say(ann, bob, 'Again');
  const [mine, theirs] = [await threadsOf(api, ann), await threadsOf(api, bob)];
  expect(mine[0]!.thread_id).toBe(theirs[0]!.thread_id);
  const params = { friendUserId: ann.user.id };
  const { messages } = await bob.call(listMessages, { params, query: {} });
  expect(messages.map(({ message_text }) => message_text)).toEqual(['Again']);
});

test('a block in return ends everything at once for both', async () => {
  const [ann, bob] = await friends(api, 'Ann', 'Bob');
  await block(ann, bob);
  await block(bob, ann);
  for (const person of [ann, bob]) {
    expect((await person.call(listBlocks)).blocks).toHaveLength(1);
    expect(await person.call(listFriends)).toEqual({ friends: [] });
    expect(await threadsOf(api, person)).toEqual([]);
  }
  await endEarlierView(ann, bob);
  for (const person of [ann, bob]) expect((await person.call(listBlocks)).blocks).toHaveLength(1);
});

test('an interrupted end is finished when the sync server is back', async () => {
  const [ann, bob] = await friends(api, 'Ann', 'Bob');
  await say(bob, ann, 'Hello');
  await block(ann, bob);
  await api.stopSync();
  const pair = await pairOf(ann, bob);
  await pairs(api.db).updateOne({ _id: pair!._id }, { $set: { 'earlier_view.until': new Date() } });
  await expect.poll(async () => (await pairOf(ann, bob))?.earlier_view, patience).toBeUndefined();
  await api.startSync();
  await expect.poll(() => threadsOf(api, bob), patience).toEqual([]);
  await expect.poll(async () => (await pairOf(ann, bob))?.is_projected, patience).toBe(true);
});

test('a stranger who was blocked is still in the list of people met, as they were then, for a day', async () => {
  const [ann, bob] = [await createMember(api, 'Ann'), await createMember(api, 'Bob')];
  await makeDog(ann, { name: 'Rex' });
  await meet(ann, bob);
  const before = await bob.call(listRecentEncounters);
  await block(ann, bob);
  await makeProfile(ann, { display_name: 'Ann elsewhere' });
  expect(await bob.call(listRecentEncounters)).toEqual(before);
  expect(await ann.call(listRecentEncounters)).toEqual({ encounters: [] });

  await pairs(api.db).updateOne(
    { users: { $all: [ann.user.id, bob.user.id] } },
    { $set: { 'blocks.0.forget_card_at': new Date() } },
  );
  await expect
    .poll(async () => Object.keys((await pairOf(ann, bob))!.blocks[0]!), patience)
    .not.toContain('card');
  expect(await bob.call(listRecentEncounters)).toEqual({ encounters: [] });
});
