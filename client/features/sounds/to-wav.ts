import { SOUND_MAX_SECONDS } from '#shared/sounds/rules.ts';
import { writeWav } from '#shared/sounds/wav.ts';
import { ShownError } from '../../platform/http/shown-error.ts';
import { UNREADABLE } from '../../platform/http/unreadable-file.ts';

/** Sample rate, enough for barks and speech; ten seconds are half a megabyte. */
const RATE = 24_000;
/** Tolerance for browsers that record slightly longer than requested. */
const LEEWAY_SECONDS = 0.25;
const FULL = 32_767;
const UNKNOWN_KIND = 'This browser can’t open this kind of sound. Choose an MP3 or WAV file.';
/** Larger than any sound of ten seconds. A phone would run out of memory decoding an hour of music. */
const SOURCE_MAX_BYTES = 20 * 1024 * 1024;
/** The first bytes of MP3, WAV, AIFF, Ogg, FLAC, CAF, WebM, AMR and, with AAC or Apple Lossless, MPEG-4. */
const SOUND = /^(ID3|\xff[\xe0-\xff]|RIFF|FORM|OggS|fLaC|caff|.E\xdf\xa3|#!AMR|.{4}ftyp)/s;
const TOO_LONG = `A sound can’t be longer than ${SOUND_MAX_SECONDS} seconds`;

/**
 * Converts a recording or a file to WAV with one channel, which every browser plays, without metadata.
 * @throws with a message for the user if this browser can't decode the sound or it is too long
 */
export async function toWav(source: Blob): Promise<ArrayBuffer> {
  if (source.size > SOURCE_MAX_BYTES) throw new ShownError(TOO_LONG);
  let bytes: ArrayBuffer;
  try {
    bytes = await source.arrayBuffer();
  } catch (cause) {
    throw new ShownError(UNREADABLE, { cause });
  }
  const isSound = SOUND.test(String.fromCharCode(...new Uint8Array(bytes.slice(0, 12))));
  const decoder = new OfflineAudioContext(1, 1, RATE);
  let decoded: AudioBuffer;
  try {
    decoded = await decoder.decodeAudioData(bytes);
  } catch (cause) {
    throw new ShownError(isSound ? UNKNOWN_KIND : 'Please select an audio file', { cause });
  }
  if (decoded.duration > SOUND_MAX_SECONDS + LEEWAY_SECONDS) throw new ShownError(TOO_LONG);
  const length = Math.min(Math.ceil(decoded.duration * RATE), SOUND_MAX_SECONDS * RATE);
  if (length === 0) throw new ShownError('This file contains no sound');
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
