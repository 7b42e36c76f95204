import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { listMessages, unsendMessage, uploadMessagePhoto } from '#shared/chat/contract.ts';
import { messageId, readSegment, splitMessageId } from '#shared/chat/document.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
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
const unsend = (by: TestPerson, id: string) => by.call(unsendMessage, { params: { id } });
const texts = async (by: TestPerson, friend: TestPerson) =>
  (
    await by.call(listMessages, { params: { friendUserId: friend.user.id }, query: {} })
  ).messages.map(({ message_text }) => message_text);
const segmentsOf = async (person: TestPerson) => {
  const [thread] = await threadsOf(api, person);
  const { mine = '', theirs = '' } = thread?.segments[0] ?? {};
  return { mine, theirs };
};

describe('unsending a message', () => {
  test('removes it for both, also from the history of its document', async () => {
    await say(alex, sam, 'Hello');
    const { id } = await say(alex, sam, 'To the wrong person');
    const { documentId } = splitMessageId(id);
    await unsend(alex, id);
    expect(await texts(alex, sam)).toEqual(['Hello']);
    expect(await texts(sam, alex)).toEqual(['Hello']);
    const { theirs } = await segmentsOf(sam);
    expect(theirs).not.toContain(documentId);
    expect(await api.db.collection('documents').countDocuments({ _id: documentId as never })).toBe(
      0,
    );
    // A repeat, whose answer was lost, finds nothing.
    await expectRefused(unsend(alex, id), 404, { error: 'Message not found' });
  });

  test('unsends one that had no row yet when another one of its segment was unsent', async () => {
    const first = await say(alex, sam, 'First');
    const second = await say(alex, sam, 'Second');
    // As while its projection is late.
    await rows().deleteOne({ _id: second.id });
    await unsend(alex, first.id);
    await unsend(alex, second.id);
    expect(await texts(sam, alex)).toEqual([]);
  });

  test('a device that missed it does not bring it back', async () => {
    const { id } = await say(alex, sam, 'Oops');
    const row = await rows().findOne({ _id: id });
    await unsend(alex, id);
    const { mine } = await segmentsOf(alex);
    const { key } = splitMessageId(id);
    const { seq = 1, device = '', at = '' } = row ?? {};
    await api.change(mine, 'message.add', { key, seq, device, at, text: 'Oops' });
    expect(readSegment(await api.document(mine))).toMatchObject({
      messages: [],
      removed: new Set([key]),
    });
    expect(await texts(sam, alex)).toEqual([]);
  });

  test('keeps reactions, answers and photos of the other messages', async () => {
    const theirs = await say(sam, alex, 'Where are you?');
    const { mine } = await segmentsOf(alex);
    const key = splitMessageId(theirs.id).key;
    const reply_to = { number: 1, is_own: false, key };
    await api.change(mine, 'reaction.set', { key, reaction: 'paw' });
    await api.change(mine, 'message.add', {
      key: 'answer',
      seq: 5,
      device: 'phone',
      at: new Date().toISOString(),
      text: 'At the lake',
      reply_to,
      place_id: 'lake',
      photo: { width: 4, height: 3, image_key: 'key' },
    });
    const { id } = await say(alex, sam, 'Oops');
    await unsend(alex, id);
    const segment = readSegment(await api.document((await segmentsOf(alex)).mine));
    expect(segment.reactions).toEqual({ [key]: 'paw' });
    expect(segment.messages).toMatchObject([
      { reply_to, place_id: 'lake', photo: { width: 4, height: 3, image_key: 'key' } },
    ]);
  });

  test('removes the photo with its message', async () => {
    const { mine } = await segmentsOf(alex);
    await api.change(mine, 'message.add', {
      key: 'photo',
      seq: 1,
      device: 'phone',
      at: new Date().toISOString(),
      text: 'Photo',
      photo: { width: 8, height: 8 },
    });
    const id = messageId(mine, 'photo');
    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
    const file = new Blob([Uint8Array.from(await picture.png().toBuffer())]);
    const { image_key } = await alex.call(uploadMessagePhoto, { params: { id }, file });
    const files = api.db.collection('images.files');
    expect(await files.countDocuments({ filename: image_key })).toBe(1);
    await unsend(alex, id);
    expect(await files.countDocuments({ filename: image_key })).toBe(0);
  });

  test('removes one that arrives after it was unsent, as after a restored backup', async () => {
    const { mine } = await segmentsOf(alex);
    const id = messageId(mine, 'late');
    await expectRefused(unsend(alex, id), 404, { error: 'Message not found' });
    await api.change(mine, 'message.add', {
      key: 'late',
      seq: 1,
      device: 'phone',
      at: new Date().toISOString(),
      text: 'Late',
    });
    const documents = api.db.collection('documents');
    const _id = splitMessageId(id).documentId as never;
    const count = async () => {
      await api.runJobs();
      return documents.countDocuments({ _id });
    };
    await expect.poll(count, { timeout: 20_000 }).toBe(0);
    expect(await texts(sam, alex)).toEqual([]);
  }, 40_000);

  describe('after another one of its segment was removed', () => {
    // As after a restored backup: the server had neither it nor its former id.
    test('removes one that a device sent again', async () => {
      const first = await say(alex, sam, 'First');
      const second = await say(alex, sam, 'Second');
      await unsend(alex, first.id);
      await rows().updateMany({ text: 'Second' }, { $unset: { former_ids: 1 } });
      await unsend(alex, second.id);
      expect(await texts(sam, alex)).toEqual([]);
    });

    test('removes one that a device sends again later', async () => {
      const first = await say(alex, sam, 'First');
      const { mine: before } = await segmentsOf(alex);
      await unsend(alex, first.id);
      const id = messageId(before, 'second');
      await expectRefused(unsend(alex, id), 404, { error: 'Message not found' });
      const { mine } = await segmentsOf(alex);
      const { mine: ofSam } = await segmentsOf(sam);
      const common = { seq: 3, device: 'phone', at: new Date().toISOString() };
      await api.change(mine, 'message.add', { ...common, key: 'second', text: 'Second' });
      // Their key is no business of Alex's.
      await api.change(ofSam, 'message.add', { ...common, key: 'second', text: 'Hello' });
      await expect
        .poll(async () => (await api.runJobs(), texts(sam, alex)), { timeout: 20_000 })
        .toEqual(['Hello']);
      expect((await segmentsOf(alex)).mine).not.toBe(mine);
    }, 40_000);
  });

  test('is refused to everybody but its author', async () => {
    const { id } = await say(alex, sam, 'Mine');
    const eve = await createMember(api, 'Eve');
    for (const other of [sam, eve])
      await expectRefused(unsend(other, id), 404, { error: 'Message not found' });
    expect(await texts(sam, alex)).toEqual(['Mine']);
  });

  test('is refused an hour after it arrived, whatever its author’s clock says', async () => {
    const { id } = await say(alex, sam, 'An hour ago');
    const age = (ms: number) =>
      rows().updateOne({ _id: id }, { $set: { created_at: new Date(Date.now() - ms) } });
    await age(3_600_000 + 1_000);
    await expectRefused(unsend(alex, id), 409, {
      code: 'too_late',
      error: 'You can unsend a message for one hour after you sent it.',
    });
    expect(await texts(sam, alex)).toEqual(['An hour ago']);
    await age(3_600_000 - 60_000);
    await unsend(alex, id);
    expect(await texts(sam, alex)).toEqual([]);
  });

  test('is finished by a repeat after a failure halfway, however late', async () => {
    const { id } = await say(alex, sam, 'Halfway');
    await api.stopSync();
    await expectRefused(unsend(alex, id), 503).finally(() => api.startSync());
    const [row] = await rows().find({ _id: id }).toArray();
    expect(row).toMatchObject({ is_hidden: true });
    await rows().updateOne({ _id: id }, { $set: { created_at: new Date(0) } });
    await unsend(alex, id);
    expect(await texts(sam, alex)).toEqual([]);
    expect(await rows().countDocuments({ _id: id })).toBe(0);
  }, 40_000);

  test('is finished by the server after a failure halfway if its device never returns', async () => {
    const { id } = await say(alex, sam, 'Left behind');
    await api.stopSync();
    await expectRefused(unsend(alex, id), 503).finally(() => api.startSync());
    const beganAgo = (ms: number) =>
      rows().updateOne({ _id: id }, { $set: { removal_began_at: new Date(Date.now() - ms) } });
    await beganAgo(0);
    await api.runJobs();
    expect(await rows().countDocuments({ _id: id })).toBe(1);
    await beganAgo(30_000);
    await api.runJobs();
    expect(await rows().countDocuments({ _id: id })).toBe(0);
    expect(await texts(sam, alex)).toEqual([]);
  }, 40_000);

  test('is refused while a moderator reviews the message', async () => {
    const { id } = await say(alex, sam, 'Under review');
    await rows().updateOne({ _id: id }, { $set: { is_hidden: true, created_at: new Date(0) } });
    await expectRefused(unsend(alex, id), 409, { code: 'in_review' });
    // Not begun by naming its key in a document in which it is not, either.
    const elsewhere = messageId('elsewhere', splitMessageId(id).key);
    await expectRefused(unsend(alex, elsewhere), 404, { error: 'Message not found' });
    await expectRefused(unsend(alex, id), 409, { code: 'in_review' });
    expect(await rows().countDocuments({ _id: id })).toBe(1);
  });
});
