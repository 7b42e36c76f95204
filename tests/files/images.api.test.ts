import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { gps } from 'exifr';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createBlock, deleteBlock } from '#shared/blocks/contract.ts';
import { deleteDog, listDogs, uploadDogImage, type Dog } from '#shared/dogs/contract.ts';
import { IMAGE_MAX_BYTES } from '#shared/files/rules.ts';
import { uploadProfileImage } from '#shared/profile/contract.ts';
import { createImageStore } from '../../api/platform/files/images.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeDog } from '../factories.ts';
import { befriend } from '../friends/befriend.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let owner: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  owner = await api.as('owner@example.com');
});
afterAll(() => api.close());

const picture = (width = 40, height = 20) =>
  sharp({ create: { width, height, channels: 3, background: '#a06030' } });
const blob = (bytes: Uint8Array, type = 'image/jpeg') =>
  new Blob([new Uint8Array(bytes)], { type });
const upload = (person: TestPerson, id: string, file: Blob) =>
  person.call(uploadDogImage, { params: { id }, file });
const load = (person: TestPerson, key: string, headers: Record<string, string> = {}) =>
  person.jar.fetch(`${api.origin}/api/files/${key}`, { headers });
const keyOf = (dog: Dog): string => {
  if (!dog.image_key) throw new Error('the dog has no image');
  return dog.image_key;
};

describe('a picture', () => {
  test('resizes and rotates a picture and strips its metadata', async () => {
    const { id } = await makeDog(owner);
    const taken = await picture(3000, 1500)
      .withExif({
        IFD0: { Make: 'Phone' },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '51/1 30/1 0/1',
          GPSLongitudeRef: 'W',
          GPSLongitude: '0/1 7/1 0/1',
        },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const { dog } = await upload(owner, id, blob(taken));
    const response = await load(owner, keyOf(dog));
    expect(response.headers.get('content-type')).toBe('image/webp');
    const served = Buffer.from(await response.arrayBuffer());
    const metadata = await sharp(served).metadata();
    expect(metadata).toMatchObject({ format: 'webp', width: 512, height: 1024 });
    expect(metadata.exif).toBeUndefined();
    expect(metadata.orientation).toBeUndefined();
  });

  test('removes the GPS position of a picture', async () => {
    const { id } = await makeDog(owner);
    const taken = await picture()
      .withExif({
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '51/1 30/1 0/1',
          GPSLongitudeRef: 'W',
          GPSLongitude: '0/1 7/1 0/1',
        },
      })
      .jpeg()
      .toBuffer();
    // Make sure that the original has a position.
    expect((await gps(taken)).latitude).toBeCloseTo(51.5);
    const { dog } = await upload(owner, id, blob(taken));
    const served = Buffer.from(await (await load(owner, keyOf(dog))).arrayBuffer());
    expect(served.includes('Exif')).toBe(false);
    expect(served.includes('EXIF')).toBe(false);
  });

  test.each(['png', 'webp', 'gif', 'jpeg'] as const)('accepts a %s picture', async (format) => {
    const { id } = await makeDog(owner);
    const { dog } = await upload(owner, id, blob(await picture().toFormat(format).toBuffer(), ''));
    expect((await load(owner, keyOf(dog))).status).toBe(200);
  });

  test('a new picture replaces and deletes the previous one', async () => {
    const { id } = await makeDog(owner);
    const bytes = blob(await picture().png().toBuffer());
    const first = keyOf((await upload(owner, id, bytes)).dog);
    const second = keyOf((await upload(owner, id, bytes)).dog);
    expect(second).not.toBe(first);
    expect((await load(owner, first)).status).toBe(404);
    expect((await load(owner, second)).status).toBe(200);
    const { dogs } = await owner.call(listDogs);
    expect(dogs.find((dog) => dog.id === id)?.image_key).toBe(second);
  });

  test('processes at most two pictures at a time', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'pictures-'));
    const [whole, cut] = [join(directory, 'whole'), join(directory, 'cut')];
    const bytes = await picture(2000, 2000).png().toBuffer();
    await writeFile(whole, bytes);
    await writeFile(cut, bytes.subarray(0, 2000));
    const { put } = createImageStore(api.db);
    let most = 0;
    const note = (atWork: number) => (most = Math.max(most, atWork));
    sharp.queue.on('change', note);
    const broken = put(cut, 'nobody').catch((error: unknown) => error);
    const keys = await Promise.all(Array.from({ length: 6 }, () => put(whole, 'nobody')));
    sharp.queue.off('change', note);
    await rm(directory, { recursive: true });
    expect(await broken).toMatchObject({ status: 415 });
    expect(new Set(keys).size).toBe(6);
    expect(most).toBeLessThanOrEqual(2);
  });

  test('deletes a picture along with its dog', async () => {
    const { id } = await makeDog(owner);
    const { dog } = await upload(owner, id, blob(await picture().png().toBuffer()));
    await owner.call(deleteDog, { params: { id } });
    expect((await load(owner, keyOf(dog))).status).toBe(404);
  });

  test('deletes photos of removed dogs and keeps photos in use', async () => {
    const bytes = blob(await picture().png().toBuffer());
    const inUse = keyOf((await upload(owner, (await makeDog(owner)).id, bytes)).dog);
    const removedDog = await makeDog(owner);
    const orphan = keyOf((await upload(owner, removedDog.id, bytes)).dog);
    await api.change(owner.user.documents.card, 'dog.remove', { id: removedDog.id });
    const fresh = keyOf((await upload(owner, (await makeDog(owner)).id, bytes)).dog);
    const { image_key: photo } = await owner.call(uploadProfileImage, { file: bytes });
    await api.db
      .collection('images.files')
      .updateMany({ filename: { $ne: fresh } }, { $set: { uploadDate: new Date(0) } });
    await api.runJobs();
    const status = async (key: string) => (await load(owner, key)).status;
    await expect.poll(() => status(orphan)).toBe(404);
    expect([await status(inUse), await status(fresh), await status(photo)]).toEqual([
      200, 200, 200,
    ]);
  });

  test('stores a picture once per Idempotency-Key and refuses another picture for the key', async () => {
    const { id } = await makeDog(owner);
    const bytes = await picture().png().toBuffer();
    const send = (file: Blob) =>
      owner.call(uploadDogImage, { params: { id }, file, idempotencyKey: 'picture-1' });
    const first = await send(blob(bytes));
    expect(await send(blob(bytes))).toEqual(first);
    const another = blob(await picture(60, 60).png().toBuffer());
    await expectRefused(send(another), 409, { code: 'key_reused' });
    const { dogs } = await owner.call(listDogs);
    expect(dogs.find((dog) => dog.id === id)).toEqual(first.dog);
    expect((await load(owner, keyOf(first.dog))).status).toBe(200);
  });

  test('refuses a picture for another user’s dog', async () => {
    const { id } = await makeDog(owner);
    const other = await api.as('other@example.com');
    await expectRefused(upload(other, id, blob(await picture().png().toBuffer())), 404, {
      error: 'Dog not found',
    });
  });
});

