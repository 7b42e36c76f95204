import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import { unsendMessage, uploadMessagePhoto } from '#shared/chat/contract.ts';
import { messageId, readSegment, splitMessageId } from '#shared/chat/document.ts';
import { getFile } from '#shared/files/contract.ts';
import { deleteFriend } from '#shared/friends/contract.ts';
import { getReport } from '#shared/moderation/admin-contract.ts';
import { reportMessage } from '#shared/moderation/contract.ts';
import { getAdminPicture } from '#shared/moderation/people-contract.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import type * as removedMessageHashes from '../../../api/features/chat/removed-message-hashes.ts';
import { pathOf } from '../../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi, type TestPerson } from '../../api.ts';
import { befriend } from '../../friends/befriend.ts';
import { expectRefused } from '../../refusals.ts';
import { createMember, friends, threadsOf } from '../talk.ts';

/** What happens between the reading of a row that is removed and the end of changes to its document. */
const gate = vi.hoisted(() => ({ run: async () => {} }));
vi.mock('../../../api/features/chat/removed-message-hashes.ts', async (original) => {
  const real = await original<typeof removedMessageHashes>();
  return {
    ...real,
    hashRemovedMessages: async (...given: Parameters<typeof real.hashRemovedMessages>) => {
      await gate.run();
      return real.hashRemovedMessages(...given);
    },
  };
});

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

let count = 0;

/** Writes a photo message into the author's segment, as a device does. @returns its id */
async function sendPhoto(from: TestPerson, key = `photo${count + 1}`): Promise<string> {
  const [thread] = await threadsOf(api, from);
  const mine = thread?.segments[0]?.mine ?? '';
  await api.change(mine, 'message.add', {
    key,
    seq: ++count,
    device: 'phone',
    at: new Date().toISOString(),
    text: 'Photo',
    photo: { width: 40, height: 30 },
  });
  return messageId(mine, key);
}

/** A JPEG with the position where it was taken. */
const jpeg = async () =>
  new Blob([
    Uint8Array.from(
      await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
        .withExif({ IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } })
        .jpeg()
        .toBuffer(),
    ),
  ]);
const upload = async (by: TestPerson, id: string) =>
  (await by.call(uploadMessagePhoto, { params: { id }, file: await jpeg() })).image_key;
const fetchPhoto = (by: TestPerson, key: string) =>
  fetch(`${api.origin}${pathOf(getFile, { key })}`, { headers: { cookie: by.jar.header } });
const statusOf = async (by: TestPerson, key: string) => (await fetchPhoto(by, key)).status;
const stored = () => api.db.collection('images.files').countDocuments();
const rowOf = (id: string) => api.db.collection<MessageRow>('messages').findOne({ _id: id });

