import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import { createBlock, deleteBlock } from '#shared/blocks/contract.ts';
import { listMessages } from '#shared/chat/contract.ts';
import { createFriendRequest, deleteFriend } from '#shared/friends/contract.ts';
import { findTracesIn } from '../account/find-personal-data.ts';
import { unzip } from '../account/unzip.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { befriend } from '../friends/befriend.ts';
import { expectRefused } from '../refusals.ts';
import { friends, say, createMember, threadsOf } from './talk.ts';

vi.setConfig({ testTimeout: 60_000 });
const patience = { timeout: 30_000 };

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const segmentsOf = (people: readonly TestPerson[]) =>
  api.db
    .collection('documents')
    .countDocuments({ kind: 'segment', owner_user_id: { $in: people.map(({ user }) => user.id) } });

test('friends without a thread get one when they send a message', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  const removeThread = async () => {
    await api.db.collection('threads').deleteMany({ users: alex.user.id });
    for (const [one, other] of [
      [alex, sam],
      [sam, alex],
    ] as const)
      await api.change(one.user.documents.contacts, 'thread.remove', {
        friend_user_id: other.user.id,
      });
  };
  await removeThread();
  await say(sam, alex, 'There');
  expect(await threadsOf(api, alex)).toHaveLength(1);
  const query = { params: { friendUserId: sam.user.id }, query: {} };
  expect((await alex.call(listMessages, query)).messages).toHaveLength(1);
});

test('finishes a block when the sync server is back', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  await say(alex, sam, 'Secret');
  const [thread] = await threadsOf(api, alex);
  await api.stopSync();
  await expectRefused(sam.call(createBlock, { body: { blocked_user_id: alex.user.id } }), 503);
  // Without another request, the API finishes the block on its own.
  await api.startSync();
  await expect.poll(() => segmentsOf([alex, sam]), patience).toBe(0);
  await expect.poll(() => threadsOf(api, sam), patience).toEqual([]);
  await expect.poll(() => threadsOf(api, alex), patience).toEqual([]);
  const { thread_id } = thread ?? {};
  expect(await api.db.collection('messages').countDocuments({ thread_id })).toBe(0);
  const ofSegments = [thread?.segments[0]?.mine, thread?.segments[0]?.theirs].map(String);
  const entries = ofSegments.map((url) => url.replace('automerge:', ''));
  expect(
    await api.db
      .collection('document_log')
      .countDocuments({ 'entries.document': { $in: entries } }),
  ).toBe(0);
});

test('any order of requests, removals, and blocks ends with one thread or none', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  const acts = (one: TestPerson, other: TestPerson): (() => Promise<unknown>)[] => [
    () => one.call(createFriendRequest, { body: { receiver_user_id: other.user.id } }),
    () => one.call(deleteFriend, { params: { friendUserId: other.user.id } }),
    () => one.call(createBlock, { body: { blocked_user_id: other.user.id } }),
    () => one.call(deleteBlock, { params: { blockedUserId: other.user.id } }),
    () => say(one, other, 'In between'),
  ];
  const all = [...acts(alex, sam), ...acts(sam, alex)];
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 6; round++) {
    const chosen = Array.from({ length: 6 }, () => all[random(all.length)]);
    // Calls may be refused. Only the final state matters.
    await Promise.allSettled(chosen.map(async (act) => act?.()));
    // A removed block leaves no thread. In half of the rounds both send a request again.
    for (const [one, other] of [
      [alex, sam],
      [sam, alex],
    ] as const)
      await one.call(deleteBlock, { params: { blockedUserId: other.user.id } }).catch(() => {});
    if (round % 2 === 0) await befriend(alex, sam);
    else await alex.call(deleteFriend, { params: { friendUserId: sam.user.id } }).catch(() => {});
    const [mine, theirs] = [await threadsOf(api, alex), await threadsOf(api, sam)];
    expect(mine.map(({ thread_id }) => thread_id)).toEqual(
      theirs.map(({ thread_id }) => thread_id),
    );
    expect(mine).toHaveLength(round % 2 === 0 ? 1 : 0);
    expect(mine[0]?.segments[0]?.mine).toBe(theirs[0]?.segments[0]?.theirs);
    if (round % 2 === 0) await say(sam, alex, `Round ${round}`);
  }
  const live = await api.db
    .collection('threads')
    .find({ users: alex.user.id, is_live: true })
    .toArray();
  expect(live.length).toBeLessThanOrEqual(1);
  // Nothing remains of the threads that a block ended.
  expect(await segmentsOf([alex, sam])).toBe(2 * live.length);
  const ids = live.map(({ _id }) => _id);
  expect(
    await api.db
      .collection('messages')
      .countDocuments({ sender_user_id: sam.user.id, thread_id: { $nin: ids as never[] } }),
  ).toBe(0);
});

test('exports the own messages, and deleting the account deletes the thread for both', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  await say(alex, sam, 'Mine to take along');
  await say(sam, alex, 'Not mine');
  const archive = await alex.jar.fetch(`${api.origin}/api/account/export`);
  const files = unzip(Buffer.from(await archive.arrayBuffer()));
  const exported = files.get('messages.json')?.toString() ?? '';
  expect(exported).toContain('Mine to take along');
  expect(exported).not.toContain('Not mine');

  await alex.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  expect(await threadsOf(api, sam)).toEqual([]);
  expect(JSON.stringify(await api.document(sam.user.documents.contacts))).not.toContain(
    alex.user.id,
  );
  expect(await segmentsOf([alex, sam])).toBe(0);
  const traces = await findTracesIn(api.db, ['Mine to take along', 'Not mine']);
  expect(traces).toEqual([]);
});

test('blocking a user who never had the thread changes nothing in their contacts document', async () => {
  const [alex, sam] = await friends(api, 'Alex', 'Sam');
  await alex.call(deleteFriend, { params: { friendUserId: sam.user.id } });
  const before = JSON.stringify(await api.document(alex.user.documents.contacts));
  await sam.call(createBlock, { body: { blocked_user_id: alex.user.id } });
  expect(JSON.stringify(await api.document(alex.user.documents.contacts))).toBe(before);
  expect(await segmentsOf([alex, sam])).toBe(0);
  const eve = await createMember(api, 'Eve');
  await eve.call(createBlock, { body: { blocked_user_id: sam.user.id } });
  expect(await api.db.collection('threads').countDocuments({ users: eve.user.id })).toBe(0);
});
