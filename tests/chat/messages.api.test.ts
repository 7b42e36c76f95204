import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createBlock, deleteBlock } from '#shared/blocks/contract.ts';
import {
  listConversations,
  listMessages,
  markRead,
  NOT_FRIENDS,
  sendMessage,
} from '#shared/chat/contract.ts';
import { readSegment } from '#shared/chat/document.ts';
import { readDrafts } from '#shared/chat/drafts.ts';
import { SEGMENT_FULL, SEQ_MAX } from '#shared/chat/rules.ts';
import { deleteFriend } from '#shared/friends/contract.ts';
import type { ThreadRow } from '../../api/features/chat/collections.ts';
import { newDocumentId, createSyncServerClient } from '../../api/platform/sync-server-client.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { befriend } from '../friends/befriend.ts';
import { expectRefused } from '../refusals.ts';
import { friends, say, createMember, threadsOf } from './talk.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const thread = (one: TestPerson, other: TestPerson, query: object = {}) =>
  one.call(listMessages, { params: { friendUserId: other.user.id }, query });
const textsOf = ({ messages }: { messages: { message_text: string }[] }) =>
  messages.map(({ message_text }) => message_text);

/** Starts a proxy to the sync server's internal port that delays the response to one named change. */
async function delayResponse(change: string) {
  let reached = () => {};
  let release = () => {};
  const isDone = new Promise<void>((resolve) => (reached = resolve));
  const mayAnswer = new Promise<void>((resolve) => (release = resolve));
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray());
      const answer = await fetch(`${api.env['SYNC_INTERNAL_URL']}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          authorization: request.headers.authorization ?? '',
          'content-type': 'application/json',
        },
        ...(body.length > 0 && { body }),
      });
      const words = await answer.text();
      if (body.includes(`"${change}"`)) {
        reached();
        await mayAnswer;
      }
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(words);
    })();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await api.restartApi({ SYNC_INTERNAL_URL: `http://127.0.0.1:${port}` });
  return {
    isDone,
    release,
    async close() {
      await api.restartApi();
      server.close();
      server.closeAllConnections();
    },
  };
}

