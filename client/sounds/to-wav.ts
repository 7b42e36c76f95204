import { SOUND_MAX_SECONDS } from '#shared/sounds/contract.ts';
import { writeWav } from '#shared/sounds/wav.ts';

/** Enough for a bark and a word; ten seconds of it are half a megabyte. */
const RATE = 24_000;
/** What a browser may take more or less of a recording than its clock says. */
const LEEWAY_SECONDS = 0.25;
const FULL = 32_767;
/** No ten seconds are larger. A phone that decodes an hour of music runs out of memory before it can say how long it is. */
const SOURCE_MAX_BYTES = 20 * 1024 * 1024;
const TOO_LONG = `A sound can’t be longer than ${SOUND_MAX_SECONDS} seconds`;

/**
 * Turns a recording or a chosen file into what every browser plays: WAV, one channel, without anything else that was in
 * the file.
 * @throws with words for the person, when it is no sound that this browser can read, or too long
 */
export async function toWav(source: Blob): Promise<ArrayBuffer> {
  if (source.size > SOURCE_MAX_BYTES) throw new Error(TOO_LONG);
  const decoder = new OfflineAudioContext(1, 1, RATE);
  let decoded: AudioBuffer;
  try {
    decoded = await decoder.decodeAudioData(await source.arrayBuffer());
  } catch (cause) {
    throw new Error('Please select an audio file', { cause });
  }
  if (decoded.duration > SOUND_MAX_SECONDS + LEEWAY_SECONDS) throw new Error(TOO_LONG);
  const length = Math.min(Math.ceil(decoded.duration * RATE), SOUND_MAX_SECONDS * RATE);
  if (length === 0) throw new Error('This file contains no sound');
  const mixer = new OfflineAudioContext(1, length, RATE);
  const player = mixer.createBufferSource();
  player.buffer = decoded;
  player.connect(mixer.destination);
  player.start();
  const mixed = (await mixer.startRendering()).getChannelData(0);
  const samples = Int16Array.from(mixed, (value) =>
    Math.round(Math.max(-1, Math.min(1, value)) * FULL),
  );
  return writeWav({ channels: 1, rate: RATE, samples }).buffer;
}
