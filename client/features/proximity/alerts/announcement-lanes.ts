import type { SoundType } from '#shared/dogs/contract.ts';
import type { AlertOutputs } from '../output/alert-outputs.ts';
import type { Clock } from '../tracking/tracker.ts';
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
/** An urgent dog that has waited for so long is spoken of now, together with the others that wait. */
const URGENT_WAIT_MS = 3_000;
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

/** One announcement on its way through the lanes. */
type Item = Queued & { isSpoken: boolean; isDropped: boolean };
type Ranked = { item: Item; described: Described };

/** What an output says now. */
interface Running {
  items: Item[];
  type: SoundType;
  /** Ends the wait for it. */
  cut: () => void;
}

interface LaneSettings {
  outputs: AlertOutputs;
  clock: Clock;
  /** Describes an announcement as it is now; null if its person has gone. */
  describe(announced: Queued): Described | null;
  /** Returns one sentence about several announcements of the same urgency, the gravest first. */
  describeTogether(announced: readonly Queued[]): string;
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
 * of the others. All dogs of the same urgency that wait are spoken of in one sentence, so that none waits for the sentences about the others.
 */
export class AnnouncementLanes {
  readonly #settings: LaneSettings;
  /** Those whose sound is to begin. */
  #waiting: Item[] = [];
  /** Those whose sound has ended, and of which nothing was said yet. */
  #unspoken: Item[] = [];
  #sounding: Running | null = null;
  #speaking: Running | null = null;
  #isSounding = false;
  #isSpeaking = false;
  /** Whether the next sentence doesn't wait for a pause. */
  #isHurried = false;
  #endPause: () => void = () => {};
  #endSpeechPause: () => void = () => {};

  constructor(settings: LaneSettings) {
    this.#settings = settings;
  }

