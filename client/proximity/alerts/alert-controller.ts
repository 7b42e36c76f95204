import type { SoundType } from '#shared/dogs/contract.ts';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import { REPEAT_SECONDS } from '#shared/proximity/rules.ts';
import type { Clock } from '../tracking/tracker.ts';
import type { AlertOutputs } from '../output/alert-outputs.ts';
import { advice, announce, headline, type NearbyDog } from './alert-text.ts';

const COOLDOWN_MS = REPEAT_SECONDS * 1000;
const PAUSE_MS = 1000;
const VIBRATE_AFTER_MS = 500;
const VIBRATIONS: Record<SoundType, number[]> = {
  leash_on: [200, 100, 200, 100, 200, 100, 400],
  leash_off: [100, 50, 100],
};
const PURGE_MS = 60_000;
/** Longer than the slowest poll, so that a user who stays near stays shown. */
export const OVER_AFTER_MS = 45_000;
/**
 * The server predicts encounters: an answer already in flight may not list a user who was announced
 * a moment ago.
 */
const AWAY_GRACE_MS = 8000;

/** An active alert: one person with dogs within the radius. */
export interface ShownAlert {
  user_id: string;
  display_name: string;
  distance_feet: number;
  dogs: NearbyDog[];
  /** One of the dogs needs space. */
  urgent: boolean;
  /** Which dogs matter, and why, such as 'Rex' and 'needs space'. */
  names: string;
  verdict: string;
  /** What to do. */
  advice: string;
  /** Whether everything has been announced. */
  isAnnounced: boolean;
}

interface Person {
  user: NearbyUser;
  receivedAt: number;
  cancelOver: () => void;
  takeAway: (() => void)[];
}

/** @param dismissed dismissed users, for a tab that takes over */
type AlertsChange = (shown: ShownAlert[], dismissed: ReadonlyMap<string, AlertRecord>) => void;

/** What the owner has been told about a user, and when. */
export interface AlertRecord {
  at: number;
  /** One of the user's dogs needs space. */
  isWary: boolean;
  /** Since when the user has been missing from answers. */
  missedAt?: number;
}

const isWary = (dog: NearbyDog) => dog.sound_type === 'leash_on';
const hasWary = ({ dogs }: NearbyUser) => dogs.some(isWary);
const byUrgency = (a: NearbyUser, b: NearbyUser) =>
  Number(hasWary(b)) - Number(hasWary(a)) || a.distance_feet - b.distance_feet;

/** Whether the owner already knows about these dogs: a dog that needs space is new after a friendly one. */
const isKnown = (record: AlertRecord, user: NearbyUser) => record.isWary || !hasWary(user);

/**
 * Decides about whom, when and how often to warn. Learns of users from answers to position reports and from
 * events, whichever comes first, and gives one alert about each, dog after dog.
 */
export class AlertController {
  readonly #outputs: AlertOutputs;
  readonly #clock: Clock;
  readonly #radiusFeet: () => number;
  readonly #ownWary: () => string[];
  readonly #onChange: AlertsChange;
  readonly #people = new Map<string, Person>();
  /** Users who have been announced. */
  readonly #alerted = new Map<string, AlertRecord>();
  /** Dismissed users, not announced again before they have been away; with when they were last near. */
  readonly #dismissed: Map<string, AlertRecord>;
  #queue: { userId: string; dog: NearbyDog }[] = [];
  #speaking: { userId: string; type: SoundType } | null = null;
  /** The user who is being announced now. */
  #announcing: string | null = null;
  #cancelPurge: () => void;

  /**
   * @param options.radiusFeet the owner's alert radius
   * @param options.alerts active alerts of the tab that led before: they continue, and interrupted ones are announced
   * @param options.dismissed users dismissed in that tab
   * @param options.ownWary names of the owner's own dogs that need space
   * @param options.onChange receives all active alerts, most urgent first
   */
  constructor(options: {
    outputs: AlertOutputs;
    clock: Clock;
    radiusFeet: () => number;
    alerts?: readonly ShownAlert[];
    dismissed?: ReadonlyMap<string, AlertRecord>;
    ownWary?: () => string[];
    onChange?: AlertsChange;
  }) {
    this.#outputs = options.outputs;
    this.#clock = options.clock;
    this.#radiusFeet = options.radiusFeet;
    this.#ownWary = options.ownWary ?? (() => []);
    this.#onChange = options.onChange ?? (() => {});
    this.#dismissed = new Map(options.dismissed);
    this.#cancelPurge = this.#purgeLater();
    this.#resume(options.alerts ?? []);
  }

