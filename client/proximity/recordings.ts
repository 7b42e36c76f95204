const FADE_SECONDS = 0.15;

const known = new WeakMap<ArrayBuffer, Promise<AudioBuffer | null>>();

/** A recording, ready to be played; null when this browser cannot read it. Each is decoded once. */
export function decoded(context: AudioContext, bytes: ArrayBuffer): Promise<AudioBuffer | null> {
  let decoding = known.get(bytes);
  if (!decoding) {
    // Decoding takes the bytes away from whoever has them.
    decoding = context.decodeAudioData(bytes.slice(0)).catch((error: unknown) => {
      console.warn('A recording cannot be played here', error);
      return null;
    });
    known.set(bytes, decoding);
  }
  return decoding;
}

/**
 * Plays a recording, at most so much of it.
 * @param volume 0 to 1
 * @returns how many seconds it lasts
 */
export function playRecording(
  context: AudioContext,
  recording: AudioBuffer,
  volume: number,
  atMostSeconds: number,
): number {
  const seconds = Math.min(recording.duration, atMostSeconds);
  const out = context.createGain();
  const start = context.currentTime;
  const end = start + seconds;
  out.gain.setValueAtTime(volume, start);
  out.gain.setValueAtTime(volume, Math.max(start, end - FADE_SECONDS));
  out.gain.linearRampToValueAtTime(0, end);
  const source = context.createBufferSource();
  source.buffer = recording;
  source.connect(out).connect(context.destination);
  source.start(start);
  source.stop(end);
  return seconds;
}
