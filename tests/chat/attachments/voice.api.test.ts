import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createBlock } from '#shared/blocks/contract.ts';
import { editMessage, unsendMessage, uploadMessageVoice } from '#shared/chat/contract.ts';
import { messageId, readSegment } from '#shared/chat/document.ts';
import { VOICE_BYTES_MAX } from '#shared/chat/rules.ts';
import { getFile } from '#shared/files/contract.ts';
import { getReport } from '#shared/moderation/admin-contract.ts';
import { reportMessage } from '#shared/moderation/contract.ts';
import { getAdminPicture } from '#shared/moderation/people-contract.ts';
import { pathOf } from '../../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi, type TestPerson } from '../../api.ts';
import { expectRefused } from '../../refusals.ts';
import { createMember, friends, threadsOf } from '../talk.ts';

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

/** Writes a voice note into the author's segment, as a device does. @returns its id */
async function write(from: TestPerson): Promise<string> {
  const [thread] = await threadsOf(api, from);
  const mine = thread?.segments[0]?.mine ?? '';
  const key = `voice${++count}`;
  const at = new Date().toISOString();
  const message = { key, seq: count, device: 'phone', at, text: 'Voice note' };
  await api.change(mine, 'message.add', { ...message, voice: { seconds: 7 } });
  return messageId(mine, key);
}

/** The first bytes of what browsers record. */
const BEGINNINGS = {
  webm: [0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x84, ...Buffer.from('webm')],
  m4a: [0, 0, 0, 0x18, ...Buffer.from('ftypmp42'), 0, 0, 0, 0, ...Buffer.from('mp42isom')],
  ogg: [...Buffer.from('OggS'), 0, 2, ...Array<number>(22).fill(0), ...Buffer.from('OpusHead')],
};
const recording = (kind: keyof typeof BEGINNINGS, bytes = 4_000) => {
  const all = new Uint8Array(bytes);
  all.set(BEGINNINGS[kind]);
  return new Blob([all]);
};
const upload = async (by: TestPerson, id: string, file = recording('webm')) =>
  (await by.call(uploadMessageVoice, { params: { id }, file })).sound_key;
const fetchFile = (by: TestPerson, path: string) =>
  fetch(`${api.origin}${path}`, { headers: { cookie: by.jar.header } });
const statusOf = async (by: TestPerson, key: string) =>
  (await fetchFile(by, pathOf(getFile, { key }))).status;

describe('a voice note', () => {
  test.each([
    ['webm', 'audio/webm'],
    ['m4a', 'audio/mp4'],
    ['ogg', 'audio/ogg'],
  ] as const)('in a container of the kind %s reaches the friend as %s', async (kind, type) => {
    const id = await write(alex);
    const key = await upload(alex, id, recording(kind));
    expect(await upload(alex, id, recording(kind))).toBe(key);
    const [thread] = await threadsOf(api, sam);
    const segment = readSegment(await api.document(thread?.segments[0]?.theirs ?? ''));
    expect(segment.messages).toMatchObject([{ voice: { seconds: 7, sound_key: key } }]);
    const response = await fetchFile(sam, pathOf(getFile, { key }));
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  test('is refused if it is something else, too large, or not of the message', async () => {
    const id = await write(alex);
    const before = await api.db.collection('images.files').countDocuments();
    const page = new Blob(['<script>alert(1)</script>'], { type: 'audio/webm' });
    await expectRefused(upload(alex, id, page), 415, { error: 'This isn’t a recording' });
    await expectRefused(upload(alex, id, recording('webm', VOICE_BYTES_MAX + 1)), 413);
    await expectRefused(upload(sam, id), 404);
    expect(await api.db.collection('images.files').countDocuments()).toBe(before);
  });

  test('can be unsent later than an hour only while its recording has not arrived', async () => {
    const [lost, arrived] = [await write(alex), await write(alex)];
    await upload(alex, arrived);
    const hoursAgo = { created_at: new Date(Date.now() - 5 * 3_600_000) };
    const rows = api.db.collection<{ _id: string }>('messages');
    const age = async (_id: string) =>
      (await rows.updateOne({ _id }, { $set: hoursAgo })).matchedCount;
    for (const id of [lost, arrived]) await expect.poll(() => age(id)).toBe(1);
    await alex.call(unsendMessage, { params: { id: lost } });
    await expectRefused(alex.call(unsendMessage, { params: { id: arrived } }), 409, {
      code: 'too_late',
    });
  });

  test('is visible to the two friends only, and is removed with its message or a block', async () => {
    const id = await write(alex);
    const [first, second] = [await upload(alex, id), await upload(alex, await write(alex))];
    const eve = await createMember(api, 'Eve');
    expect(await statusOf(sam, first)).toBe(200);
    expect(await statusOf(eve, first)).toBe(404);
    await expectRefused(
      alex.call(editMessage, { params: { id }, body: { message_text: 'Words' } }),
      409,
      { code: 'not_text' },
    );
    await alex.call(unsendMessage, { params: { id } });
    expect(await statusOf(alex, first)).toBe(404);
    expect(await statusOf(sam, second)).toBe(200);
    await sam.call(createBlock, { body: { blocked_user_id: alex.user.id } });
    const files = api.db.collection('images.files');
    expect(await files.countDocuments({ filename: { $in: [first, second] } })).toBe(0);
  });

  test('is copied into a report, where moderators hear it', async () => {
    const id = await write(alex);
    await upload(alex, id);
    const { report } = await sam.call(reportMessage, {
      body: {
        reported_user_id: alex.user.id,
        message_id: id,
        report_type: 'harassment',
        description: 'Please listen to this.',
      },
    });
    await alex.call(unsendMessage, { params: { id } }).catch(() => {});
    const admin = await api.asAdmin();
    const { evidence } = await admin.call(getReport, { params: { id: report.id } });
    const sound = evidence.messages.find((each) => each.id === id)?.sound ?? '';
    const response = await fetchFile(admin, pathOf(getAdminPicture, { id: sound }));
    expect(response.headers.get('content-type')).toBe('audio/webm');
    expect(await statusOf(sam, sound)).toBe(404);
  });
});
