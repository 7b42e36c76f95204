import { next as A, ImmutableString } from '@automerge/automerge';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import { createBlock } from '#shared/blocks/contract.ts';
import { listMessages, sendMessage } from '#shared/chat/contract.ts';
import { readSegment } from '#shared/chat/document.ts';
import { readContacts } from '#shared/friends/document.ts';
import { reviewMessage } from '#shared/moderation/rules-contract.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { friends, say, createMember, threadsOf } from '../chat/talk.ts';
import { befriend } from '../friends/befriend.ts';
import { fill, rawDeviceOf } from '../sync/raw-device.ts';
import { addRule, hiddenFrom, logOf, sanctionsOf } from './visible-messages.ts';

// Attacks by users who write arbitrary changes into their own documents.

let api: TestApi;
let admin: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
  await addRule(admin, 'zorkblock', 'block');
  await addRule(admin, 'zorkreview', 'require_review');
});
afterAll(() => api.close());

interface Raw {
  messages: Record<string, unknown>;
  received: Record<string, number>;
  [other: string]: unknown;
}

/** Writes arbitrary changes into a document of the person. */
async function writer(person: TestPerson, url: string) {
  const id = url.replace('automerge:', '');
  const device = await rawDeviceOf(api, person);
  let doc = await device.read<Raw>(id);
  return {
    close: () => device.close(),
    async write(change: (doc: Raw) => void) {
      doc = A.change(doc, { time: 0 }, change);
      await device.keep(id, doc);
    },
  };
}

const segmentOf = async (person: TestPerson) => {
  const [thread] = await threadsOf(api, person);
  return writer(person, thread?.segments[0]?.mine ?? '');
};

/** The segment document of the person's only friend. */
const place = async (person: TestPerson) =>
  (await threadsOf(api, person))[0]?.segments[0]?.theirs ?? '';

const entry = (seq: number, text: string) => ({
  seq,
  device: new ImmutableString('liar'),
  at: new ImmutableString(new Date().toISOString()),
  text: new ImmutableString(text),
});

const written = ({ user }: TestPerson) =>
  api.db.collection<MessageRow>('messages').find({ sender_user_id: user.id }).toArray();
const texts = async (person: TestPerson) => (await written(person)).map(({ text }) => text);

/** Writes a blocked word after almost as many read marks as a segment may have. */
async function poison(person: TestPerson) {
  const segment = await segmentOf(person);
  for (const half of ['a', 'b'])
    await segment.write(({ received }) => {
      for (let i = 0; i < 2_000; i++) received[`${half}${i}`] = 1;
    });
  await segment.write(({ messages }) => {
    messages['bad'] = entry(5, 'zorkblock');
  });
  segment.close();
}

test('removes a blocked message from a segment with thousands of read marks', async () => {
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  await say(wolf, ann, 'an honest word');
  const before = await place(ann);
  await poison(wolf);
  // The segment is rewritten without the message.
  await expect.poll(() => place(ann)).not.toBe(before);
  await expect.poll(() => texts(wolf)).toEqual(['an honest word']);
  const rewritten = readSegment(await api.document(await place(ann)));
  expect(rewritten.messages.map(({ text }) => text)).toEqual(['an honest word']);
});

test('a flood of blocked messages from one user does not delay the removal for another user', async () => {
  const [wolf] = await friends(api, 'Wolf', 'Ann');
  const [bob] = await friends(api, 'Bob', 'Cat');
  const segment = await segmentOf(wolf);
  await segment.write(({ messages }) => {
    for (let i = 0; i < 20; i++) messages[`b${i}`] = entry(i + 1, `zorkblock ${i}`);
  });
  segment.close();
  await expect.poll(() => sanctionsOf(api, wolf)).toBeGreaterThan(0);
  const other = await segmentOf(bob);
  await other.write(({ messages }) => {
    messages['bad'] = entry(1, 'zorkblock too');
  });
  other.close();
  await expect.poll(() => sanctionsOf(api, bob), { interval: 50 }).toBe(1);
  await expect.poll(() => texts(bob), { interval: 50 }).toEqual([]);
  expect(await texts(wolf)).not.toEqual([]);
});

test('shows the other messages exactly once, and hides those in review, while a message is removed', async () => {
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  const segment = await segmentOf(wolf);
  await segment.write(({ messages }) => {
    for (let i = 0; i < 40; i++) messages[`m${i}`] = entry(i + 1, `word ${i}`);
    messages['held'] = entry(41, 'zorkreview');
  });
  await expect.poll(() => logOf(admin, wolf)).toHaveLength(1);
  await segment.write(({ messages }) => {
    messages['bad'] = entry(42, 'zorkblock');
  });
  segment.close();
  const before = await place(ann);
  const params = { friendUserId: wolf.user.id };
  const honest = Array.from({ length: 40 }, (_, i) => `word ${i}`);
  const wrong: string[] = [];
  while ((await place(ann)) === before) {
    const { messages } = await ann.call(listMessages, { params, query: { limit: 100 } });
    const shown = messages.map(({ message_text }) => message_text);
    if (shown.filter((text) => text !== 'zorkblock').join() !== honest.join())
      wrong.push(shown.join());
  }
  expect(wrong).toEqual([]);
  const row = () => api.db.collection('threads').findOne({ users: ann.user.id });
  await expect.poll(row).toMatchObject({ successions: [] });
});

