import type { SoundType } from '#shared/dogs/contract.ts';
import { VOLUME } from '#shared/settings/rules.ts';
import { ValueStore } from '../../platform/store.ts';
import { SOUND_MEANING } from './sound-meaning.ts';

/** `blocked`: the browser wants a tap first. `missing`: this browser or device has none. */
type SoundState = 'on' | 'blocked' | 'missing';

export interface AudioAvailability {
  /** Beeps and barks. */
  audio: SoundState;
  /** The spoken alert. */
  speech: SoundState;
}

/** Plays at most this much of a recording, so that speech doesn't wait for a long one. */
const OWN_SOUND_SECONDS = 3;

const touched = () => globalThis.navigator?.userActivation?.hasBeenActive ?? false;
const mayStart = (there: boolean): SoundState =>
  there ? (touched() ? 'on' : 'blocked') : 'missing';

let context: AudioContext | null = null;
/** Whether sound and speech can be played now. */
export const audioAvailability = new ValueStore<AudioAvailability>({
  audio: mayStart('AudioContext' in globalThis),
  speech: mayStart('speechSynthesis' in globalThis),
});

function setAvailability(change: Partial<AudioAvailability>) {
  const before = audioAvailability.get();
  const next = { ...before, ...change };
  if (next.audio !== before.audio || next.speech !== before.speech) audioAvailability.set(next);
}

const RESUMES_WITHIN_MS = 500;
/** Longer than any sound lasts. */
const SUSPEND_AFTER_MS = 30_000;

let isSuspended = false;
let isWalkActive = false;
let suspendTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Sets how iOS mixes our audio with other apps: `playback` interrupts their music and ignores the mute switch, `auto`
 * doesn't.
 */
function setAudioSession(type: 'playback' | 'auto'): void {
  const session = (navigator as { audioSession?: { type: string } }).audioSession;
  if (session) session.type = type;
}

/** Suspends the context after a while: even silent, it occupies the audio device and costs battery. Resuming needs no tap. */
function suspendLater(): void {
  clearTimeout(suspendTimer);
  suspendTimer = setTimeout(() => {
    setAudioSession('auto');
    if (isWalkActive || context?.state !== 'running') return;
    isSuspended = true;
    void context.suspend();
  }, SUSPEND_AFTER_MS);
}

/** Returns the running audio context; null if the browser blocks it or has none. */
async function resume(): Promise<AudioContext | null> {
  if (!('AudioContext' in globalThis)) return null;
  try {
    if (!context || context.state === 'closed') {
      context = new AudioContext();
      context.onstatechange = () => {
        if (!isSuspended)
          setAvailability({ audio: context?.state === 'running' ? 'on' : 'blocked' });
      };
    }
    // A blocked context neither resumes nor rejects: it waits for a gesture.
    if (context.state !== 'running' || isSuspended)
      await Promise.race([
        context.resume(),
        new Promise((resolve) => setTimeout(resolve, RESUMES_WITHIN_MS)),
      ]);
  } catch (error) {
    // Such as during a phone call. The next tap tries again.
    console.warn('Sound can’t start now', error);
    setAvailability({ audio: 'blocked' });
    return null;
  } finally {
    isSuspended = false;
    suspendLater();
  }
  const running = context.state === 'running';
  setAvailability({ audio: running ? 'on' : 'blocked' });
  return running ? context : null;
}

/** Returns the running audio context for playback now; null if the browser blocks it or has none. */
export async function runningContext(): Promise<AudioContext | null> {
  setAudioSession('playback');
  return resume();
}

/** Keeps the context running during a walk, so that losing it is noticed before a warning needs it. */
export function keepAudioActive(isWalking: boolean): void {
  isWalkActive = isWalking;
  if (isWalkActive && isSuspended) void resume();
  else if (!isWalkActive) suspendLater();
}

