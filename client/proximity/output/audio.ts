import type { SoundType } from '#shared/dogs/contract.ts';
import { VOLUME } from '#shared/settings/rules.ts';
import { stopSpeech, unlockSpeech, speak } from './speech.ts';
import { decoded, playRecording } from './play-recording.ts';
import { playBark, playBeep } from './synthesize-sounds.ts';
import { SOUND_MEANING } from '../alerts/alert-text.ts';
import { ValueStore } from '../../store.ts';

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
    if (!context) {
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
  } catch {
    setAvailability({ audio: 'missing' });
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
  if (audioAvailability.get().speech === 'blocked') {
    unlockSpeech();
    setAvailability({ speech: 'on' });
  }
  await resume();
}

/**
 * Turns sound on at the next gesture anywhere, and again whenever the system has blocked it.
 * @returns how to stop
 */
export function unlockAudioOnGesture(): () => void {
  const turnOn = () => {
    const { audio, speech } = audioAvailability.get();
    if (audio === 'blocked' || speech === 'blocked') void turnSoundOn();
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

/** Stops sound and speech. */
export function stopSound(): void {
  playing?.out.disconnect();
  playing?.end();
  playing = null;
  stopSpeech();
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