describe('a message over HTTP', () => {
  test('refuses a message when a block arrives during the request', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    const proxy = await delayResponse('message.add');
    try {
      const refused = expectRefused(say(alex, sam, 'Hello?'), 404, { error: NOT_FRIENDS });
      await proxy.isDone;
      await sam.call(createBlock, { body: { blocked_user_id: alex.user.id } });
      proxy.release();
      await refused;
    } finally {
      await proxy.close();
    }
    await expectRefused(say(alex, sam, 'Hello?'), 404, { error: NOT_FRIENDS });
    expect(await api.db.collection('messages').countDocuments({ text: 'Hello?' })).toBe(0);
  });

  test('a message shows to both friends and is unread until its reader marks it', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    const sent = await say(alex, sam, '  Shall we walk? ');
    expect(sent).toMatchObject({
      sender_user_id: alex.user.id,
      receiver_user_id: sam.user.id,
      message_text: 'Shall we walk?',
      is_read: false,
    });
    expect(Date.parse(sent.created_at)).toBeLessThanOrEqual(Date.now());
    for (const [one, other] of [
      [alex, sam],
      [sam, alex],
    ] as const)
      expect(await thread(one, other)).toEqual({ messages: [sent], hasMore: false });

    // Neither its author nor a stranger can mark it.
    const eve = await createMember(api, 'Eve');
    for (const other of [alex, eve])
      expect(await other.call(markRead, { body: { message_ids: [sent.id] } })).toEqual({
        marked: 0,
      });
    expect((await thread(alex, sam)).messages[0]?.is_read).toBe(false);
    for (let again = 0; again < 2; again++)
      expect(await sam.call(markRead, { body: { message_ids: [sent.id, 'made-up.id'] } })).toEqual({
        marked: 1,
      });
    expect((await thread(alex, sam)).messages[0]?.is_read).toBe(true);
  });

  test('marks messages read only up to the first unread one of a device, skipping hidden ones', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    const [{ segments } = { segments: [] }] = await threadsOf(api, alex);
    const messages = Array.from({ length: 5 }, (_, i) => ({
      key: `from-phone-${i}`,
      seq: i + 1,
      device: 'phone',
      at: new Date(i).toISOString(),
      text: `${i}`,
    }));
    await api.change(segments[0]!.mine, 'messages.restore', { messages });
    const listed = async () => (await thread(sam, alex)).messages;
    await expect.poll(async () => (await listed()).length).toBe(5);
    const ids = (await listed()).map(({ id }) => id);
    const mark = (...at: number[]) =>
      sam.call(markRead, { body: { message_ids: at.map((i) => ids[i] ?? '') } });
    const read = async () =>
      (await listed()).filter(({ is_read }) => is_read).map(({ message_text }) => message_text);
    expect(await mark(2)).toEqual({ marked: 0 });
    expect(await read()).toEqual([]);
    expect(await mark(0, 2)).toEqual({ marked: 1 });
    expect(await read()).toEqual(['0']);
    expect(await mark(0, 1, 2)).toEqual({ marked: 3 });
    expect(await read()).toEqual(['0', '1', '2']);
    const hiddenMessage = { _id: ids[3] as never };
    await api.db.collection('messages').updateOne(hiddenMessage, { $set: { is_hidden: true } });
    expect(await mark(4)).toEqual({ marked: 1 });
    expect(await read()).toEqual(['0', '1', '2', '4']);
  });

  test('lists messages in thread order, newest page first', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    for (let i = 1; i <= 7; i++) await say(i % 2 ? alex : sam, i % 2 ? sam : alex, `${i}`);
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => thread(sam, alex, { page, limit: 3 })),
    );
    expect(pages.map(textsOf)).toEqual([['5', '6', '7'], ['2', '3', '4'], ['1'], []]);
    expect(pages.map(({ hasMore }) => hasMore)).toEqual([true, true, false, false]);
    expect(textsOf(await thread(alex, sam))).toEqual(['1', '2', '3', '4', '5', '6', '7']);
  });

  test('a message sent twice with one key is stored once', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    const body = { receiver_user_id: sam.user.id, message_text: 'Once' };
    const [first, second] = [
      await alex.call(sendMessage, { body, idempotencyKey: 'k' }),
      await alex.call(sendMessage, { body, idempotencyKey: 'k' }),
    ];
    expect(second).toEqual(first);
    // Simulates a crash between the change and the response.
    await api.db.collection('idempotency_keys').deleteMany({});
    expect(await alex.call(sendMessage, { body, idempotencyKey: 'k' })).toEqual(first);
    expect(textsOf(await thread(sam, alex))).toEqual(['Once']);
  });

  test('a forged maximum sequence number does not stop later messages', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    const [{ thread_id, segments } = { thread_id: '', segments: [] }] = await threadsOf(api, alex);
    // Simulates many segments, one of which had this number.
    await api.db
      .collection<ThreadRow>('threads')
      .updateOne({ _id: thread_id }, { $set: { 'segments.0.after': SEQ_MAX } });
    const messages = Array.from({ length: SEGMENT_FULL }, (_, i) => ({
      key: `lie${i}`,
      seq: SEQ_MAX,
      device: 'liar',
      at: new Date(0).toISOString(),
      text: 'Lie',
    }));
    await api.change(segments[0]!.mine, 'messages.restore', { messages });
    await expect.poll(async () => (await threadsOf(api, sam))[0]?.segments.length).toBe(2);
    await say(sam, alex, 'Answer');
    expect(textsOf(await thread(alex, sam)).at(-1)).toBe('Answer');
  });

  test('a message has between 1 and 1,000 characters', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    await expectRefused(say(alex, sam, '   '), 400, { fields: { message_text: 'Required' } });
    await expectRefused(say(alex, sam, 'x'.repeat(1001)), 400, { code: 'invalid_input' });
    expect((await say(alex, sam, ` ${'x'.repeat(1000)} `)).message_text).toHaveLength(1000);
  });
});