/** Turns sound on. All browsers allow it only during a tap or key press. */
export async function turnSoundOn(): Promise<void> {
  const { speech } = audioAvailability.get();
  if (speech !== 'on') unlockSpeech();
  if (speech === 'blocked') setAvailability({ speech: 'on' });
  await resume();
}

/**
 * Turns sound on at the next gesture anywhere, and again whenever the system has blocked it.
 * @returns how to stop
 */
export function unlockAudioOnGesture(): () => void {
  const turnOn = () => {
    const { audio, speech } = audioAvailability.get();
    // Also what was missing: a device that was busy, or a voice that has been installed.
    if (audio !== 'on' || speech !== 'on') void turnSoundOn();
  };
  const gestures = ['pointerup', 'keydown', 'touchend'] as const;
  for (const gesture of gestures) addEventListener(gesture, turnOn, { capture: true });
  return () => {
    for (const gesture of gestures) removeEventListener(gesture, turnOn, { capture: true });
  };
}

/** The sound that is playing now. */
let playing: { out: AudioNode; end: () => void } | null = null;

/** Resolves when it has ended or was stopped. @param sound plays into a node and returns its length in seconds */
function play(
  audio: AudioContext,
  volume: number,
  sound: (out: AudioNode) => number,
): Promise<void> {
  const out = audio.createGain();
  out.gain.value = volume;
  out.connect(audio.destination);
  const seconds = sound(out);
  return new Promise((resolve) => {
    const own = { out, end: resolve };
    playing = own;
    setTimeout(() => {
      if (playing === own) playing = null;
      resolve();
    }, seconds * 1000);
  });
}

/** Stops the sound that is playing. */
export function stopSound(): void {
  playing?.out.disconnect();
  playing?.end();
  playing = null;
}

/**
 * Plays a dog type's alert sound; resolves when it has ended, or at once if sound is blocked.
 * @param volume 0 to 1
 * @param own the owner's own recording, whose beginning replaces the bark if this browser can play it
 * @returns whether it was played
 */
export async function playSoundType(
  type: SoundType,
  volume: number = VOLUME.usual,
  own?: ArrayBuffer | null,
): Promise<boolean> {
  const audio = await runningContext();
  if (!audio) return false;
  const recording = own && (await decoded(audio, own));
  await play(audio, volume, (out) => {
    const beep = type === 'leash_on' ? playBeep(audio, out) : 0;
    return recording
      ? playRecording(audio, out, recording, { after: beep, atMost: OWN_SOUND_SECONDS })
      : playBark(audio, out, type, beep);
  });
  return true;
}

/** Plays a whole recording; resolves when it has ended. @returns whether it was played */
export async function playWhole(bytes: ArrayBuffer, volume: number): Promise<boolean> {
  const audio = await runningContext();
  const recording = audio && (await decoded(audio, bytes));
  if (!audio || !recording) return false;
  const whole = { after: 0, atMost: recording.duration };
  await play(audio, volume, (out) => playRecording(audio, out, recording, whole));
  return true;
}

/**
 * Speaks a text in the voice of a dog type; resolves when it is over.
 * @param volume 0 to 1
 * @returns whether it was spoken
 */
export async function speakAs(
  type: SoundType,
  text: string,
  volume: number = VOLUME.usual,
): Promise<boolean> {
  const outcome = await speak(text, type, volume);
  setAvailability({ speech: outcome === 'spoken' ? 'on' : outcome });
  return outcome === 'spoken';
}

/** Speaks the meaning of an alert sound when an owner picks it for a dog. */
export const speakSoundType = (type: SoundType): Promise<boolean> =>
  speakAs(type, SOUND_MEANING[type]);

const FADE_SECONDS = 0.15;

const decodings = new WeakMap<ArrayBuffer, Promise<AudioBuffer | null>>();

