// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Sound from '../../../client/proximity/output/audio.ts';

/** As browsers behave: running after a tap, and from then on whenever it is asked to. */
class BrowserAudio {
  static made: BrowserAudio[] = [];
  state: AudioContextState | 'interrupted' = 'suspended';
  onstatechange = () => {};
  currentTime = 0;
  isUnlocked = true;
  constructor() {
    BrowserAudio.made.push(this);
  }
  #become(state: AudioContextState | 'interrupted') {
    this.state = state;
    this.onstatechange();
  }
  async resume() {
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
  sound = await import('../../../client/proximity/output/audio.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a tap turns sound on without stopping the music of other apps', async () => {
  await sound.turnSoundOn();
  expect(audio().state).toBe('running');
  expect(sound.audioAvailability.get().audio).toBe('on');
  expect(session.type).toBe('auto');
});

test('sound that nobody needs rests, counts as on, and is woken without a tap', async () => {
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

test('on a walk sound stays awake, so that its loss is seen before it is needed', async () => {
  await sound.turnSoundOn();
  await vi.advanceTimersByTimeAsync(31_000);
  sound.keepAudioActive(true);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(audio().state).toBe('running');
  audio().interrupt();
  expect(sound.audioAvailability.get().audio).toBe('blocked');
});

test('what was taken away while it rested is noticed at the next sound', async () => {
  await sound.turnSoundOn();
  await vi.advanceTimersByTimeAsync(31_000);
  audio().isUnlocked = false;
  const woken = sound.runningContext();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await woken).toBeNull();
  expect(sound.audioAvailability.get().audio).toBe('blocked');
});
