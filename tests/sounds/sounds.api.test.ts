import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import {
  createSound,
  deleteSound,
  listSounds,
  updateSound,
  uploadSound,
  type CustomSound,
  type SoundFields,
} from '#shared/sounds/contract.ts';
import { SOUND_MAX_BYTES } from '#shared/sounds/rules.ts';
import { readWav, writeWav } from '#shared/sounds/wav.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';
import { tone, toneFile } from './tone.ts';

let api: TestApi;
let owner: TestPerson;
let other: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  owner = await api.as('owner@example.com');
  other = await api.as('other@example.com');
});
afterAll(() => api.close());

const make = async (fields: Partial<SoundFields> = {}, idempotencyKey?: string) => {
  const body = { name: 'Deep Rex', sound_type: 'leash_on' as const, ...fields };
  return (await owner.call(createSound, { body, idempotencyKey })).sound;
};
const upload = (person: TestPerson, id: string, file: Blob) =>
  person.call(uploadSound, { params: { id }, file });
const load = (person: TestPerson, key: string) =>
  person.jar.fetch(`${api.origin}/api/sound-files/${key}`);
const keyOf = ({ image_key }: CustomSound): string => {
  if (!image_key) throw new Error('the sound has no recording');
  return image_key;
};
const files = () => api.db.collection('sounds.files').countDocuments();

describe('a custom sound', () => {
  test('creates, lists, renames and removes a sound in the account', async () => {
    const sound = await make({ name: '  Deep Rex ', image_filename: 'rex.m4a' });
    expect(sound).toEqual({
      id: sound.id,
      user_id: owner.user.id,
      name: 'Deep Rex',
      sound_type: 'leash_on',
      image_key: null,
      image_filename: 'rex.m4a',
    });
    expect(await owner.call(listSounds)).toEqual({ sounds: [sound] });
    expect(await other.call(listSounds)).toEqual({ sounds: [] });
    expect(await api.document(owner.user.documents.account)).toMatchObject({
      sounds: { leash_on: { id: sound.id, name: 'Deep Rex' } },
    });
    const params = { id: sound.id };
    const renamed = await owner.call(updateSound, { params, body: { name: 'Rex' } });
    expect(renamed.sound).toEqual({ ...sound, name: 'Rex' });
    expect(await owner.call(deleteSound, { params })).toEqual({});
    expect(await owner.call(listSounds)).toEqual({ sounds: [] });
    await expectRefused(owner.call(deleteSound, { params }), 404, { error: 'Sound not found' });
  });

  test('replaces the sound of the same type and deletes its recording', async () => {
    const first = await make();
    const friendly = await make({ name: 'Yip', sound_type: 'leash_off' });
    await upload(owner, first.id, toneFile(1));
    const before = await files();
    const second = await make({ name: 'Deeper' });
    expect((await owner.call(listSounds)).sounds).toEqual([second, friendly]);
    expect(await files()).toBe(before - 1);
  });

  test('creates a sound once, however often the same request is sent', async () => {
    const first = await make({ name: 'Once' }, 'once');
    expect(await make({ name: 'Once' }, 'once')).toEqual(first);
    const file = toneFile(1);
    const send = () =>
      owner.call(uploadSound, { params: { id: first.id }, file, idempotencyKey: 'upload' });
    const uploaded = await send();
    expect(await send()).toEqual(uploaded);
  });

  test.each([
    [{ name: '' }, 'Required', 'name'],
    [{ name: '   ' }, 'Required', 'name'],
    [{ name: 'x'.repeat(51) }, 'Invalid input', 'name'],
    [{ sound_type: 'growl' as 'leash_on' }, 'Invalid input', 'sound_type'],
  ])('rejects a sound with %j', async (fields, error, field) => {
    await expectRefused(make(fields), 400, { error, fields: { [field]: error } });
  });

  test('accepts a name of 50 characters', async () => {
    const name = 'x'.repeat(50);
    expect((await make({ name })).name).toBe(name);
    const { id } = await make();
    await expectRefused(owner.call(updateSound, { params: { id }, body: { name: '' } }), 400, {
      error: 'Required',
    });
  });

  test('hides the sound of another user', async () => {
    const { id } = await make();
    const params = { id };
    const refused = { error: 'Sound not found', code: 'not_found' };
    await expectRefused(other.call(updateSound, { params, body: { name: 'Mine' } }), 404, refused);
    await expectRefused(other.call(deleteSound, { params }), 404, refused);
    await expectRefused(upload(other, id, toneFile(1)), 404, refused);
    expect((await owner.call(listSounds)).sounds.map((sound) => sound.id)).toContain(id);
  });
});