describe('threads of friends only', () => {
  const expectStrangers = async (one: TestPerson, other: TestPerson) => {
    await expectRefused(say(one, other, 'Hello?'), 404, { error: NOT_FRIENDS });
    await expectRefused(thread(one, other), 404, { error: NOT_FRIENDS });
    expect(await one.call(listConversations)).toEqual({ conversations: [] });
  };

  test('strangers, unknown users, and oneself can’t be messaged', async () => {
    expect(NOT_FRIENDS).toBe("Friend not found or you're not friends with this user");
    const [alex, sam] = [await createMember(api, 'Alex'), await createMember(api, 'Sam')];
    await expectStrangers(alex, sam);
    await expectStrangers(alex, alex);
    await expectRefused(
      alex.call(listMessages, { params: { friendUserId: 'nobody' }, query: {} }),
      404,
      { error: NOT_FRIENDS },
    );
  });

  test('former friends lose access to their messages until they are friends again', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    await say(alex, sam, 'Before');
    await alex.call(deleteFriend, { params: { friendUserId: sam.user.id } });
    for (const [one, other] of [
      [alex, sam],
      [sam, alex],
    ] as const) {
      await expectStrangers(one, other);
      expect(await threadsOf(api, one)).toEqual([]);
    }
    await befriend(sam, alex);
    expect(textsOf(await thread(sam, alex))).toEqual(['Before']);
    await say(sam, alex, 'After');
    expect(textsOf(await thread(alex, sam))).toEqual(['Before', 'After']);
  });

  test('a block deletes the thread for both, and a new friendship starts an empty one', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    await say(alex, sam, 'Before');
    const [before] = await threadsOf(api, alex);
    const documents = [before?.segments[0]?.mine ?? '', before?.segments[0]?.theirs ?? ''];
    for (const [one, other] of [
      [alex, sam],
      [sam, alex],
    ] as const)
      await api.change(one.user.documents.account, 'draft.set', {
        friend_user_id: other.user.id,
        text: 'About to say',
        at: new Date().toISOString(),
      });
    await sam.call(createBlock, { body: { blocked_user_id: alex.user.id } });
    for (const [one, other] of [
      [alex, sam],
      [sam, alex],
    ] as const) {
      await expectStrangers(one, other);
      expect(await threadsOf(api, one)).toEqual([]);
    }
    // The other one’s draft stays, as after an unfriending.
    expect(readDrafts(await api.document(sam.user.documents.account))).toEqual({});
    expect(Object.keys(readDrafts(await api.document(alex.user.documents.account)))).toEqual([
      sam.user.id,
    ]);
    const thread_id = before?.thread_id ?? '';
    expect(await api.db.collection('messages').countDocuments({ thread_id })).toBe(0);
    const ids = documents.map((url) => url.replace('automerge:', ''));
    const rows = api.db.collection<{ _id: string }>('documents').find({ _id: { $in: ids } });
    expect(await rows.toArray()).toEqual([]);
    for (const url of documents) await expectRefused(api.document(url), 404);

    await sam.call(deleteBlock, { params: { blockedUserId: alex.user.id } });
    await befriend(alex, sam);
    expect(await thread(alex, sam)).toEqual({ messages: [], hasMore: false });
    const [after] = await threadsOf(api, sam);
    expect(after?.thread_id).not.toBe(thread_id);
    await say(alex, sam, 'After');
    expect(textsOf(await thread(sam, alex))).toEqual(['After']);
  });
});

describe('the list of conversations', () => {
  test('lists conversations with the last message, unread count, and time, most recent first', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    const kim = await createMember(api, 'Kim');
    await befriend(alex, kim);
    expect(await alex.call(listConversations)).toEqual({ conversations: [] });
    await say(kim, alex, 'First');
    const last = await say(kim, alex, 'Second');
    const { conversations } = await alex.call(listConversations);
    expect(conversations).toEqual([
      {
        friend_user_id: kim.user.id,
        friend_display_name: 'Kim',
        last_message: 'Second',
        is_own: false,
        unread_count: 2,
        last_activity: last.created_at,
      },
    ]);
    await say(alex, sam, 'Third');
    const both = (await alex.call(listConversations)).conversations;
    expect(both).toMatchObject([
      { friend_display_name: 'Sam', unread_count: 0, is_own: true },
      { friend_display_name: 'Kim', unread_count: 2, is_own: false },
    ]);
    await alex.call(markRead, { body: { message_ids: [last.id] } });
    expect((await alex.call(listConversations)).conversations[1]?.unread_count).toBe(1);
  });
});

