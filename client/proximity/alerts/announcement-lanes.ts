import type { SoundType } from '#shared/dogs/contract.ts';
import type { Clock } from '../tracking/tracker.ts';
import type { AlertOutputs } from '../output/alert-outputs.ts';
import type { Queued } from './alert-record.ts';

/** Between two alerts. */
const PAUSE_MS = 1000;
const VIBRATE_AFTER_MS = 500;
const VIBRATIONS: Record<SoundType, number[]> = {
  leash_on: [200, 100, 200, 100, 200, 100, 400],
  leash_off: [100, 50, 100],
};
/** As long as an owner's own sound; one that is stuck delays nothing more. */
const SOUND_MAX_MS = 3_000;
/** Slower than any voice: a sentence that is stuck delays the next sentence by no more. */
const SPEECH_MAX_MS = { start: 1_500, character: 110 };

interface Described {
  type: SoundType;
  isUrgent: boolean;
  /** The lowest comes first. */
  rank: number;
  title: string;
  body: string;
  speech: string;
  tag: string;
}

type Running = Queued & { type: SoundType; isCanceled: boolean };

interface LaneSettings {
  outputs: AlertOutputs;
  clock: Clock;
  /** Describes an announcement as it is now; null if its person has gone. */
  describe(announced: Queued): Described | null;
  /** Called when an announcement begins. */
  onBegin(userId: string): void;
  /** Called with how to close a notification. */
  onNotified(userId: string, close: () => void): void;
  /** Called when something was announced. */
  onChange(): void;
}

/**
 * Announces dogs one after another, by sound, vibration, notification and speech, none of which waits for another: notifications are
 * shown at once, sounds and vibrations follow each other, and sentences follow each other. An output that never ends delays none
 * of the others.
 */
export class AnnouncementLanes {
  readonly #settings: LaneSettings;
  #waiting: Queued[] = [];
  #unspoken: Queued[] = [];
  #sounding: Running | null = null;
  #speaking: Running | null = null;
  #isSounding = false;
  #isSpeaking = false;
  #endPause: () => void = () => {};

  constructor(settings: LaneSettings) {
    this.#settings = settings;
  }

  /** Queues an announcement, and notifies of it. `run` begins. */
  add(announced: Queued): void {
    this.#waiting.push(announced);
    const described = this.#settings.describe(announced);
    if (!described || !(announced.dog || described.isUrgent)) return;
    const { title, body, tag, isUrgent: urgent } = described;
    const close = this.#settings.outputs.notify({ title, body, tag, urgent });
    this.#settings.onNotified(announced.userId, close);
  }

  /** Whether an announcement about a user has yet to begin. */
  isWaiting(userId: string): boolean {
    return this.#waiting.some((each) => each.userId === userId);
  }

  /** Whether an announcement about a user is waiting or running. */
  isBusy(userId: string): boolean {
    const isOf = (each: Running | null) => each?.userId === userId && !each.isCanceled;
    return (
      this.isWaiting(userId) ||
      this.#unspoken.some((each) => each.userId === userId) ||
      isOf(this.#sounding) ||
      isOf(this.#speaking)
    );
  }

  /** Drops announcements about a user that haven't begun. */
  drop(userId: string): void {
    this.#waiting = this.#waiting.filter((each) => each.userId !== userId);
  }

  /** Drops announcements about a user, and silences running ones. */
  stop(userId: string): void {
    this.drop(userId);
    this.#unspoken = this.#unspoken.filter((each) => each.userId !== userId);
    if (this.#cancel(this.#sounding, userId)) this.#settings.outputs.stopSound();
    if (this.#cancel(this.#speaking, userId)) this.#settings.outputs.stopSpeech();
  }

  /** Begins what is waiting. An urgent announcement interrupts friendly ones. */
  run(): void {
    if (this.#waiting.some((each) => this.#settings.describe(each)?.isUrgent)) {
      if (this.#sounding?.type === 'leash_off') this.#settings.outputs.stopSound();
      if (this.#speaking?.type === 'leash_off') this.#settings.outputs.stopSpeech();
      this.#endPause();
    }
    if (!this.#isSounding) void this.#soundAll();
  }

  #cancel(running: Running | null, userId: string): boolean {
    if (running?.userId !== userId || running.isCanceled) return false;
    running.isCanceled = true;
    return true;
  }

  /** Takes the first by rank. */
  #next(queue: Queued[]): { announced: Queued; described: Described } | null {
    const ranked = queue
      .flatMap((announced) => {
        const described = this.#settings.describe(announced);
        return described ? [{ announced, described }] : [];
      })
      .toSorted((a, b) => a.described.rank - b.described.rank);
    const [first] = ranked;
    queue.splice(0, queue.length, ...ranked.slice(1).map(({ announced }) => announced));
    return first ?? null;
  }

  async #soundAll(): Promise<void> {
    this.#isSounding = true;
    for (let next = this.#next(this.#waiting); next; next = this.#next(this.#waiting)) {
      const { announced, described } = next;
      const { type } = described;
      const running: Running = { ...announced, type, isCanceled: false };
      this.#sounding = running;
      this.#settings.onBegin(announced.userId);
      const { clock, outputs } = this.#settings;
      clock.after(VIBRATE_AFTER_MS, () => {
        if (!running.isCanceled && this.#settings.describe(announced))
          outputs.vibrate(VIBRATIONS[type]);
      });
      if (announced.dog) await this.#within(SOUND_MAX_MS, () => outputs.play(type));
      this.#sounding = null;
      const isInterrupted =
        type === 'leash_off' &&
        this.#waiting.some((each) => this.#settings.describe(each)?.isUrgent);
      if (!running.isCanceled && !isInterrupted) {
        this.#unspoken.push(announced);
        if (!this.#isSpeaking) void this.#speakAll();
      }
      this.#settings.onChange();
      if (!isInterrupted) await this.#pause();
    }
    this.#isSounding = false;
  }

  async #speakAll(): Promise<void> {
    this.#isSpeaking = true;
    for (let next = this.#next(this.#unspoken); next; next = this.#next(this.#unspoken)) {
      const { announced, described } = next;
      const { type, speech } = described;
      const running: Running = { ...announced, type, isCanceled: false };
      this.#speaking = running;
      const longest = SPEECH_MAX_MS.start + speech.length * SPEECH_MAX_MS.character;
      const { outputs } = this.#settings;
      const wasSpoken = await this.#within(longest, () => outputs.speak(type, speech));
      // Without speech, the sound says that they have come closer.
      if (!announced.dog && wasSpoken === false && !running.isCanceled)
        await this.#within(SOUND_MAX_MS, () => outputs.play(type));
      this.#speaking = null;
      this.#settings.onChange();
      if (this.#unspoken.length > 0)
        await new Promise<void>((done) => void this.#settings.clock.after(PAUSE_MS, done));
    }
    this.#isSpeaking = false;
  }

  /** Waits for an output, which may fail or never end. @returns its result; undefined if it has none */
  async #within(milliseconds: number, output: () => Promise<unknown>): Promise<unknown> {
    let cancel = () => {};
    const late = new Promise<void>((done) => {
      cancel = this.#settings.clock.after(milliseconds, done);
    });
    try {
      return await Promise.race([output(), late]);
    } catch (error) {
      console.error('An output of a warning failed', error);
      return undefined;
    } finally {
      cancel();
    }
  }

  /** Ends early for an urgent announcement. */
  #pause(): Promise<void> {
    return new Promise((done) => {
      const cancel = this.#settings.clock.after(PAUSE_MS, done);
      this.#endPause = () => {
        cancel();
        done();
      };
    });
  }
}
