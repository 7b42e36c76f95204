const FADE_SECONDS = 0.15;

const decodings = new WeakMap<ArrayBuffer, Promise<AudioBuffer | null>>();

/** Decodes a recording, once; null if this browser can't. */
export function decoded(context: AudioContext, bytes: ArrayBuffer): Promise<AudioBuffer | null> {
  let decoding = decodings.get(bytes);
  if (!decoding) {
    // Decoding detaches the buffer, so it gets a copy.
    decoding = context.decodeAudioData(bytes.slice(0)).catch((error: unknown) => {
      console.warn('A recording cannot be played here', error);
      return null;
    });
    decodings.set(bytes, decoding);
  }
  return decoding;
}

/**
 * Plays a recording into a node, at most `atMost` seconds of it, after `after` seconds.
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
