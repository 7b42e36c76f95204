// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Sound from '../../../client/features/sounds/audio.ts';

/** Behaves like browsers: audio starts after a tap and can resume from then on. */
class BrowserAudio {
  static made: BrowserAudio[] = [];
  state: AudioContextState | 'interrupted' = 'suspended';
  onstatechange = () => {};
  currentTime = 0;
  isUnlocked = true;
  refuses = false;
  constructor() {
    BrowserAudio.made.push(this);
  }
  #become(state: AudioContextState | 'interrupted') {
    this.state = state;
    this.onstatechange();
  }
  async resume() {
    if (this.refuses) throw new DOMException('Failed to start the audio device');
    if (!this.isUnlocked) return new Promise(() => {});
    this.#become('running');
  }
  async suspend() {
    this.#become('suspended');
  }
  interrupt() {
    this.isUnlocked = false;
    this.#become('interrupted');
  }
}
const session = { type: 'auto' };
const audio = () => BrowserAudio.made[0] as BrowserAudio;
let sound: typeof Sound;

beforeEach(async () => {
  vi.useFakeTimers();
  BrowserAudio.made = [];
  session.type = 'auto';
  vi.stubGlobal('AudioContext', BrowserAudio);
  vi.stubGlobal('navigator', { audioSession: session, userActivation: { hasBeenActive: false } });
  vi.resetModules();
  sound = await import('../../../client/features/sounds/audio.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a tap turns sound on without stopping music of other apps', async () => {
  await sound.turnSoundOn();
  expect(audio().state).toBe('running');
  expect(sound.audioAvailability.get().audio).toBe('on');
  expect(session.type).toBe('auto');
});

test('suspends unused sound, which counts as on and resumes without a tap', async () => {
  await sound.turnSoundOn();
  await vi.advanceTimersByTimeAsync(31_000);
  expect(audio().state).toBe('suspended');
  expect(sound.audioAvailability.get().audio).toBe('on');

  expect(await sound.runningContext()).toBe(audio());
  expect(session.type).toBe('playback');
  await vi.advanceTimersByTimeAsync(29_000);
  expect(audio().state).toBe('running');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(audio().state).toBe('suspended');
  expect(session.type).toBe('auto');
  expect(BrowserAudio.made).toHaveLength(1);
});

test('keeps sound active on a walk so that its loss is noticed early', async () => {
  await sound.turnSoundOn();
  await vi.advanceTimersByTimeAsync(31_000);
  sound.keepAudioActive(true);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(audio().state).toBe('running');
  audio().interrupt();
  expect(sound.audioAvailability.get().audio).toBe('blocked');
});

test('a refusal during a phone call is passing: the next tap turns sound on', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  await sound.turnSoundOn();
  const stop = sound.unlockAudioOnGesture();
  audio().interrupt();
  audio().refuses = true;
  expect(await sound.runningContext()).toBeNull();
  expect(sound.audioAvailability.get().audio).toBe('blocked');
  audio().refuses = false;
  audio().isUnlocked = true;
  dispatchEvent(new Event('pointerup'));
  await vi.advanceTimersByTimeAsync(0);
  expect(sound.audioAvailability.get().audio).toBe('on');
  stop();
  vi.restoreAllMocks();
});

test('notices at the next sound that suspended audio is blocked', async () => {
  await sound.turnSoundOn();
  await vi.advanceTimersByTimeAsync(31_000);
  audio().isUnlocked = false;
  const woken = sound.runningContext();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await woken).toBeNull();
  expect(sound.audioAvailability.get().audio).toBe('blocked');
});

test('the beep of a dog that needs space is 800, 600 and 800 Hz in 0.3 s of the audio clock', async () => {
  await sound.turnSoundOn();
  const tones: { hertz: [hertz: number, at: number][]; lasts: number }[] = [];
  const param = () => ({
    value: 0,
    setValueAtTime() {},
    linearRampToValueAtTime() {},
    exponentialRampToValueAtTime() {},
  });
  const node = () => ({
    connect: (to: unknown) => to,
    disconnect() {},
    gain: param(),
    frequency: param(),
    start() {},
    stop() {},
  });
  Object.assign(audio(), {
    currentTime: 7,
    sampleRate: 100,
    destination: node(),
    createGain: node,
    createBiquadFilter: node,
    createBufferSource: node,
    createBuffer: () => ({ getChannelData: () => [] }),
    createOscillator() {
      const tone = { hertz: [] as [number, number][], lasts: 0 };
      tones.push(tone);
      const frequency = {
        ...param(),
        setValueAtTime: (hertz: number, at: number) => void tone.hertz.push([hertz, at]),
      };
      const start = (at: number) => void (tone.lasts -= at);
      const stop = (at: number) => void (tone.lasts += at);
      return { ...node(), frequency, start, stop };
    },
  });
  const played = sound.playSoundType('leash_on');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await played).toBe(true);
  expect(tones[0]).toEqual({
    hertz: [
      [800, 7],
      [600, expect.closeTo(7.1)],
      [800, expect.closeTo(7.2)],
    ],
    lasts: expect.closeTo(0.3),
  });
  // Then two barks; a friendly dog has those only.
  expect(tones).toHaveLength(3);
  tones.length = 0;
  void sound.playSoundType('leash_off');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(tones.map(({ hertz }) => hertz[0]?.[0])).toEqual([520, 520]);
});
