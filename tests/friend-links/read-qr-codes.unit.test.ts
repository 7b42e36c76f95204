import { encodeQR } from 'qr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { readQrCodes as Read } from '../../client/features/friend-links/read-qr-codes.ts';

let readQrCodes: typeof Read;
beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal('DOMRectReadOnly', Object);
  ({ readQrCodes } = await import('../../client/features/friend-links/read-qr-codes.ts'));
});
afterEach(() => void vi.unstubAllGlobals());

/** A frame of a video with the QR code of this text, as the decoder takes it. */
function frameOf(text: string): HTMLVideoElement {
  const rows = encodeQR(text, 'raw', { border: 4, scale: 4 });
  const data = Uint8ClampedArray.from(
    rows.flatMap((row) =>
      row.flatMap((isDark) => [...Array<number>(3).fill(isDark ? 40 : 210), 255]),
    ),
  );
  const frame = {
    width: rows.length,
    height: rows.length,
    data,
    [Symbol.toStringTag]: 'ImageData',
  };
  return frame as unknown as HTMLVideoElement;
}

/** Makes the browser one whose own detector knows these formats, and reads everything as 'native'. */
const nativeDetectorOf = (formats: () => Promise<string[]>) =>
  vi.stubGlobal(
    'BarcodeDetector',
    class {
      static getSupportedFormats = formats;
      detect = () => Promise.resolve([{ rawValue: 'native' }]);
    },
  );

test('reads QR codes with the browser’s detector where it knows them', async () => {
  nativeDetectorOf(() => Promise.resolve(['ean_13', 'qr_code']));
  expect(await readQrCodes(frameOf('https://leashwise.example'))).toEqual(['native']);
});

test.each([
  ['has no detector', () => {}],
  ['detects other formats only', () => nativeDetectorOf(() => Promise.resolve(['ean_13']))],
  ['has a detector that fails', () => nativeDetectorOf(() => Promise.reject(new Error('No')))],
])('decodes QR codes itself where the browser %s', async (_browser, prepare) => {
  prepare();
  expect(await readQrCodes(frameOf('https://leashwise.example'))).toEqual([
    'https://leashwise.example',
  ]);
});
