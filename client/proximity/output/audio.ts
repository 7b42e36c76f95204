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

/** The words of an alert must not wait until a long recording is over. */
const OWN_SOUND_SECONDS = 3;

const touched = () => globalThis.navigator?.userActivation?.hasBeenActive ?? false;
const mayStart = (there: boolean): SoundState =>
  there ? (touched() ? 'on' : 'blocked') : 'missing';

let context: AudioContext | null = null;
/** What can be heard now. */
export const hearing = new ValueStore<AudioAvailability>({
  audio: mayStart('AudioContext' in globalThis),
  speech: mayStart('speechSynthesis' in globalThis),
});

function hear(change: Partial<AudioAvailability>) {
  const before = hearing.get();
  const next = { ...before, ...change };
  if (next.audio !== before.audio || next.speech !== before.speech) hearing.set(next);
}

const RESUMES_WITHIN_MS = 500;
/** Longer than any sound lasts. */
const RESTS_AFTER_MS = 30_000;

let isResting = false;
let isKept = false;
let untilRest: ReturnType<typeof setTimeout> | undefined;

/**
 * How an iPhone mixes us with other apps: `playback` stops their music and is heard whatever the mute switch says, `auto`
 * leaves them alone.
 */
function setAudioSession(type: 'playback' | 'auto'): void {
  const session = (navigator as { audioSession?: { type: string } }).audioSession;
  if (session) session.type = type;
}

/** A context that runs in silence holds the device's audio, and costs battery: it is suspended, which needs no tap to end. */
function restLater(): void {
  clearTimeout(untilRest);
  untilRest = setTimeout(() => {
    setAudioSession('auto');
    if (isKept || context?.state !== 'running') return;
    isResting = true;
    void context.suspend();
  }, RESTS_AFTER_MS);
}

/** @returns the audio context, running; null when the browser does not let it run yet, or has none */
async function wake(): Promise<AudioContext | null> {
  if (!('AudioContext' in globalThis)) return null;
  try {
    if (!context) {
      context = new AudioContext();
      context.onstatechange = () => {
        if (!isResting) hear({ audio: context?.state === 'running' ? 'on' : 'blocked' });
      };
    }
    // A blocked context neither resumes nor refuses: it waits for a gesture.
    if (context.state !== 'running' || isResting)
      await Promise.race([
        context.resume(),
        new Promise((resolve) => setTimeout(resolve, RESUMES_WITHIN_MS)),
      ]);
  } catch {
    hear({ audio: 'missing' });
    return null;
  } finally {
    isResting = false;
    restLater();
  }
  const running = context.state === 'running';
  hear({ audio: running ? 'on' : 'blocked' });
  return running ? context : null;
}

/** The audio context, running, to be heard now; null when the browser does not let it run yet, or has none. */
export async function runningContext(): Promise<AudioContext | null> {
  setAudioSession('playback');
  return wake();
}

/** On a walk sound does not rest: when the system takes it away, that is seen before a warning needs it. */
export function keepAudioActive(isWalking: boolean): void {
  isKept = isWalking;
  if (isKept && isResting) void wake();
  else if (!isKept) restLater();
}

/** Turns sound on. Only inside a tap or a key press do all browsers allow it. */
export async function turnSoundOn(): Promise<void> {
  if (hearing.get().speech === 'blocked') {
    unlockSpeech();
    hear({ speech: 'on' });
  }
  await wake();
}

/**
 * Turns sound on at the next gesture, wherever it is, and again after the system took it away.
 * @returns how to stop
 */
export function unlockAudioOnGesture(): () => void {
  const turnOn = () => {
    const { audio, speech } = hearing.get();
    if (audio === 'blocked' || speech === 'blocked') void turnSoundOn();
  };
  const gestures = ['pointerup', 'keydown', 'touchend'] as const;
  for (const gesture of gestures) addEventListener(gesture, turnOn, { capture: true });
  return () => {
    for (const gesture of gestures) removeEventListener(gesture, turnOn, { capture: true });
  };
}

/** What is played now. */
let playing: { out: AudioNode; end: () => void } | null = null;

/** Resolves when it has ended, or was hushed. @param sound plays into a node, and answers for how many seconds */
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

/** Stops what is being played or spoken. */
export function stopSound(): void {
  playing?.out.disconnect();
  playing?.end();
  playing = null;
  stopSpeech();
}

/**
 * Plays a dog type's alert sound; resolves when it has ended, at once when sound is blocked.
 * @param volume 0 to 1
 * @param own the owner's own recording, played instead of the bark where this browser can; an alert plays its beginning
 * @returns whether it could be heard
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

/** Plays a recording, all of it; resolves when it has ended. @returns whether it could be heard */
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
 * @returns whether it could be heard
 */
export async function speakAs(
  type: SoundType,
  text: string,
  volume: number = VOLUME.usual,
): Promise<boolean> {
  const outcome = await speak(text, type, volume);
  hear({ speech: outcome === 'spoken' ? 'on' : outcome });
  return outcome === 'spoken';
}

/** Speaks what an alert sound means, as an owner picks it for a dog. */
export const speakSoundType = (type: SoundType): Promise<boolean> =>
  speakAs(type, SOUND_MEANING[type]);