  #resume(alerts: readonly ShownAlert[]) {
    if (alerts.length === 0) return;
    for (const { user_id, isAnnounced, urgent } of alerts)
      if (isAnnounced) this.#alerted.set(user_id, { at: this.#clock.now(), isWary: urgent });
    this.#receive([...alerts]);
  }

  /** Handles the answer to a position report, which lists everyone near: missing users are leaving. */
  receiveAnswer(users: NearbyUser[]): void {
    const near = users.filter((user) => this.#isWithin(user));
    const present = new Set(near.map((user) => user.user_id));
    const now = this.#clock.now();
    for (const [userId, person] of this.#people)
      if (!present.has(userId))
        this.#endIn(userId, person, Math.max(0, person.receivedAt + AWAY_GRACE_MS - now));
    for (const [userId, record] of this.#dismissed)
      if (!present.has(userId)) record.missedAt ??= now;
    this.#receive(near);
  }

  /** Handles an encounter event: a user came near. */
  receiveEncounter(user: NearbyUser): void {
    if (this.#isWithin(user)) this.#receive([user]);
  }

  /** Ends an alert; the user isn't announced again before they have been away. */
  dismiss(userId: string): void {
    const user = this.#people.get(userId)?.user;
    this.#dismissed.set(userId, { at: this.#clock.now(), isWary: user ? hasWary(user) : true });
    if (user) this.#end(userId);
    else this.#show();
  }

  /** Ends all alerts: the position is no longer shared. */
  clear(): void {
    for (const userId of this.#people.keys()) this.#end(userId);
    this.#alerted.clear();
    this.#dismissed.clear();
  }

  /** Ends all alerts for good. */
  close(): void {
    this.clear();
    this.#cancelPurge();
  }

  /** Users beyond the owner's alert radius aren't announced. */
  #isWithin(user: NearbyUser): boolean {
    return user.distance_feet <= this.#radiusFeet();
  }

  #receive(users: NearbyUser[]) {
    const now = this.#clock.now();
    for (const user of users) {
      if (user.dogs.length === 0) continue;
      const dismissed = this.#dismissed.get(user.user_id);
      const isBack = dismissed?.missedAt !== undefined && now - dismissed.missedAt >= AWAY_GRACE_MS;
      if (dismissed && isKnown(dismissed, user) && !isBack) {
        this.#dismissed.set(user.user_id, { at: now, isWary: dismissed.isWary });
        continue;
      }
      this.#dismissed.delete(user.user_id);
      const known = this.#people.get(user.user_id);
      const person = known ?? { user, receivedAt: now, cancelOver: () => {}, takeAway: [] };
      person.user = user;
      person.receivedAt = now;
      this.#people.set(user.user_id, person);
      this.#endIn(user.user_id, person, OVER_AFTER_MS);
      const last = this.#alerted.get(user.user_id);
      // A time in the future means that the clock was set back.
      if (last && isKnown(last, user) && Math.abs(now - last.at) < COOLDOWN_MS) continue;
      this.#alerted.set(user.user_id, { at: now, isWary: hasWary(user) });
      this.#queue = this.#queue.filter(({ userId }) => userId !== user.user_id);
      for (const dog of user.dogs) this.#queue.push({ userId: user.user_id, dog });
    }
    this.#show();
    if (this.#isInterrupted()) this.#outputs.stopSound();
    if (!this.#speaking) void this.#announceAll();
  }

  /** An urgent alert interrupts a friendly one. */
  #isInterrupted(): boolean {
    return this.#speaking?.type === 'leash_off' && this.#queue.some(({ dog }) => isWary(dog));
  }

  #endIn(userId: string, person: Person, milliseconds: number) {
    person.cancelOver();
    person.cancelOver = this.#clock.after(milliseconds, () => this.#end(userId));
  }

  #end(userId: string) {
    const person = this.#people.get(userId);
    if (!person) return;
    person.cancelOver();
    this.#people.delete(userId);
    this.#queue = this.#queue.filter((next) => next.userId !== userId);
    for (const take of person.takeAway) take();
    if (this.#speaking?.userId === userId) this.#outputs.stopSound();
    this.#show();
  }

  /** Takes the next dog to announce: dogs that need space first, then the nearest. */
  #next() {
    const urgency = ({ userId, dog }: { userId: string; dog: NearbyDog }) =>
      (isWary(dog) ? 0 : 1e6) + (this.#people.get(userId)?.user.distance_feet ?? 0);
    this.#queue.sort((a, b) => urgency(a) - urgency(b));
    return this.#queue.shift();
  }

  async #announceAll() {
    for (let next = this.#next(); next; next = this.#next()) {
      const person = this.#people.get(next.userId);
      if (!person) continue;
      this.#speaking = { userId: next.userId, type: next.dog.sound_type };
      this.#announcing = next.userId;
      await this.#announce(person, next.dog);
      this.#announcing = null;
      this.#show();
      if (!this.#isInterrupted()) await this.#wait(PAUSE_MS);
    }
    this.#speaking = null;
  }

  async #announce({ user, takeAway }: Person, dog: NearbyDog) {
    const type = dog.sound_type;
    const words = announce(user, dog, this.#ownWary());
    this.#clock.after(VIBRATE_AFTER_MS, () => {
      if (this.#people.has(user.user_id)) this.#outputs.vibrate(VIBRATIONS[type]);
    });
    takeAway.push(
      this.#outputs.notify({
        title: words.title,
        body: words.body,
        tag: `proximity:${user.user_id}:${dog.name}`,
        urgent: type === 'leash_on',
      }),
    );
    await this.#outputs.play(type);
    if (this.#people.has(user.user_id) && !this.#isInterrupted())
      await this.#outputs.speak(type, words.speech);
  }

  #wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.after(milliseconds, resolve);
    });
  }

  #show() {
    const people = [...this.#people.values()].map((person) => person.user).toSorted(byUrgency);
    this.#onChange(
      people.map(({ user_id, display_name, distance_feet, dogs }) => ({
        user_id,
        display_name,
        distance_feet,
        dogs: dogs.toSorted((a, b) => Number(isWary(b)) - Number(isWary(a))),
        urgent: dogs.some(isWary),
        ...headline(dogs),
        advice: advice(dogs, this.#ownWary()),
        isAnnounced:
          this.#announcing !== user_id && this.#queue.every(({ userId }) => userId !== user_id),
      })),
      new Map(this.#dismissed),
    );
  }

  #purgeLater(): () => void {
    return this.#clock.after(PURGE_MS, () => {
      const now = this.#clock.now();
      for (const memory of [this.#alerted, this.#dismissed])
        for (const [userId, { at }] of memory)
          if (Math.abs(now - at) > 2 * COOLDOWN_MS) memory.delete(userId);
      this.#cancelPurge = this.#purgeLater();
    });
  }
}
