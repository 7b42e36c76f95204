/** A recording: 16-bit samples of one channel or more, interleaved. */
export interface Recording {
  channels: number;
  /** Samples a second, of each channel. */
  rate: number;
  samples: Int16Array;
}

const HEADER = 44;
const PCM = 1;
const BYTES_PER_SAMPLE = 2;

const textAt = (view: DataView, at: number) =>
  String.fromCharCode(...Array.from({ length: 4 }, (_, i) => view.getUint8(at + i)));

function putText(view: DataView, at: number, text: string): void {
  for (let i = 0; i < text.length; i += 1) view.setUint8(at + i, text.charCodeAt(i));
}

/** Returns its duration. */
export const secondsOf = ({ channels, rate, samples }: Recording): number =>
  samples.length / channels / rate;

/** Writes a recording as a WAV file, with nothing in it but the sound. */
export function writeWav({ channels, rate, samples }: Recording): Uint8Array<ArrayBuffer> {
  const bytes = samples.length * BYTES_PER_SAMPLE;
  const view = new DataView(new ArrayBuffer(HEADER + bytes));
  putText(view, 0, 'RIFF');
  view.setUint32(4, HEADER - 8 + bytes, true);
  putText(view, 8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * channels * BYTES_PER_SAMPLE, true);
  view.setUint16(32, channels * BYTES_PER_SAMPLE, true);
  view.setUint16(34, BYTES_PER_SAMPLE * 8, true);
  putText(view, 36, 'data');
  view.setUint32(40, bytes, true);
  samples.forEach((sample, i) => view.setInt16(HEADER + i * BYTES_PER_SAMPLE, sample, true));
  return new Uint8Array(view.buffer);
}

/**
 * Reads a WAV file of 16-bit samples.
 * @param bytes untrusted
 * @returns null when it is none
 */
export function readWav(bytes: Uint8Array): Recording | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER || textAt(view, 0) !== 'RIFF' || textAt(view, 8) !== 'WAVE')
    return null;
  let format: Pick<Recording, 'channels' | 'rate'> | null = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = view.getUint32(at + 4, true);
    const from = at + 8;
    const name = textAt(view, at);
    if (name === 'fmt ') {
      if (size < 16 || from + 16 > bytes.length) return null;
      const bits = view.getUint16(from + 14, true);
      if (view.getUint16(from, true) !== PCM || bits !== BYTES_PER_SAMPLE * 8) return null;
      format = { channels: view.getUint16(from + 2, true), rate: view.getUint32(from + 4, true) };
    }
    if (name === 'data') {
      if (!format || from + size > bytes.length) return null;
      const { channels, rate } = format;
      if (channels < 1 || channels > 2 || rate < 8_000 || rate > 48_000) return null;
      const frame = channels * BYTES_PER_SAMPLE;
      const count = Math.floor(size / frame) * channels;
      const samples = Int16Array.from({ length: count }, (_, i) =>
        view.getInt16(from + i * BYTES_PER_SAMPLE, true),
      );
      return samples.length > 0 ? { channels, rate, samples } : null;
    }
    // Chunks are padded to an even length.
    at = from + size + (size % 2);
  }
  return null;
}
