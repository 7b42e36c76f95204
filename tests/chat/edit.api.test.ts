import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import {
  editMessage,
  listConversations,
  listMessages,
  markRead,
  unsendMessage,
  uploadMessagePhoto,
} from '#shared/chat/contract.ts';
import { messageId, readSegment, splitMessageId } from '#shared/chat/document.ts';
import { EDIT_WITHIN_MS, UNSEND_WITHIN_MS } from '#shared/chat/rules.ts';
import { WAITED_HEADER } from '#shared/deferred-calls.ts';
import { reportMessage } from '#shared/moderation/contract.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { recordDeletions } from '../../api/features/deletions/record-deletions.ts';
import type { EvidenceRow } from '../../api/features/moderation/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { befriend } from '../friends/befriend.ts';
import { expectRefused } from '../refusals.ts';
import { createMember, friends, say, threadsOf } from './talk.ts';

let api: TestApi;
let alex: TestPerson;
let sam: TestPerson;

beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());
beforeEach(async () => {
  [alex, sam] = await friends(api, 'Alex', 'Sam');
});

const rows = () => api.db.collection<MessageRow>('messages');
const edit = (by: TestPerson, id: string, message_text: string, idempotencyKey?: string) =>
  by.call(editMessage, {
    params: { id },
    body: { message_text },
    ...(idempotencyKey && { idempotencyKey }),
  });
const texts = async (by: TestPerson, friend: TestPerson) =>
  (
    await by.call(listMessages, { params: { friendUserId: friend.user.id }, query: {} })
  ).messages.map(({ message_text }) => message_text);
const age = (id: string, ms: number) =>
  rows().updateOne({ _id: id }, { $set: { created_at: new Date(Date.now() - ms) } });
/** Adds a message that claims to replace another one to the segment of somebody with a friend, as a modified client can. */
async function claim(by: TestPerson, friend: TestPerson, id: string): Promise<void> {
  const { key } = splitMessageId(id);
  const { seq = 1, device = '', at = '' } = (await rows().findOne({ _id: id })) ?? {};
  const thread = (await threadsOf(api, by)).find((each) => each.friend_user_id === friend.user.id);
  const message = { key: 'claim', seq, device, at, text: 'x', edited: { from: key, first: key } };
  await api.change(thread?.segments[0]?.mine ?? '', 'message.add', message);
}
const segmentOf = async (person: TestPerson) => {
  const [thread] = await threadsOf(api, person);
  return readSegment(await api.document(thread?.segments[0]?.mine ?? ''));
};

