import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { isWhole, kindOf } from '../../client/platform/pictures/picture-bytes.ts';

const FORMATS = ['jpeg', 'png', 'gif', 'webp', 'avif'] as const;

/** A picture with details, so that each format needs some bytes. */
const noisy = () =>
  sharp({
    create: {
      width: 120,
      height: 80,
      channels: 3,
      background: 'red',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });
const textOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('the bytes of a picture', () => {
  test.each(FORMATS)('tell %s, and a whole file from one that was cut off', async (format) => {
    const bytes = new Uint8Array(await noisy().toFormat(format).toBuffer());
    expect([kindOf(bytes), isWhole(format, bytes)]).toEqual([format, true]);
    for (const share of [0.3, 0.6, 0.95]) {
      const cut = bytes.subarray(0, Math.floor(bytes.length * share));
      expect([share, kindOf(cut), isWhole(format, cut)]).toEqual([share, format, false]);
    }
  });

  test('tell the end of a JPEG from that of its thumbnail, in any order of scans', async () => {
    const thumbnail = await noisy().resize(32).jpeg().toBuffer();
    for (const options of [{}, { progressive: true }]) {
      const plain = await noisy().jpeg(options).toBuffer();
      // An application segment with a whole JPEG, as cameras write it.
      const header = Buffer.from([0xff, 0xe1, 0, 0]);
      header.writeUInt16BE(thumbnail.length + 2, 2);
      const photo = Buffer.concat([plain.subarray(0, 2), header, thumbnail, plain.subarray(2)]);
      expect(isWhole('jpeg', photo)).toBe(true);
      expect(isWhole('jpeg', photo.subarray(0, photo.length - 2))).toBe(false);
      expect(isWhole('jpeg', photo.subarray(0, thumbnail.length + 400))).toBe(false);
      // Phones append videos.
      expect(isWhole('jpeg', Buffer.concat([photo, Buffer.alloc(50)]))).toBe(true);
    }
  });

  test('tell HEIC, BMP and SVG, which not all browsers can decode', () => {
    expect(kindOf(textOf('\0\0\0\x18ftypheic\0\0\0\0'))).toBe('heic');
    expect(kindOf(textOf('BM\x46\0\0\0\0\0\0\0\x36\0\0\0'))).toBe('bmp');
    expect(kindOf(textOf('<?xml version="1.0"?><svg/>'))).toBe('svg');
  });

  test.each(['Just text, saved as dog.jpg', 'BMW is a car', '', '<html></html>', '%PDF'])(
    'tell that %j is no picture, whatever its name',
    (content) => expect(kindOf(textOf(content))).toBeNull(),
  );
});
