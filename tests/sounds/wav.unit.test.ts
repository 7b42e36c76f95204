import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readWav, secondsOf, writeWav } from '#shared/sounds/wav.ts';
import { tone } from './tone.ts';

test('readWav reads what writeWav wrote', () => {
  const recordings = fc.record({
    channels: fc.constantFrom(1, 2),
    rate: fc.integer({ min: 8_000, max: 48_000 }),
    frames: fc.array(fc.tuple(fc.integer({ min: -32_768, max: 32_767 }), fc.constant(0)), {
      minLength: 1,
      maxLength: 50,
    }),
  });
  fc.assert(
    fc.property(recordings, ({ channels, rate, frames }) => {
      const samples = Int16Array.from(frames.flatMap((frame) => frame.slice(0, channels)));
      expect(readWav(writeWav({ channels, rate, samples }))).toEqual({ channels, rate, samples });
    }),
  );
});

test('secondsOf returns the duration of the samples', () => {
  expect(secondsOf(tone(2))).toBe(2);
  expect(secondsOf(tone(2, { channels: 2, rate: 44_100 }))).toBe(2);
});

test('readWav never throws, whatever the bytes', () => {
  const file = writeWav(tone(0.01));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      readWav(noise);
      const broken = Uint8Array.from(file);
      broken.set(noise.subarray(0, broken.length));
      readWav(broken);
    }),
  );
  for (let end = 0; end < 48; end += 1) expect(readWav(file.subarray(0, end))).toBeNull();
});

function edited(edit: (view: DataView) => void): Uint8Array {
  const file = writeWav(tone(0.01));
  edit(new DataView(file.buffer));
  return file;
}

test.each([
  ['another format', edited((view) => view.setUint16(20, 3, true))],
  ['samples of 8 bits', edited((view) => view.setUint16(34, 8, true))],
  ['no channel', edited((view) => view.setUint16(22, 0, true))],
  ['nine channels', edited((view) => view.setUint16(22, 9, true))],
  ['a rate that stretches a second to hours', edited((view) => view.setUint32(24, 1, true))],
  ['more data than there is', edited((view) => view.setUint32(40, 1e9, true))],
  ['nothing in it', writeWav(tone(0))],
])('readWav returns null for a file with %s', (_, file) => expect(readWav(file)).toBeNull());

test('readWav skips other chunks of a file', () => {
  const file = writeWav(tone(0.01));
  const note = new Uint8Array([...Buffer.from('LIST'), 3, 0, 0, 0, 1, 2, 3, 0]);
  const noted = new Uint8Array([...file.subarray(0, 12), ...note, ...file.subarray(12)]);
  expect(readWav(noted)).toEqual(readWav(file));
  expect(readWav(noted)).not.toBeNull();
});