describe('a file', () => {
  let key: string;
  beforeAll(async () => {
    const { id } = await makeDog(owner);
    key = keyOf((await upload(owner, id, blob(await picture().png().toBuffer()))).dog);
  });

  test('files are cached privately and permanently, and never sniffed', async () => {
    const { headers } = await load(owner, key);
    expect(headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    const again = await load(owner, key, {
      'if-none-match': headers.get('etag') ?? '',
      // Browsers send this. Without it, `fetch` sends no-cache.
      'cache-control': 'max-age=0',
    });
    expect(again.status).toBe(304);
  });

  test('serves a picture to members only', async () => {
    expect((await load(await api.as('friend@example.com'), key)).status).toBe(200);
    const outside = await api.as('outside@example.com', { access: false });
    expect((await load(outside, key)).status).toBe(403);
    expect((await fetch(`${api.origin}/api/files/${key}`)).status).toBe(401);
  });

  test('hides a picture from users whom its owner blocked, except moderators', async () => {
    const [friend, moderator] = [await api.as('former@example.com'), await api.asAdmin()];
    await befriend(owner, friend);
    expect((await load(friend, key)).status).toBe(200);
    await owner.call(createBlock, { body: { blocked_user_id: friend.user.id } });
    const refused = await load(friend, key);
    const missing = await load(friend, 'nothing');
    expect([refused.status, await refused.json()]).toEqual([404, await missing.json()]);
    // The ETag does not reveal whether the file is unchanged, either.
    expect((await load(friend, key, { 'if-none-match': `"${key}"` })).status).toBe(404);
    expect((await load(owner, key)).status).toBe(200);
    await owner.call(createBlock, { body: { blocked_user_id: moderator.user.id } });
    expect((await load(moderator, key)).status).toBe(200);
    await owner.call(deleteBlock, { params: { blockedUserId: friend.user.id } });
    expect((await load(friend, key)).status).toBe(200);
  });

  test('answers 404 for unknown and malformed file keys', async () => {
    for (const name of ['nothing', '..%2F..%2Fetc%2Fpasswd', '%00', '$where'])
      expect((await load(owner, name)).status).toBe(404);
  });
});

describe('refused files', () => {
  const dogId = async () => (await makeDog(owner)).id;

  test.each([
    ['a text', Buffer.from('I am a picture, honestly')],
    ['an HTML file', Buffer.from('<!doctype html><script>alert(1)</script>')],
    [
      'an SVG file',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
    ],
    ['an empty file', Buffer.alloc(0)],
    ['a truncated picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1')],
  ])('refuses %s that claims to be a picture', async (_name, bytes) => {
    const id = await dogId();
    await expectRefused(upload(owner, id, blob(bytes, 'image/png')), 415, {
      error: 'Please select an image file',
      code: 'unsupported_media',
    });
    await owner.call(deleteDog, { params: { id } });
  });

  test('refuses a picture that decompresses to gigabytes', async () => {
    const id = await dogId();
    await expectRefused(upload(owner, id, blob(pngBomb(30_000, 30_000), 'image/png')), 415);
    await owner.call(deleteDog, { params: { id } });
  });

  test('refuses a picture of more than five megabytes', async () => {
    const id = await dogId();
    const large = blob(Buffer.alloc(IMAGE_MAX_BYTES + 1));
    await expectRefused(upload(owner, id, large), 413, {
      error: 'Image size must be less than 5MB',
      code: 'too_large',
    });
    await owner.call(deleteDog, { params: { id } });
  });

  test('refuses an upload without a form or without the image field', async () => {
    const id = await dogId();
    const url = `${api.origin}/api/dogs/${id}/image`;
    expect((await owner.jar.fetch(url, { method: 'POST', body: 'x' })).status).toBe(415);
    const form = new FormData();
    form.set('other', blob(await picture().png().toBuffer()));
    expect((await owner.jar.fetch(url, { method: 'POST', body: form })).status).toBe(400);
    const empty = new FormData();
    empty.set('image', 'text');
    expect((await owner.jar.fetch(url, { method: 'POST', body: empty })).status).toBe(400);
    await owner.call(deleteDog, { params: { id } });
  });
});

/** Creates a small PNG whose header announces a huge picture, with data that decompresses to many megabytes. */
function pngBomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc32(body), body.length + 4);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(50_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xed_b8_83_20 & -(crc & 1));
  }
  return ~crc >>> 0;
}