/** Replaces a user's own segment by a new document step by step, like `withdraw`. */
async function beginReplacement(one: TestPerson) {
  const documents = createSyncServerClient(api.env['SYNC_INTERNAL_URL']!, api.env['SYNC_SECRET']!);
  const [
    { thread_id, segments: [segment], friend_user_id } = {
      thread_id: '',
      segments: [],
      friend_user_id: '',
    },
  ] = await threadsOf(api, one);
  const old = segment!.mine.replace('automerge:', '');
  await documents.retire(old);
  const read = readSegment(await documents.read(old));
  return {
    old: async () => readSegment(await documents.read(old)),
    async finish() {
      const fresh = newDocumentId();
      const place = { thread_id, number: 1, friend_user_id, after: 0 };
      await documents.create(fresh, 'segment', one.user.id, new Date(), place);
      await documents.change('segment', fresh, 'messages.restore', { messages: read.messages });
      await documents.setReaders(fresh, [friend_user_id]);
      await api.db
        .collection<ThreadRow>('threads')
        .updateOne(
          { _id: thread_id },
          { $set: { [`segments.0.documents.${one.user.id}`]: fresh } },
        );
      await documents.remove(old);
      return async () => readSegment(await documents.read(fresh));
    },
  };
}

describe('while a segment is replaced', () => {
  test('a message sent during a segment replacement is acknowledged and stored once', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    await say(alex, sam, 'Before');
    const replacement = await beginReplacement(alex);
    const sending = say(alex, sam, 'Meanwhile');
    await expect.poll(async () => (await replacement.old()).messages.length).toBe(2);
    const fresh = await replacement.finish();
    const { id } = await sending;
    expect((await fresh()).messages.map(({ text }) => text).toSorted()).toEqual([
      'Before',
      'Meanwhile',
    ]);
    const { messages } = await thread(sam, alex);
    expect(messages.map((each) => each.message_text)).toEqual(['Before', 'Meanwhile']);
    expect(messages[1]?.id).toBe(id);
  });

  test('a read mark set during a segment replacement is stored', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    const { id } = await say(sam, alex, 'Before');
    const replacement = await beginReplacement(alex);
    const marking = alex.call(markRead, { body: { message_ids: [id] } });
    await expect.poll(async () => Object.keys((await replacement.old()).read).length).toBe(1);
    const fresh = await replacement.finish();
    await marking;
    expect(Object.keys((await fresh()).read)).toHaveLength(1);
  });

  test('a message sent during a segment replacement is refused after a block', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    const replacement = await beginReplacement(alex);
    const sending = say(alex, sam, 'Meanwhile');
    const refused = expectRefused(sending, 404, { error: NOT_FRIENDS });
    await expect.poll(async () => (await replacement.old()).messages.length).toBe(1);
    await sam.call(createBlock, { body: { blocked_user_id: alex.user.id } });
    await refused;
  });

  test('the author can’t write to a replaced segment, even after befriending again', async () => {
    const [alex, sam] = await friends(api, 'Alex', 'Sam');
    await beginReplacement(alex);
    await alex.call(deleteFriend, { params: { friendUserId: sam.user.id } });
    await befriend(alex, sam);
    const [{ segments: [segment] } = { segments: [] }] = await threadsOf(api, alex);
    const row = await api.db
      .collection<{ _id: string }>('documents')
      .findOne({ _id: segment!.mine.replace('automerge:', '') });
    expect(row).toMatchObject({ is_frozen: true, reader_user_ids: [sam.user.id] });
  });
});
