import type { Collection } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { messageId, splitMessageId } from '#shared/chat/document.ts';
import { subscribeToPush } from '#shared/push/contract.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { HOUR_MS } from '#shared/time.ts';
import { composePush } from '../../api/app/compose-push.ts';
import { moderationLog } from '../../api/features/content-rules/collections.ts';
import { watchMessages } from '../../api/features/moderation/content/message-scanner.ts';
import { pushQueue } from '../../api/platform/push/collections.ts';
import { openPush } from '../../api/platform/push/push-queue.ts';
import type { Services } from '../../api/platform/services.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { createMember } from '../chat/talk.ts';
import { befriend } from '../friends/befriend.ts';
import { startPushService, type PushService, type TestDevice } from '../push/push-service.ts';
import { replacing, spareServices, type SpareServices } from '../services.ts';
import { written } from './insert-messages.ts';
import { addRule } from './visible-messages.ts';

// The API is stopped, so that only the services of the tests check messages, as two nodes.

let api: TestApi;
let service: PushService;
let node: SpareServices;
let otherNode: SpareServices;
let ann: TestPerson;
let bob: TestPerson;
let cleo: TestPerson;
let phone: TestDevice;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  service = await startPushService();
  const admin = await api.asAdmin();
  await addRule(admin, 'zorkreview', 'require_review');
  await addRule(admin, 'zorkthreat', 'require_review', 'high');
  await addRule(admin, 'zorkflag', 'flag');
  ann = await createMember(api, 'Ann');
  bob = await createMember(api, 'Bob');
  cleo = await createMember(api, 'Cleo');
  await befriend(ann, cleo);
  await befriend(bob, cleo);
  phone = service.device();
  await cleo.call(subscribeToPush, { body: phone.subscription });
  await api.stopApi();
  node = await spareServices(api);
  otherNode = await spareServices(api);
});
afterAll(async () => {
  await node.close();
  await otherNode.close();
  await api.close();
  await service.close();
});
beforeEach(async () => {
  await rows().deleteMany({});
  await pushQueue(api.db).deleteMany({});
  await moderationLog(api.db).deleteMany({});
  phone.received.length = 0;
});

const rows = () => api.db.collection<MessageRow>('messages');
const unchecked = () => rows().countDocuments({ is_checked: false });
/** Inserts new messages to Cleo. */
const say = (from: TestPerson, texts: string[], overrides: Partial<MessageRow> = {}) =>
  written(api.db, from.user.id, cleo.user.id, texts, { is_checked: false, ...overrides });
const numbered = (count: number, text = 'Hello') =>
  Array.from({ length: count }, (_, i) => `${text} ${i}`);

/** Checks all messages once. */
async function check({ runJob }: SpareServices, services: Services): Promise<void> {
  watchMessages(services, () => {});
  await runJob('unchecked messages');
}

/** Services whose updates of messages go through a function first. */
function withUpdates(services: Services, before: (count: number) => void): Services {
  const watched = (collection: Collection) =>
    new Proxy(collection, {
      get(all, key) {
        const value: unknown = Reflect.get(all, key, all);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (key === 'bulkWrite') before((args[0] as unknown[]).length);
          return (value as (...given: unknown[]) => unknown).apply(all, args);
        };
      },
    });
  const db = replacing(services.db, (collection) =>
    collection.collectionName === 'messages' ? watched(collection) : collection,
  );
  return { ...services, db };
}

test('messages are checked in batches, and of an author’s pushes the one about the last message is the newest', async () => {
  const ids = await say(ann, numbered(15));
  // Ann’s devices get no pushes.
  await say(bob, numbered(100), {
    created_at: new Date(Date.now() + 1_000),
    receiver_user_id: ann.user.id,
  });
  const updates: number[] = [];
  await check(
    node,
    withUpdates(node.services, (count) => updates.push(count)),
  );
  expect(await unchecked()).toBe(0);
  expect(updates.length).toBeLessThan(5);
  const pushes = await pushQueue(api.db)
    .find({ 'message.tag': `message-${ann.user.id}` })
    .sort({ created_at: 1 })
    .toArray();
  expect(pushes).toHaveLength(15);
  expect(pushes.at(-1)?.message?.subject).toBe(ids.at(-1));
  await expect.poll(() => phone.received.length).toBe(1);
});

test('pushes that are queued together are in the order of their causes, however long queueing takes', async () => {
  let time = Date.now();
  const push = openPush({ ...node.services, compose: composePush }, { now: () => (time += 2) });
  const subjects = ['first', 'second', 'third'];
  await push.notifyAll(
    subjects.map((subject) => ({
      topic: 'message',
      user_id: cleo.user.id,
      subject,
      key: subject,
      tag: 'order',
      delayMs: HOUR_MS,
    })),
  );
  const queued = await pushQueue(api.db).find().sort({ created_at: 1 }).toArray();
  expect(queued.map(({ message }) => message?.subject)).toEqual(subjects);
});

