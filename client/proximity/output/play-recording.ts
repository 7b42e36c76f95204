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
 * Plays a recording into a node, at most so many seconds of it, after so many.
 * @returns how many seconds it lasts from now
 */
export function playRecording(
  context: AudioContext,
  out: AudioNode,
  recording: AudioBuffer,
  { after, atMost }: { after: number; atMost: number },
): number {
  const fade = context.createGain();
  const start = context.currentTime + after;
  const end = start + Math.min(recording.duration, atMost);
  fade.gain.setValueAtTime(1, start);
  fade.gain.setValueAtTime(1, Math.max(start, end - FADE_SECONDS));
  fade.gain.linearRampToValueAtTime(0, end);
  const source = context.createBufferSource();
  source.buffer = recording;
  source.connect(fade).connect(out);
  source.start(start);
  source.stop(end);
  return end - context.currentTime;
}