describe('a photo in a message', () => {
  test('gets into the document that replaced the one into which a refused attempt put it', async () => {
    const image_key = await upload(alex, await sendPhoto(alex));
    const id = await sendPhoto(alex);
    // Only its row has the file, as from that document.
    await api.db
      .collection<MessageRow>('messages')
      .updateOne({ _id: id }, { $set: { photo: { width: 40, height: 30, image_key } } });
    expect(await upload(alex, id)).toBe(image_key);
    const segment = readSegment(await api.document(splitMessageId(id).documentId));
    const { key } = splitMessageId(id);
    expect(segment.messages.find((each) => each.key === key)?.photo).toMatchObject({ image_key });
  });

  test('waits for a device to add its message to the document that replaced another one', async () => {
    const image_key = await upload(alex, await sendPhoto(alex));
    const id = await sendPhoto(alex);
    const { documentId } = splitMessageId(id);
    // Only in the document before, which the projection knows, with the file of an attempt that was refused.
    const row = await rowOf(id);
    const photo = { width: 40, height: 30, image_key };
    const carried = messageId(documentId, 'carried');
    await api.db.collection<MessageRow>('messages').insertOne({ ...row!, _id: carried, photo });
    await expectRefused(upload(alex, carried), 503, { error: 'Try again in a moment.' });
    expect(await sendPhoto(alex, 'carried')).toBe(carried);
    const stored = await upload(alex, carried);
    const segment = readSegment(await api.document(documentId));
    expect(segment.messages.find((each) => each.key === 'carried')?.photo).toMatchObject({
      image_key: stored,
    });
  });

  test('reaches the friend through the document, without the place where it was taken', async () => {
    const id = await sendPhoto(alex);
    const key = await upload(alex, id);
    const [thread] = await threadsOf(api, sam);
    const segment = readSegment(await api.document(thread?.segments[0]?.theirs ?? ''));
    expect(segment.messages).toMatchObject([
      { text: 'Photo', photo: { width: 40, height: 30, image_key: key } },
    ]);
    const response = await fetchPhoto(sam, key);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const { exif, format } = await sharp(await response.bytes()).metadata();
    expect({ exif, format }).toEqual({ exif: undefined, format: 'webp' });
  });

  test('is stored once, however often the device repeats the upload', async () => {
    const id = await sendPhoto(alex);
    const before = await stored();
    const key = await upload(alex, id);
    expect(await upload(alex, id)).toBe(key);
    expect(await stored()).toBe(before + 1);
  });

  test('is accepted only for the author’s own message that has one', async () => {
    const id = await sendPhoto(alex);
    const eve = await createMember(api, 'Eve');
    const before = await stored();
    for (const other of [sam, eve])
      await expectRefused(upload(other, id), 404, { error: 'Message not found' });
    await expectRefused(upload(alex, `${splitMessageId(id).documentId}.none`), 404);
    expect(await stored()).toBe(before);
  });

  test('is visible to the two friends only, and to neither after they part', async () => {
    const key = await upload(alex, await sendPhoto(alex));
    const eve = await createMember(api, 'Eve');
    expect(await statusOf(alex, key)).toBe(200);
    expect(await statusOf(sam, key)).toBe(200);
    expect(await statusOf(eve, key)).toBe(404);
    await sam.call(deleteFriend, { params: { friendUserId: alex.user.id } });
    expect(await statusOf(sam, key)).toBe(404);
    expect(await statusOf(alex, key)).toBe(404);
    await befriend(alex, sam);
    expect(await statusOf(sam, key)).toBe(200);
    await sam.call(createBlock, { body: { blocked_user_id: alex.user.id } });
    expect(await statusOf(alex, key)).toBe(404);
    expect(await api.db.collection('images.files').countDocuments({ filename: key })).toBe(0);
  });

  test('is copied into a report, where moderators still see it after a block', async () => {
    const id = await sendPhoto(alex);
    const key = await upload(alex, id);
    const { report } = await sam.call(reportMessage, {
      body: {
        reported_user_id: alex.user.id,
        message_id: id,
        report_type: 'inappropriate_content',
        description: 'I did not ask for this photo.',
      },
    });
    await sam.call(createBlock, { body: { blocked_user_id: alex.user.id } });
    const admin = await api.asAdmin();
    const { evidence } = await admin.call(getReport, { params: { id: report.id } });
    const picture = evidence.messages.find((each) => each.id === id)?.picture ?? '';
    expect(picture).not.toBe(key);
    const url = `${api.origin}${pathOf(getAdminPicture, { id: picture })}`;
    const response = await fetch(url, { headers: { cookie: admin.jar.header } });
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(await statusOf(sam, picture)).toBe(404);
  });

  test('a key of another thread in a manipulated message opens nothing', async () => {
    const key = await upload(alex, await sendPhoto(alex));
    const [eve, kim] = await friends(api, 'Eve', 'Kim');
    const id = await sendPhoto(eve);
    const { documentId, key: name } = splitMessageId(id);
    await api.change(`automerge:${documentId}`, 'message.photo', { key: name, image_key: key });
    expect((await rowOf(id))?.photo?.image_key).toBe(key);
    expect(await statusOf(kim, key)).toBe(404);
    // Nor does it stand in for the own photo.
    expect(await upload(eve, id)).not.toBe(key);
  });

  test('is not shown to a friend who names it in a message of their own while it is held for review', async () => {
    const id = await sendPhoto(alex);
    const key = await upload(alex, id);
    await api.db
      .collection<MessageRow>('messages')
      .updateOne({ _id: id }, { $set: { is_hidden: true } });
    expect(await statusOf(sam, key)).toBe(404);
    const [thread] = await threadsOf(api, sam);
    await api.change(thread?.segments[0]?.mine ?? '', 'message.add', {
      key: 'peek',
      seq: ++count,
      device: 'phone',
      at: new Date().toISOString(),
      text: 'Photo',
      photo: { width: 40, height: 30, image_key: key },
    });
    expect(await statusOf(sam, key)).toBe(404);
  });

  test('is not shown to a friend while it is held for review and another message of its document is removed', async () => {
    const id = await sendPhoto(alex);
    const key = await upload(alex, id);
    const rows = api.db.collection<MessageRow>('messages');
    await rows.updateOne({ _id: id }, { $set: { is_hidden: true } });
    const row = await rowOf(id);
    // The replacement of the document is being written, or was left unfinished.
    const old = splitMessageId(id).documentId;
    const fresh = `${old}2`;
    await rows.insertOne({ ...row!, _id: `${fresh}.a`, document_id: fresh, is_hidden: false });
    await api.db
      .collection('threads')
      .updateOne({ _id: row!.thread_id as never }, { $set: { successions: [{ old, fresh }] } });
    expect(await statusOf(sam, key)).toBe(404);
    expect(await statusOf(alex, key)).toBe(200);
  });

  test('is not stored each time it has to wait for its message', async () => {
    const id = await sendPhoto(alex);
    const { documentId } = splitMessageId(id);
    const row = await rowOf(id);
    const carried = messageId(documentId, 'carriedon');
    await api.db.collection<MessageRow>('messages').insertOne({ ...row!, _id: carried });
    const before = await stored();
    for (let i = 0; i < 3; i++) await expectRefused(upload(alex, carried), 503);
    expect(await stored()).toBe(before);
  });

  test('is not left behind when it arrives while its message is unsent', async () => {
    const id = await sendPhoto(alex);
    const before = await stored();
    // Between the reading of the row and the retirement of the document.
    gate.run = async () => {
      gate.run = async () => {};
      await upload(alex, id);
    };
    await alex.call(unsendMessage, { params: { id } });
    expect(await rowOf(id)).toBeNull();
    expect(await stored()).toBe(before);
  });
});