test('a message that was edited or moved before it was checked is announced, once', async () => {
  const version = (from: string) =>
    say(ann, ['Hello'], { edited: { from, first: 'first' }, thread_id: 'thread' });
  const queued = () => pushQueue(api.db).find().sort({ _id: 1 }).toArray();
  const [id = ''] = await version('first');
  const [moved = ''] = await say(ann, ['Moved'], { former_ids: ['before'], thread_id: 'other' });
  await check(node, node.services);
  const first = await queued();
  expect(first.map(({ message }) => [message?.key, message?.subject])).toEqual([
    [`message other ${splitMessageId(moved).key}`, moved],
    ['message thread first', messageId(splitMessageId(id).documentId, 'first')],
  ]);
  await version('second');
  await check(node, node.services);
  expect(await unchecked()).toBe(0);
  expect((await queued()).map(({ _id }) => _id)).toEqual(first.map(({ _id }) => _id));
});

test('a message whose push can’t be queued doesn’t hold up others, and is tried again', async () => {
  const [poison] = await say(ann, numbered(1, 'Poison'));
  await say(bob, numbered(20));
  const push: Services['push'] = {
    ...node.services.push,
    async notifyAll(notices) {
      if (notices.some(({ subject }) => subject === poison)) throw new Error('by the test');
      await node.services.push.notifyAll(notices);
    },
  };
  await expect(check(node, { ...node.services, push })).rejects.toThrow('by the test');
  const left = await rows().find({ is_checked: false }).toArray();
  expect(left.map(({ _id }) => _id)).toEqual([poison]);
  expect(await pushQueue(api.db).countDocuments()).toBe(20);
  await check(node, node.services);
  expect(await unchecked()).toBe(0);
  expect(await pushQueue(api.db).countDocuments()).toBe(21);
});

test('a crash between pushes and their mark skips no push and sends none twice', async () => {
  await say(ann, numbered(3));
  await say(bob, numbered(3, 'zorkflag'));
  const crash = () => {
    throw new Error('crashed');
  };
  await expect(check(node, withUpdates(node.services, crash))).rejects.toThrow('crashed');
  expect(await unchecked()).toBe(6);
  expect(await pushQueue(api.db).countDocuments()).toBe(6);
  await expect.poll(() => phone.received.length).toBe(2);
  await check(otherNode, otherNode.services);
  expect(await unchecked()).toBe(0);
  expect(await pushQueue(api.db).countDocuments({ status: 'waiting' })).toBe(0);
  expect(await pushQueue(api.db).countDocuments()).toBe(6);
  expect(await moderationLog(api.db).countDocuments()).toBe(3);
  expect(phone.received).toHaveLength(2);
});

test('two nodes that check the same messages at once push and log each once', async () => {
  for (const author of [ann, bob]) await say(author, [...numbered(10), ...numbered(2, 'zorkflag')]);
  await Promise.all([check(node, node.services), check(otherNode, otherNode.services)]);
  expect(await unchecked()).toBe(0);
  expect(await pushQueue(api.db).countDocuments()).toBe(24);
  expect(await moderationLog(api.db).countDocuments()).toBe(4);
  // Pushes of the same author replace each other, unless the slower node queued some of them after others were sent.
  const settled = () => pushQueue(api.db).countDocuments({ status: { $ne: 'waiting' } });
  await expect.poll(settled).toBe(24);
  const sent = await pushQueue(api.db).countDocuments({ status: 'sent' });
  expect(phone.received).toHaveLength(sent);
  expect(new Set(phone.received.map(({ content }) => content.tag)).size).toBe(2);
});

test('a held message causes no push, and the push about the message before it is sent', async () => {
  const [kind, held] = await say(ann, ['Hello', 'zorkreview']);
  await check(node, node.services);
  expect(await rows().findOne({ _id: held! })).toMatchObject({ is_hidden: true, is_checked: true });
  const pushes = await pushQueue(api.db).find().toArray();
  expect(pushes.map(({ message }) => message?.subject)).toEqual([kind]);
  await expect.poll(() => phone.received.length).toBe(1);
});

test('a message with a high word is delivered and causes a push, and waits in the queue for a moderator', async () => {
  const [sent] = await say(ann, ['zorkthreat']);
  await check(node, node.services);
  expect(await rows().findOne({ _id: sent! })).toMatchObject({ is_checked: true });
  expect(await rows().countDocuments({ is_hidden: true })).toBe(0);
  const pushes = await pushQueue(api.db).find().toArray();
  expect(pushes.map(({ message }) => message?.subject)).toEqual([sent]);
  expect(await moderationLog(api.db).find().toArray()).toMatchObject([
    { message_id: sent, review: 'pending', action_taken: 'flagged' },
  ]);
});

test('an author who breaks rules many times doesn’t keep others waiting', async () => {
  await say(ann, numbered(8, 'zorkreview'));
  await say(bob, ['zorkreview'], { created_at: new Date(Date.now() + 1_000) });
  await check(node, node.services);
  expect(await rows().countDocuments({ is_hidden: true })).toBe(9);
  const log = await moderationLog(api.db).find().sort({ created_at: 1 }).toArray();
  expect(log).toHaveLength(9);
  expect(log.findIndex(({ user_id }) => user_id === bob.user.id)).toBeLessThan(6);
});