describe('a recording', () => {
  test('stores only the audio of a recording and serves it to its owner only', async () => {
    const { id } = await make();
    const plain = writeWav(tone(1));
    const place = new Uint8Array([...Buffer.from('LIST'), 8, 0, 0, 0, ...Buffer.from('47.1 8.5')]);
    const chatty = new Uint8Array([...plain.subarray(0, 36), ...place, ...plain.subarray(36)]);
    const { sound } = await upload(owner, id, new Blob([chatty], { type: 'image/png' }));
    const key = keyOf(sound);

    const response = await load(owner, key);
    expect(response.headers.get('content-type')).toBe('audio/wav');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    const served = new Uint8Array(await response.arrayBuffer());
    expect(served).toEqual(plain);

    const nowhere = { status: 404, body: { error: 'Sound not found', code: 'not_found' } };
    for (const [person, asked] of [
      [other, key],
      [owner, `${id}.none`],
    ] as const) {
      const refused = await load(person, asked);
      expect({ status: refused.status, body: await refused.json() }).toEqual(nowhere);
    }
    expect((await owner.jar.fetch(`${api.origin}/api/files/${key}`)).status).toBe(404);
  });

  test('replaces the previous recording', async () => {
    const { id } = await make();
    const first = keyOf((await upload(owner, id, toneFile(1))).sound);
    const second = keyOf((await upload(owner, id, toneFile(2))).sound);
    expect((await load(owner, first)).status).toBe(404);
    const served = await (await load(owner, second)).arrayBuffer();
    expect(readWav(new Uint8Array(served))?.samples).toHaveLength(16_000);
  });

  test('deleting a sound deletes its recording, even if a device removed the sound first', async () => {
    const { id } = await make();
    const key = keyOf((await upload(owner, id, toneFile(1))).sound);
    await api.change(owner.user.documents.account, 'sound.remove', { id });
    expect((await load(owner, key)).status).toBe(200);
    expect(await owner.call(deleteSound, { params: { id } })).toEqual({});
    expect((await load(owner, key)).status).toBe(404);
  });

  test('an upload deletes recordings of sounds that a device removed', async () => {
    const yip = await make({ name: 'Yip', sound_type: 'leash_off' });
    await upload(owner, yip.id, toneFile(1));
    const { id } = await make();
    const key = keyOf((await upload(owner, id, toneFile(1))).sound);
    const before = await files();
    await api.change(owner.user.documents.account, 'sound.remove', { id });
    const next = await make({ name: 'Next' });
    const nextKey = keyOf((await upload(owner, next.id, toneFile(1))).sound);
    expect((await load(owner, key)).status).toBe(404);
    expect((await load(owner, nextKey)).status).toBe(200);
    expect(await files()).toBe(before);
  });

  test('accepts recordings of up to ten seconds', async () => {
    const { id } = await make();
    await upload(owner, id, toneFile(10));
    await expectRefused(upload(owner, id, toneFile(10.1)), 400, {
      error: 'A sound can’t be longer than 10 seconds',
    });
  });

  test.each([
    ['text', new Blob(['RIFF, or so they say'], { type: 'audio/wav' })],
    ['a cut WAV file', new Blob([writeWav(tone(1)).subarray(0, 500)], { type: 'audio/wav' })],
  ])('rejects an upload that is %s', async (_, file) => {
    const { id } = await make();
    await expectRefused(upload(owner, id, file), 415, {
      error: 'Please select an audio file',
      code: 'unsupported_media',
    });
  });

  test('rejects a picture even if it claims to be audio', async () => {
    const { id } = await make();
    const pixel = { width: 8, height: 8, channels: 3 as const, background: '#a05' };
    const png = await sharp({ create: pixel }).png().toBuffer();
    const file = new Blob([new Uint8Array(png)], { type: 'audio/wav' });
    await expectRefused(upload(owner, id, file), 415, { error: 'Please select an audio file' });
  });

  test('rejects an upload that is too large or missing', async () => {
    const { id } = await make();
    const large = new Blob([new Uint8Array(SOUND_MAX_BYTES + 1)]);
    await expectRefused(upload(owner, id, large), 413, {
      error: 'Sound size must be less than 1MB',
    });
    const form = new FormData();
    form.set('else', new Blob(['x']));
    const path = `${api.origin}/api/sounds/${id}/recording`;
    const response = await owner.jar.fetch(path, { method: 'POST', body: form });
    expect(response.status).toBe(400);
  });

  test('deleting the account deletes its recordings', async () => {
    const leaver = await api.as('leaver@example.com');
    const body = { name: 'Bye', sound_type: 'leash_off' as const };
    const { sound } = await leaver.call(createSound, { body });
    await upload(leaver, sound.id, toneFile(1));
    const before = await files();
    await leaver.call(deleteAccount, { body: { confirmation: 'delete my account' } });
    expect(await files()).toBe(before - 1);
  });
});
