import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { uploadDogImage } from '#shared/dogs/contract.ts';
import { NOT_AN_IMAGE } from '#shared/files/contract.ts';
import { imageProblem } from '../../client/ui/inputs/validate-image.ts';

const problemOf = (content: BlobPart, type = 'image/jpeg') =>
  imageProblem(new Blob([content], { type }), uploadDogImage);

describe('a file for a picture', () => {
  test.each(['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif'] as const)(
    'accepts %s by its content, even under another name',
    async (format) => {
      const image = sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } });
      const bytes = new Uint8Array(await image.toFormat(format).toBuffer());
      expect(await problemOf(bytes)).toBe('');
    },
  );

  test('accepts HEIC, BMP, and SVG, which not all browsers can decode', async () => {
    expect(await problemOf('\0\0\0\x18ftypheic\0\0\0\0')).toBe('');
    expect(await problemOf('BM\x46\0\0\0\0\0\0\0\x36\0\0\0')).toBe('');
    expect(await problemOf('<?xml version="1.0"?><svg/>')).toBe('');
  });

  test.each(['Just text, saved as dog.jpg', 'BMW is a car', '', '<html></html>'])(
    'refuses the text %j that is named like an image',
    async (content) => {
      expect(await problemOf(content)).toBe(NOT_AN_IMAGE);
    },
  );

  test('refuses another type and a file that is too large', async () => {
    expect(await problemOf('%PDF', 'application/pdf')).toBe(NOT_AN_IMAGE);
    const large = new Uint8Array(5 * 1024 * 1024);
    large.set([0xff, 0xd8, 0xff]);
    expect(await problemOf(large)).toBe('Image size must be less than 5MB');
  });
});