describe('editing a message', () => {
  test('adds the new text to the document that replaced the one to which a refused attempt added it', async () => {
    const { id } = await say(alex, sam, 'See you at 5');
    const row = (await rows().findOne({ _id: id }))!;
    const from = splitMessageId(id).key;
    const text = 'See you at 6';
    // Only the row is left of that document.
    const stale = { document_id: 'replaced', _id: messageId('replaced', 'next'), text };
    await rows().insertOne({ ...row, ...stale, edited: { from, first: from } });
    await edit(alex, id, text);
    expect((await segmentOf(alex)).messages).toMatchObject([{ text }]);
  });

  test('replaces it in its place, and its text is in no document any more', async () => {
    const { id } = await say(alex, sam, 'See you at 5');
    await say(sam, alex, 'Fine');
    const before = await rows().findOne({ _id: id });
    const { message } = await edit(alex, id, 'See you at 6');
    expect(message.message_text).toBe('See you at 6');
    expect(await texts(sam, alex)).toEqual(['See you at 6', 'Fine']);
    const { documentId, key } = splitMessageId(id);
    expect(await api.db.collection('documents').countDocuments({ _id: documentId as never })).toBe(
      0,
    );
    const { messages, removed } = await segmentOf(alex);
    expect(messages).toMatchObject([{ text: 'See you at 6', edited: { from: key, first: key } }]);
    expect([...removed]).toEqual([key]);
    const after = await rows().findOne({ _id: message.id });
    expect(after).toMatchObject({ seq: before?.seq, created_at: before?.created_at });
  });

  test('replaces the caption of a photo, which stays, once the photo is there', async () => {
    const [thread] = await threadsOf(api, alex);
    const mine = thread?.segments[0]?.mine ?? '';
    const at = new Date().toISOString();
    const photo = { width: 4, height: 3 };
    await api.change(mine, 'message.add', {
      key: 'p',
      seq: 1,
      device: 'phone',
      at,
      text: 'A',
      photo,
    });
    const id = messageId(mine, 'p');
    await expectRefused(edit(alex, id, 'By the lake'), 409, { code: 'no_photo' });
    const create = { width: 4, height: 3, channels: 3, background: 'teal' } as const;
    const file = new Blob([Uint8Array.from(await sharp({ create }).png().toBuffer())]);
    const { image_key } = await alex.call(uploadMessagePhoto, { params: { id }, file });
    await edit(alex, id, 'By the lake');
    const [message] = (await segmentOf(alex)).messages;
    expect(message).toMatchObject({ text: 'By the lake', photo, edited: { from: 'p' } });
    const files = api.db.collection('images.files');
    expect(await files.countDocuments({ filename: image_key })).toBe(0);
    expect(await files.countDocuments({ filename: message?.photo?.image_key ?? '' })).toBe(1);
  });

  test('may be repeated, and an edit of an earlier version edits the last one', async () => {
    const { id } = await say(alex, sam, 'One');
    const first = await edit(alex, id, 'Two', 'the-same-call');
    const again = await edit(alex, id, 'Two', 'the-same-call');
    expect(again).toEqual(first);
    // From a device that knows the first version only.
    await edit(alex, id, 'Three');
    expect(await texts(sam, alex)).toEqual(['Three']);
    const { key } = splitMessageId(id);
    expect((await segmentOf(alex)).messages).toMatchObject([{ edited: { first: key } }]);
    await alex.call(unsendMessage, { params: { id } });
    expect(await texts(sam, alex)).toEqual([]);
  });

  test('that is repeated, its answer lost, takes nothing from a later edit of another device', async () => {
    const { id } = await say(alex, sam, 'See you at 5');
    await edit(alex, id, 'See you at 6', 'first');
    const { message } = await edit(alex, id, 'See you at 7', 'later');
    // The API was killed before it stored the answer.
    await api.db.collection('idempotency_keys').deleteMany({});
    expect((await edit(alex, id, 'See you at 6', 'first')).message.id).toBe(message.id);
    expect(await texts(sam, alex)).toEqual(['See you at 7']);
  });

  test('waits while another edit of the message is under way', async () => {
    const { id } = await say(alex, sam, 'See you at 5');
    const row = (await rows().findOne({ _id: id }))!;
    await recordDeletions(api.db, 'message', [row._id]);
    await expectRefused(edit(alex, id, 'See you at 6'), 503);
    expect(await texts(alex, sam)).toEqual(['See you at 5']);
  });

  test('finishes what a crash interrupted, as long as it could be unsent', async () => {
    const { id } = await say(alex, sam, 'One');
    const { documentId, key } = splitMessageId(id);
    const row = await rows().findOne({ _id: id });
    const { seq = 1, device = '', at = '' } = row ?? {};
    const edited = { from: key, first: key };
    await api.change(`automerge:${documentId}`, 'message.add', {
      key: 'next',
      seq,
      device,
      at,
      text: 'Two',
      edited,
    });
    const created_at = new Date(Date.now() - EDIT_WITHIN_MS - 1_000);
    await rows().updateOne({ _id: id }, { $set: { created_at } });
    await edit(alex, id, 'Two');
    expect(await texts(sam, alex)).toEqual(['Two']);
    const [left] = await rows().find({ sender_user_id: alex.user.id }).toArray();
    expect(left).toMatchObject({ text: 'Two', created_at });
  });

  test('removes nothing that could not be unsent because of a claim that it was replaced', async () => {
    const { id } = await say(alex, sam, 'I will hurt you');
    await claim(alex, sam, id);
    await age(id, UNSEND_WITHIN_MS + 1_000);
    await expectRefused(edit(alex, id, 'x'), 409, { code: 'too_late' });
    await age(id, 0);
    await rows().updateOne({ _id: id }, { $set: { is_hidden: true } });
    await expectRefused(edit(alex, id, 'x'), 409, { code: 'in_review' });
    expect(await rows().findOne({ _id: id })).toMatchObject({ text: 'I will hurt you' });
  });

  test('takes no message of another thread for the replacement', async () => {
    const kim = await createMember(api, 'Kim');
    await befriend(alex, kim);
    const { id } = await say(alex, sam, 'One');
    await claim(alex, kim, id);
    await edit(alex, id, 'Two');
    expect(await texts(sam, alex)).toEqual(['Two']);
    expect(await texts(kim, alex)).toEqual(['x']);
  });

  test('stays read, and unread', async () => {
    const { id } = await say(alex, sam, 'One');
    await sam.call(markRead, { body: { message_ids: [id] } });
    const { message } = await edit(alex, id, 'Two');
    expect(message.is_read).toBe(true);
    const unread = async () => (await sam.call(listConversations)).conversations[0]?.unread_count;
    expect(await unread()).toBe(0);
    const next = await say(alex, sam, 'Three');
    await edit(alex, next.id, 'Four');
    expect(await unread()).toBe(1);
  });

  test('is possible for 15 minutes, by its author, of text that was not held', async () => {
    const { id } = await say(alex, sam, 'Hello');
    await expectRefused(edit(sam, id, 'Bye'), 404, { error: 'Message not found' });
    await expectRefused(edit(alex, id, ' '), 400);
    await rows().updateOne({ _id: id }, { $set: { is_hidden: true } });
    await expectRefused(edit(alex, id, 'Bye'), 409, { code: 'in_review' });
    const created_at = new Date(Date.now() - EDIT_WITHIN_MS - 1_000);
    await rows().updateOne({ _id: id }, { $set: { created_at }, $unset: { is_hidden: '' } });
    await expectRefused(edit(alex, id, 'Bye'), 409, { code: 'too_late' });
    // By the device’s word, the edit was made in time. It is believed for an hour.
    const headers = { [WAITED_HEADER]: String(EDIT_WITHIN_MS * 20) };
    await age(id, UNSEND_WITHIN_MS + 1_000);
    const late = { params: { id }, body: { message_text: 'Bye' }, headers };
    await expectRefused(alex.call(editMessage, late), 409, { code: 'too_late' });
    const place = await say(alex, sam, 'The lake');
    await rows().updateOne({ _id: place.id }, { $set: { place_id: 'lake' } });
    await expectRefused(edit(alex, place.id, 'The park'), 409, { code: 'not_text' });
    expect(await texts(sam, alex)).toEqual(['Hello', 'The lake']);
  });

  test('keeps the time limit of the first version', async () => {
    const { id } = await say(alex, sam, 'One');
    const created_at = new Date(Date.now() - EDIT_WITHIN_MS + 60_000);
    await rows().updateOne({ _id: id }, { $set: { created_at } });
    const { message } = await edit(alex, id, 'Two');
    expect((await rows().findOne({ _id: message.id }))?.created_at).toEqual(created_at);
  });

  test('leaves what was reported as evidence', async () => {
    const { id } = await say(alex, sam, 'You are a fool');
    const report = (message_id: string, message_text: string) =>
      sam.call(reportMessage, {
        body: {
          reported_user_id: alex.user.id,
          message_id,
          message_text,
          report_type: 'harassment',
          description: 'This is an insult',
        },
      });
    await report(id, 'You are a fool');
    await edit(alex, id, 'You are kind');
    const evidence = () =>
      api.db
        .collection<EvidenceRow>('report_evidence')
        .find()
        .toArray()
        .then((found) => found.flatMap(({ messages }) => messages))
        .then((found) => found.map(({ message_text }) => message_text));
    expect(await evidence()).toContain('You are a fool');
    // Also if it is reported after the edit, as its reporter saw it.
    const said = await say(alex, sam, 'You are an idiot');
    await edit(alex, said.id, 'You are nice');
    await report(said.id, 'You are an idiot');
    expect(await evidence()).toContain('You are an idiot');
  });
});