  /** Queues an announcement, and notifies of it. `run` begins. */
  add(announced: Queued): void {
    const item: Item = { ...announced, isSpoken: false, isDropped: false };
    this.#waiting.push(item);
    const described = this.#settings.describe(item);
    if (!described) return;
    if (described.isUrgent) this.#settings.clock.after(URGENT_WAIT_MS, () => this.#speakNow(item));
    if (!announced.dog && !described.isUrgent) return;
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
    const isOf = (each: Item) => each.userId === userId && !each.isDropped;
    const running = [...(this.#sounding?.items ?? []), ...(this.#speaking?.items ?? [])];
    return [...this.#waiting, ...this.#unspoken, ...running].some(isOf);
  }

  /** Drops announcements about a user that haven't begun. */
  drop(userId: string): void {
    this.#waiting = this.#without(this.#waiting, userId);
  }

  /** Drops announcements about a user of which nothing was said yet: newer ones follow. */
  supersede(userId: string): void {
    this.drop(userId);
    this.#unspoken = this.#without(this.#unspoken, userId);
    for (const each of this.#sounding?.items ?? [])
      if (each.userId === userId) each.isSpoken = true;
  }

  /** Drops announcements about a user, and silences running ones that are about nobody else. */
  stop(userId: string): void {
    this.drop(userId);
    this.#unspoken = this.#without(this.#unspoken, userId);
    if (this.#isOnlyAbout(this.#sounding, userId)) this.#stopSound();
    if (this.#isOnlyAbout(this.#speaking, userId)) this.#stopSpeech();
  }

  /** Begins what is waiting. An urgent announcement interrupts friendly ones. */
  run(): void {
    if (this.#waiting.some((each) => this.#isUrgent(each))) {
      if (this.#sounding?.type === 'leash_off') this.#stopSound();
      if (this.#speaking?.type === 'leash_off') this.#stopSpeech();
      this.#endPause();
    }
    if (!this.#isSounding) void this.#soundAll();
  }

  #isUrgent(item: Item): boolean {
    return this.#settings.describe(item)?.isUrgent ?? false;
  }

  #without(queue: Item[], userId: string): Item[] {
    for (const each of queue) if (each.userId === userId) each.isDropped = true;
    return queue.filter((each) => each.userId !== userId);
  }

  /** Drops what is running about a user. @returns whether nothing of it is about anybody else */
  #isOnlyAbout(running: Running | null, userId: string): boolean {
    if (!running?.items.some((each) => each.userId === userId && !each.isDropped)) return false;
    this.#without(running.items, userId);
    return running.items.every(({ isDropped }) => isDropped);
  }

  #stopSound(): void {
    this.#settings.outputs.stopSound();
    this.#sounding?.cut();
  }

  #stopSpeech(): void {
    this.#settings.outputs.stopSpeech();
    this.#speaking?.cut();
  }

  /** Speaks of an urgent dog that has waited for long enough, whatever is being spoken. */
  #speakNow(item: Item): void {
    if (item.isSpoken || item.isDropped || !this.#isUrgent(item)) return;
    if (!this.#unspoken.includes(item)) this.#unspoken.push(item);
    this.#hurrySpeech();
  }

  /** Begins the next sentence at once. */
  #hurrySpeech(): void {
    if (!this.#isSpeaking) return void this.#speakAll();
    this.#isHurried = true;
    this.#endSpeechPause();
    if (this.#speaking) this.#stopSpeech();
  }

  /** Describes the announcements that are still of use, the gravest first. */
  #ranked(queue: readonly Item[]): Ranked[] {
    return queue
      .flatMap((item) => {
        const described = this.#settings.describe(item);
        return described ? [{ item, described }] : [];
      })
      .toSorted((a, b) => a.described.rank - b.described.rank);
  }

  /** Takes the first by rank. */
  #next(queue: Item[]): Ranked | null {
    const [first, ...others] = this.#ranked(queue);
    queue.splice(0, queue.length, ...others.map(({ item }) => item));
    return first ?? null;
  }

  /** Takes what is to be said next: all urgent dogs, else all friendly ones, even those whose sound is still to come. */
  #nextSentence(): (Pick<Running, 'items' | 'type'> & { speech: string }) | null {
    const first = this.#next(this.#unspoken);
    if (!first) return null;
    const { type, speech, isUrgent } = first.described;
    // An item may be in two lanes.
    const together = new Set([first.item]);
    for (const each of [...this.#unspoken, ...this.#waiting, ...(this.#sounding?.items ?? [])])
      if (!each.isSpoken && !each.isDropped && this.#settings.describe(each)?.isUrgent === isUrgent)
        together.add(each);
    this.#unspoken = this.#unspoken.filter((each) => !together.has(each));
    const items = [...together];
    for (const each of items) each.isSpoken = true;
    if (items.length === 1) return { items, type, speech };
    const ordered = this.#ranked(items).map(({ item }) => item);
    return { items: ordered, type, speech: this.#settings.describeTogether(ordered) };
  }

  async #soundAll(): Promise<void> {
    this.#isSounding = true;
    for (let next = this.#next(this.#waiting); next; next = this.#next(this.#waiting)) {
      const { item, described } = next;
      const { type } = described;
      this.#settings.onBegin(item.userId);
      const { clock, outputs } = this.#settings;
      clock.after(VIBRATE_AFTER_MS, () => {
        if (!item.isDropped && this.#settings.describe(item)) outputs.vibrate(VIBRATIONS[type]);
      });
      const sound = this.#begin(item.dog ? SOUND_MAX_MS : 0, () => outputs.play(type));
      this.#sounding = { items: [item], type, cut: sound.cut };
      await sound.ended;
      this.#sounding = null;
      const isInterrupted =
        type === 'leash_off' && this.#waiting.some((each) => this.#isUrgent(each));
      if (!item.isDropped && !item.isSpoken && !isInterrupted) {
        if (!this.#unspoken.includes(item)) this.#unspoken.push(item);
        const isFirst = described.isUrgent && this.#speaking?.type !== 'leash_on';
        if (!this.#isSpeaking || isFirst) this.#hurrySpeech();
      }
      this.#settings.onChange();
      if (!isInterrupted) await this.#pause((end) => (this.#endPause = end));
    }
    this.#isSounding = false;
  }

  async #speakAll(): Promise<void> {
    this.#isSpeaking = true;
    for (let next = this.#nextSentence(); next; next = this.#nextSentence()) {
      const { items, type, speech } = next;
      this.#isHurried = false;
      const longest = SPEECH_MAX_MS.start + speech.length * SPEECH_MAX_MS.character;
      const { outputs } = this.#settings;
      const sentence = this.#begin(longest, () => outputs.speak(type, speech));
      this.#speaking = { items, type, cut: sentence.cut };
      const wasSpoken = await sentence.ended;
      // Without speech, the sound says that they have come closer.
      if (wasSpoken === false && items.some(({ dog, isDropped }) => !dog && !isDropped))
        await this.#begin(SOUND_MAX_MS, () => outputs.play(type)).ended;
      this.#speaking = null;
      this.#settings.onChange();
      if (this.#unspoken.length > 0 && !this.#isHurried)
        await this.#pause((end) => (this.#endSpeechPause = end));
    }
    this.#isSpeaking = false;
  }

  /**
   * Begins an output, which may fail or never end.
   * @param milliseconds the longest to wait for it; 0: it isn't begun
   * @returns `ended` resolves with its result, undefined if it has none; `cut` ends the wait
   */
  #begin(
    milliseconds: number,
    output: () => Promise<unknown>,
  ): { ended: Promise<unknown>; cut: () => void } {
    if (milliseconds === 0) return { ended: Promise.resolve(), cut: () => {} };
    let cut = () => {};
    const late = new Promise<void>((done) => (cut = done));
    const cancel = this.#settings.clock.after(milliseconds, cut);
    const run = async () => {
      try {
        return await Promise.race([output(), late]);
      } catch (error) {
        console.error('An output of a warning failed', error);
        return undefined;
      } finally {
        cancel();
      }
    };
    return { ended: run(), cut };
  }

  /** Waits between two announcements. @param onEnd receives how to end it early */
  #pause(onEnd: (end: () => void) => void): Promise<void> {
    return new Promise((done) => {
      const cancel = this.#settings.clock.after(PAUSE_MS, done);
      onEnd(() => {
        cancel();
        done();
      });
    });
  }
}
