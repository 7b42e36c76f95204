import type { SoundType } from '#shared/dogs/contract.ts';

/** The beep before a leash_on alert, in hertz. */
const BEEP_HERTZ = [800, 600, 800] as const;
const BEEP_SECONDS = 0.3;

/** A bark: its pitch falls from `from` to `to` hertz; `throat` is the center frequency of the breath noise. */
const BARKS: Record<
  SoundType,
  { from: number; to: number; throat: number; lasts: number; gap: number }
> = {
  leash_on: { from: 190, to: 75, throat: 520, lasts: 0.2, gap: 0.06 },
  leash_off: { from: 520, to: 300, throat: 1500, lasts: 0.11, gap: 0.07 },
};

/** Plays the beep that comes before the sound of a dog that needs space. @returns how many seconds it lasts */
export function playBeep(context: AudioContext, out: AudioNode): number {
  const at = context.currentTime;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  const step = BEEP_SECONDS / BEEP_HERTZ.length;
  oscillator.type = 'square';
  BEEP_HERTZ.forEach((hertz, index) =>
    oscillator.frequency.setValueAtTime(hertz, at + index * step),
  );
  gain.gain.setValueAtTime(0.6, at);
  gain.gain.setValueAtTime(0.6, at + BEEP_SECONDS - 0.01);
  gain.gain.linearRampToValueAtTime(0, at + BEEP_SECONDS);
  oscillator.connect(gain).connect(out);
  oscillator.start(at);
  oscillator.stop(at + BEEP_SECONDS);
  return BEEP_SECONDS;
}

function breath(context: AudioContext, seconds: number): AudioBufferSourceNode {
  const buffer = context.createBuffer(
    1,
    Math.ceil(context.sampleRate * seconds),
    context.sampleRate,
  );
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = buffer;
  return source;
}

function bark(context: AudioContext, out: AudioNode, type: SoundType, at: number): number {
  const { from, to, throat, lasts } = BARKS[type];
  const envelope = context.createGain();
  envelope.gain.setValueAtTime(0, at);
  envelope.gain.linearRampToValueAtTime(1, at + 0.015);
  envelope.gain.exponentialRampToValueAtTime(0.01, at + lasts);
  envelope.connect(out);

  const voice = context.createOscillator();
  voice.type = 'sawtooth';
  voice.frequency.setValueAtTime(from, at);
  voice.frequency.exponentialRampToValueAtTime(to, at + lasts);
  const mouth = context.createBiquadFilter();
  mouth.type = 'lowpass';
  mouth.frequency.setValueAtTime(throat * 3, at);
  mouth.frequency.exponentialRampToValueAtTime(throat, at + lasts);
  voice.connect(mouth).connect(envelope);
  voice.start(at);
  voice.stop(at + lasts);

  const air = breath(context, lasts);
  const filter = context.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = throat;
  const airGain = context.createGain();
  airGain.gain.value = 0.5;
  air.connect(filter).connect(airGain).connect(envelope);
  air.start(at);
  return at + lasts;
}

/**
 * Plays the bark of a dog type, twice.
 * @param after delay in seconds
 * @returns how many seconds it lasts from now
 */
export function playBark(
  context: AudioContext,
  out: AudioNode,
  type: SoundType,
  after: number,
): number {
  const start = context.currentTime;
  let end = start + after;
  for (let barks = 0; barks < 2; barks++) end = bark(context, out, type, end + BARKS[type].gap);
  return end - start;
}