/** Decodes a recording, once; null if this browser can't. */
function decoded(context: AudioContext, bytes: ArrayBuffer): Promise<AudioBuffer | null> {
  let decoding = decodings.get(bytes);
  if (!decoding) {
    // Decoding detaches the buffer, so it gets a copy.
    decoding = context.decodeAudioData(bytes.slice(0)).catch((error: unknown) => {
      console.warn('This recording can’t be played here', error);
      // Perhaps only now, such as without memory.
      decodings.delete(bytes);
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
function playRecording(
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
function playBeep(context: AudioContext, out: AudioNode): number {
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
function playBark(context: AudioContext, out: AudioNode, type: SoundType, after: number): number {
  const start = context.currentTime;
  let end = start + after;
  for (let barks = 0; barks < 2; barks++) end = bark(context, out, type, end + BARKS[type].gap);
  return end - start;
}

/** How each type is spoken: slow and deep for a dog that needs space. */
const VOICE: Record<SoundType, { rate: number; pitch: number }> = {
  leash_on: { rate: 0.8, pitch: 0.6 },
  leash_off: { rate: 1.2, pitch: 1 },
};

/** `blocked`: the browser requires a gesture first. `missing`: no speech synthesis. */
type SpeechOutcome = 'spoken' | 'blocked' | 'missing';

const STARTS_WITHIN_MS = 5000;
/** Keeps references: Chromium garbage-collects utterances, and then never fires `end`. */
const speaking = new Set<SpeechSynthesisUtterance>();

/**
 * Speaks, replacing current speech; resolves when it has ended for any reason. Some browsers never
 * report the end: then a timeout estimated from the text's length ends it.
 * @param volume 0 to 1
 */
function speak(text: string, type: SoundType, volume: number): Promise<SpeechOutcome> {
  const synthesis = globalThis.speechSynthesis as SpeechSynthesis | undefined;
  if (!synthesis || typeof SpeechSynthesisUtterance === 'undefined')
    return Promise.resolve('missing');
  return new Promise((resolve) => {
    const utterance = new SpeechSynthesisUtterance(text);
    Object.assign(utterance, VOICE[type], { volume, lang: 'en-US' });
    let started = false;
    const over = (outcome: SpeechOutcome) => {
      clearTimeout(startGuard);
      clearTimeout(endGuard);
      speaking.delete(utterance);
      resolve(outcome);
    };
    const startGuard = setTimeout(() => {
      if (!started && !synthesis.speaking) over('missing');
    }, STARTS_WITHIN_MS);
    const endGuard = setTimeout(
      () => over(started ? 'spoken' : 'missing'),
      STARTS_WITHIN_MS + (text.length * 120) / VOICE[type].rate,
    );
    utterance.onstart = () => (started = true);
    utterance.onend = () => over('spoken');
    utterance.onerror = ({ error }) => {
      if (error === 'not-allowed') over('blocked');
      else over(error === 'canceled' || error === 'interrupted' ? 'spoken' : 'missing');
    };
    speaking.add(utterance);
    stopSpeech();
    endSpeech = () => over('spoken');
    synthesis.resume();
    synthesis.speak(utterance);
  });
}

/** Ends the wait for what is being spoken: not every browser reports that it was canceled. */
let endSpeech = () => {};

/** Stops what is being spoken. */
export function stopSpeech(): void {
  endSpeech();
  const synthesis = globalThis.speechSynthesis as SpeechSynthesis | undefined;
  // Safari loses an utterance that follows a needless cancel.
  if (synthesis?.speaking || synthesis?.pending) synthesis.cancel();
}

/** iOS lets a page speak only after it has spoken during a gesture: speaks an empty text. */
function unlockSpeech(): void {
  const synthesis = globalThis.speechSynthesis as SpeechSynthesis | undefined;
  if (!synthesis || synthesis.speaking || typeof SpeechSynthesisUtterance === 'undefined') return;
  const silence = new SpeechSynthesisUtterance('');
  silence.volume = 0;
  silence.onend = () => setAvailability({ speech: 'on' });
  synthesis.speak(silence);
}