test('a full document of a user does not prevent others from blocking them or deleting their own account', async () => {
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  const dan = await createMember(api, 'Dan');
  await befriend(dan, wolf);
  await say(ann, wolf, 'a secret');
  await say(dan, wolf, 'another secret');
  const account = await writer(wolf, wolf.user.documents.account);
  await account.write((doc) => {
    doc['drafts'] = { [ann.user.id]: 1, [dan.user.id]: 1 };
  });
  account.close();
  const device = await rawDeviceOf(api, wolf);
  await fill(device, wolf.user.documents.account.replace('automerge:', ''), 0);
  await ann.call(createBlock, { body: { blocked_user_id: wolf.user.id, reason: '' } });
  const contacts = readContacts(await api.document(ann.user.documents.contacts));
  expect(contacts.friends).toEqual([]);
  expect(contacts.blocked).toHaveLength(1);
  await dan.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  await expect.poll(async () => [...(await texts(ann)), ...(await texts(dan))]).toEqual([]);
});

test('a block deletes message texts from stored idempotency responses', async () => {
  const [ann, wolf] = await friends(api, 'Ann', 'Wolf');
  const body = { receiver_user_id: wolf.user.id, message_text: 'a very secret thing' };
  const send = () => ann.call(sendMessage, { body, idempotencyKey: 'secret-1' });
  await send();
  const keys = api.db.collection('idempotency_keys');
  const storedAnswers = () =>
    keys.countDocuments({ 'answer.message.message_text': 'a very secret thing' });
  expect(await storedAnswers()).toBe(1);
  await ann.call(createBlock, { body: { blocked_user_id: wolf.user.id, reason: '' } });
  expect(await storedAnswers()).toBe(0);
  await expect(send()).rejects.toMatchObject({ status: 404 });
});

test('a block deletes the segment copy that an interrupted removal left behind', async () => {
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  await say(wolf, ann, 'something private');
  const [thread] = await threadsOf(api, wolf);
  const segment = thread?.segments[0]?.mine.replace('automerge:', '') ?? '';
  const document = await api.db.collection('documents').findOne({ _id: segment as never });
  const begun = '2nTxxYYjzZ5HBgYfBUB7cvyZVMGr';
  await api.db.collection('documents').insertOne({ ...document, _id: begun as never });
  await api.db
    .collection('threads')
    .updateOne(
      { users: wolf.user.id },
      { $addToSet: { successions: { old: segment, fresh: begun } } },
    );
  await ann.call(createBlock, { body: { blocked_user_id: wolf.user.id, reason: '' } });
  await expect
    .poll(() => api.db.collection('documents').countDocuments({ _id: begun as never }))
    .toBe(0);
});

test('releases only the wording that the moderator reviewed', async () => {
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  const seen = async () =>
    (await ann.call(listMessages, { params: { friendUserId: wolf.user.id }, query: {} })).messages;
  const segment = await segmentOf(wolf);
  await segment.write(({ messages }) => {
    messages['m1'] = entry(1, 'mild zorkreview');
  });
  await expect.poll(() => logOf(admin, wolf)).toHaveLength(1);
  const [first] = await logOf(admin, wolf);
  await segment.write(({ messages }) => {
    messages['m1'] = entry(1, 'a vile threat: zorkreview');
  });
  segment.close();
  await expect.poll(() => logOf(admin, wolf)).toHaveLength(2);
  const release = (id: string) =>
    admin.call(reviewMessage, { params: { id }, body: { decision: 'released' } });
  await expect(release(first?.id ?? '')).rejects.toMatchObject({
    status: 409,
    code: 'edited_meanwhile',
  });
  expect(await seen()).toEqual([]);
  const second = (await logOf(admin, wolf)).find(({ id }) => id !== first?.id);
  expect(await release(second?.id ?? '')).toMatchObject({ entry: { review: 'released' } });
  expect((await seen()).map(({ message_text }) => message_text)).toEqual([
    'a vile threat: zorkreview',
  ]);
  expect((await logOf(admin, wolf)).map(({ review }) => review)).toEqual(['released', 'released']);
});

test('a review that failed is completed by a repeated call or after a restart', async () => {
  const [wolf, ann] = await friends(api, 'Wolf', 'Ann');
  await say(wolf, ann, 'one zorkreview');
  await say(wolf, ann, 'two zorkreview');
  await expect.poll(() => logOf(admin, wolf)).toHaveLength(2);
  const [two, one] = await logOf(admin, wolf);
  const review = (id: string | undefined, decision: 'released' | 'removed') =>
    admin.call(reviewMessage, { params: { id: id ?? '' }, body: { decision } });
  await api.stopSync();
  try {
    await Promise.all([
      expect(review(one?.id, 'released')).rejects.toMatchObject({ status: 503 }),
      expect(review(two?.id, 'removed')).rejects.toMatchObject({ status: 503 }),
    ]);
  } finally {
    await api.startSync();
  }
  await expect(review(one?.id, 'removed')).rejects.toMatchObject({ status: 409 });
  await review(one?.id, 'released');
  await api.runJobs();
  await expect.poll(() => texts(wolf)).toEqual(['one zorkreview']);
  await expect.poll(() => hiddenFrom(api, ann)).toEqual([]);
});
