import { nameWithNote } from '#shared/friends/lookalikes.ts';
import type { AnswerPhrase, NearbyUser } from '#shared/proximity/contract.ts';
import { RADIUS_FEET, REPEAT_SECONDS } from '#shared/proximity/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { US, type Units } from '#shared/units.ts';
import type { AlertOutputs } from '../output/alert-outputs.ts';
import type { Clock } from '../tracking/tracker.ts';
import type { AcknowledgedAlerts } from './acknowledged-alerts.ts';
import {
  ANSWER_SHOWN_MS,
  currentAnswers,
  storedAnswers,
  type AlertRecord,
  type Person,
  type Queued,
  type StoredAnswers,
} from './alert-record.ts';
import { courseWords, type NearbyDog } from './alert-text.ts';
import { AnnouncementLanes } from './announcement-lanes.ts';
import { announce, announceCloser, announceQuietly, announceTogether } from './announcement.ts';
import { type Companions, NO_COMPANIONS } from './companions.ts';
import type { ShownAlert } from './shown-alert.ts';
import {
  answeredAdvice,
  type Answerer,
  type OwnSide,
  soundOf,
  verdictOf,
  withoutDogs,
} from './verdict.ts';

const COOLDOWN_MS = REPEAT_SECONDS * 1000;
const PURGE_MS = MINUTE_MS;
/** Longer than the slowest poll, so that a user who stays near stays shown. */
export const OVER_AFTER_MS = 45_000;
/**
 * The server predicts encounters: an answer already in flight may not list a user who was announced
 * a moment ago.
 */
const AWAY_GRACE_MS = 8000;
/** Two people who have been this close for this long are walking together. */
const TOGETHER_FEET = 60;
const TOGETHER_MS = 120_000;

const byUrgency = (a: ShownAlert, b: ShownAlert) =>
  Number(b.isUrgent) - Number(a.isUrgent) ||
  Number(b.dogs.length > 0) - Number(a.dogs.length > 0) ||
  a.distance_feet - b.distance_feet;

const isWary = (dog: NearbyDog) => dog.sound_type === 'leash_on';

/**
 * Decides about whom, when and how often to warn. Learns of users from answers to position reports and from events, whichever comes
 * first, and gives one alert about each, dog after dog. An alert stays until its users have parted: announced again when the distance
 * halves, folded once the owner has acknowledged it. Decision 13.
 */
export class AlertController {
  readonly #outputs: AlertOutputs;
  readonly #clock: Clock;
  readonly #radiusFeet: () => number;
  readonly #units: () => Units;
  readonly #own: () => OwnSide;
  readonly #companions: Companions;
  readonly #noteOn: (userId: string, name: string) => string | null;
  readonly #acknowledged: Pick<AcknowledgedAlerts, 'read' | 'write'> | null;
  readonly #onChange: (shown: ShownAlert[]) => void;
  readonly #people = new Map<string, Person>();
  /** Users who have been announced. */
  readonly #records = new Map<string, AlertRecord>();
  /** Answers from before a reload of this page, of people who haven’t been seen since. */
  readonly #answersBefore = new Map<string, StoredAnswers>();
  readonly #lanes: AnnouncementLanes;
  #cancelPurge: () => void;

  /**
   * @param options.radiusFeet the owner's alert radius
   * @param options.units the units of spoken distances; US units by default
   * @param options.own the owner's side of an encounter, now
   * @param options.noteOn returns what is said of a name, such as that it isn't a friend's; null if nothing
   * @param options.acknowledged where acknowledged alerts are stored
   * @param options.alerts active alerts of the tab that led before: they continue, and interrupted ones are announced
   * @param options.onChange receives all active alerts, most urgent first
   */
  constructor(options: {
    outputs: AlertOutputs;
    clock: Clock;
    radiusFeet: () => number;
    units?: () => Units;
    own: () => OwnSide;
    companions?: Companions;
    noteOn?: (userId: string, name: string) => string | null;
    acknowledged?: Pick<AcknowledgedAlerts, 'read' | 'write'>;
    alerts?: readonly ShownAlert[];
    onChange?: (shown: ShownAlert[]) => void;
  }) {
    this.#outputs = options.outputs;
    this.#clock = options.clock;
    this.#lanes = new AnnouncementLanes({
      outputs: options.outputs,
      clock: options.clock,
      describe: (queued) => this.#describe(queued),
      describeTogether: (queued) => this.#describeTogether(queued),
      onBegin: (userId) => {
        const record = this.#records.get(userId);
        const feet = this.#people.get(userId)?.user.distance_feet;
        if (record && feet !== undefined) record.feet = feet;
      },
      onNotified: (userId, close) => this.#people.get(userId)?.takeAway.push(close),
      onChange: () => this.#show(),
    });
    this.#radiusFeet = options.radiusFeet;
    this.#units = options.units ?? (() => US);
    this.#own = options.own;
    this.#companions = options.companions ?? NO_COMPANIONS;
    this.#noteOn = options.noteOn ?? (() => null);
    this.#onChange = options.onChange ?? (() => {});
    this.#acknowledged = options.acknowledged ?? null;
    this.#cancelPurge = this.#purgeLater();
    for (const { userId, isOpen, answers, ...record } of this.#acknowledged?.read() ?? []) {
      if (answers) this.#answersBefore.set(userId, answers);
      if (!isOpen)
        this.#records.set(userId, { ...record, at: record.seenAt, isAcknowledged: true });
    }
    this.#resume(options.alerts ?? []);
  }

  #resume(alerts: readonly ShownAlert[]) {
    if (alerts.length === 0) return;
    const now = this.#clock.now();
    for (const alert of alerts)
      if (alert.isAnnounced && alert.announcedFeet !== null)
        this.#records.set(alert.user_id, {
          at: now,
          seenAt: now,
          isUrgent: alert.isUrgent,
          feet: alert.announcedFeet,
          isAcknowledged: alert.isFolded && alert.silence === null,
        });
    this.#receive(alerts);
    for (const { user_id, isAsking, receivedAt, answers, answeredAt } of alerts) {
      const person = this.#people.get(user_id);
      if (person) Object.assign(person, { isAsking, receivedAt });
      for (const who of ['theirs', 'own'] as const)
        if (answers[who] !== null)
          this.receiveAnswerOf(user_id, who, answers[who], answeredAt[who] ?? now);
    }
    this.#show();
  }

  /** Handles the answer to a position report, which lists everyone near: missing users are leaving. */
  receiveAnswer(users: readonly NearbyUser[]): void {
    const near = users.filter((user) => this.#isNear(user));
    const present = new Set(near.map((user) => user.user_id));
    const now = this.#clock.now();
    for (const [userId, person] of this.#people)
      if (!present.has(userId))
        this.#endIn(userId, person, Math.max(0, person.receivedAt + AWAY_GRACE_MS - now));
    this.#receive(near);
  }

  /** Handles an encounter event: a user came near. */
  receiveEncounter(user: NearbyUser): void {
    if (this.#isNear(user)) this.#receive([user]);
  }

  /**
   * Shows for a minute what somebody near or the owner answered: then nobody is still crossing. Of somebody silenced, nothing is shown.
   */
  receiveAnswerOf(
    userId: string,
    who: Answerer,
    phrase: AnswerPhrase,
    at = this.#clock.now(),
  ): void {
    const person = this.#people.get(userId);
    if (!person || this.#companions.silenceOf(userId) !== null) return;
    person.answers[who]?.cancel();
    const left = Math.max(0, at + ANSWER_SHOWN_MS - this.#clock.now());
    person.answers[who] = { phrase, at, cancel: this.#clock.after(left, () => this.#show()) };
    this.#show();
  }

  /** Folds the alerts about these users, and stops announcing them until they come closer. */
  fold(userIds: readonly string[]): void {
    for (const userId of userIds) {
      const record = this.#records.get(userId);
      if (!record || !this.#people.has(userId)) continue;
      record.isAcknowledged = true;
      this.#stopAnnouncing(userId);
    }
    this.#show();
  }

  /** Shows the whole alert about a user again, without announcing it. */
  unfold(userId: string): void {
    const record = this.#records.get(userId);
    if (!record) return;
    record.isAcknowledged = false;
    record.at = this.#clock.now();
    this.#show();
  }

  /** The owner doesn't want to silence a user. */
  stopAsking(userId: string): void {
    const person = this.#people.get(userId);
    if (person) person.isAsking = false;
    this.#show();
  }

  /** Applies changes of the owner's side or of whom they walk with. */
  review(): void {
    const now = this.#clock.now();
    for (const person of this.#people.values()) this.#consider(person, now);
    this.#announceSoon();
  }

  /** Ends all alerts: the position is no longer shared. */
  clear(): void {
    for (const userId of this.#people.keys()) this.#end(userId);
    this.#records.clear();
    this.#acknowledged?.write([]);
  }

  /** Ends all alerts of this page; acknowledged ones stay stored for the next one. */
  close(): void {
    for (const userId of this.#people.keys()) this.#end(userId);
    this.#cancelPurge();
  }

  /** Users within the encounter radius are shown to both sides at the same moment, even if they are announced later. */
  #isNear(user: NearbyUser): boolean {
    return user.distance_feet <= RADIUS_FEET || this.#isWithin(user);
  }

  /** Users beyond the owner's alert radius aren't announced. Of someone anonymous, only a wide band is known. */
  #isWithin(user: NearbyUser): boolean {
    return user.display_name === '' || user.distance_feet <= this.#radiusFeet();
  }

  #receive(users: readonly NearbyUser[]) {
    const now = this.#clock.now();
    for (const user of users) {
      const person = this.#people.get(user.user_id) ?? this.#add(user, now);
      person.user = user;
      person.receivedAt = now;
      this.#endIn(user.user_id, person, OVER_AFTER_MS);
      this.#follow(person, now);
      this.#consider(person, now);
    }
    this.#announceSoon();
  }

  #add(user: NearbyUser, now: number): Person {
    const person: Person = {
      user,
      receivedAt: now,
      cancelOver: () => {},
      takeAway: [],
      closeSince: null,
      isAsking: false,
      answers: {},
    };
    this.#people.set(user.user_id, person);
    const record = this.#records.get(user.user_id);
    // A time in the future means that the clock was set back.
    if (record && Math.abs(now - record.seenAt) >= COOLDOWN_MS) this.#records.delete(user.user_id);
    const before = this.#answersBefore.get(user.user_id);
    this.#answersBefore.delete(user.user_id);
    for (const who of ['theirs', 'own'] as const) {
      const answer = before?.[who];
      if (answer) this.receiveAnswerOf(user.user_id, who, answer.phrase, answer.at);
    }
    return person;
  }

  /** Asks once, after two minutes side by side, whether the owner walks with a user. */
  #follow(person: Person, now: number) {
    const { user_id: userId, distance_feet: feet } = person.user;
    person.closeSince = feet <= TOGETHER_FEET ? Math.min(person.closeSince ?? now, now) : null;
    if (person.closeSince === null || now - person.closeSince < TOGETHER_MS) return;
    if (this.#companions.silenceOf(userId) || this.#companions.wasAsked(userId)) return;
    this.#companions.setAsked(userId);
    person.isAsking = true;
  }

  /** Decides whether a user must be announced. */
  #consider(person: Person, now: number) {
    const { user } = person;
    const { user_id: userId, distance_feet: feet } = user;
    const { isUrgent } = verdictOf(user.dogs, this.#own());
    const record = this.#records.get(userId);
    if (record) {
      record.seenAt = now;
      // They went away in between.
      if (feet >= 2 * record.feet) record.feet = feet;
    }
    const isSilenced = this.#companions.silenceOf(userId) !== null;
    if (isSilenced) person.isAsking = false;
    if (isSilenced) return this.#stopAnnouncing(userId);
    if (user.dogs.length === 0) return this.#noticeQuietly(person, now);
    if (!this.#isWithin(user)) {
      this.#lanes.drop(userId);
      return;
    }
    // A dog that needs space is new after a friendly one.
    const isNew = !record || (isUrgent && !record.isUrgent);
    const isRepeated = record && !record.isAcknowledged && Math.abs(now - record.at) >= COOLDOWN_MS;
    if (isNew || isRepeated) {
      this.#records.set(userId, { at: now, seenAt: now, isUrgent, feet, isAcknowledged: false });
      this.#lanes.supersede(userId);
      for (const dog of user.dogs) this.#lanes.add({ userId, dog });
    } else if (feet <= record.feet / 2) {
      record.at = now;
      record.feet = feet;
      if (isUrgent) record.isAcknowledged = false;
      // An announcement in the queue has the new distance.
      if (!this.#lanes.isWaiting(userId)) this.#lanes.add({ userId, dog: null });
    }
  }

  /** Nobody is near unseen: someone without dogs is shown, and named in a notification without a sound. */
  #noticeQuietly({ user, takeAway }: Person, now: number) {
    const { user_id: userId, distance_feet: feet } = user;
    if (this.#records.has(userId)) return;
    const record = { at: now, seenAt: now, isUrgent: false, feet, isAcknowledged: true };
    this.#records.set(userId, record);
    const words = announceQuietly(this.#named(userId) ?? user, this.#units());
    const tag = `proximity:${userId}`;
    takeAway.push(this.#outputs.notify({ ...words, tag, urgent: false, isQuiet: true }));
  }

  #announceSoon() {
    this.#show();
    this.#lanes.run();
  }

  #stopAnnouncing(userId: string) {
    for (const take of this.#people.get(userId)?.takeAway.splice(0) ?? []) take();
    this.#lanes.stop(userId);
  }

  #endIn(userId: string, person: Person, milliseconds: number) {
    person.cancelOver();
    person.cancelOver = this.#clock.after(milliseconds, () => this.#end(userId));
  }

  #end(userId: string) {
    const person = this.#people.get(userId);
    if (!person) return;
    person.cancelOver();
    for (const { cancel } of Object.values(person.answers)) cancel();
    this.#stopAnnouncing(userId);
    this.#people.delete(userId);
    this.#show();
  }

  /** Dogs that are urgent come first, then the nearest. */
  #describe({ userId, dog }: Queued) {
    const user = this.#named(userId);
    if (!user) return null;
    const dogs = dog ? [dog] : user.dogs;
    const verdict = verdictOf(dogs, this.#own(), user.dogs);
    const units = this.#units();
    const words = dog ? announce(user, verdict, units) : announceCloser(user, verdict, units);
    return {
      ...words,
      type: soundOf(verdict),
      isUrgent: verdict.isUrgent,
      tag: `proximity:${userId}:${(dog ?? user.dogs[0])?.name}`,
      rank:
        (verdict.isUrgent ? 0 : 2e6) +
        // Of dogs that are all urgent, those that need space themselves come first.
        (dogs.some(isWary) ? 0 : 1e6) +
        user.distance_feet,
    };
  }

  /** Returns someone nearby, with a name for sentences. */
  #named(userId: string): NearbyUser | null {
    const user = this.#people.get(userId)?.user;
    if (!user) return null;
    const { display_name: name } = user;
    return { ...user, display_name: nameWithNote(name, this.#noteOn(userId, name)) };
  }

  #describeTogether(queued: readonly Queued[]): string {
    const sightings = queued.flatMap(({ userId, dog }) => {
      const user = this.#named(userId);
      return user ? [{ user, dog }] : [];
    });
    return announceTogether(sightings, this.#own(), this.#units());
  }

  #show() {
    const now = this.#clock.now();
    const shown = [...this.#people.values()].map((person) => this.#shown(person));
    this.#acknowledged?.write(
      [...this.#records].flatMap(([userId, { isUrgent, feet, seenAt, isAcknowledged }]) => {
        const { theirs, own } = currentAnswers(this.#people.get(userId)?.answers, now);
        const isAnswered = theirs !== null || own !== null;
        if (!isAcknowledged && !isAnswered) return [];
        const row = { userId, isUrgent, feet, seenAt, ...(!isAcknowledged && { isOpen: true }) };
        return [isAnswered ? { ...row, answers: storedAnswers({ theirs, own }) } : row];
      }),
    );
    this.#onChange(shown.toSorted(byUrgency));
  }

  #shown({ user, isAsking, receivedAt, answers: given }: Person): ShownAlert {
    const { user_id, display_name, distance_feet, dogs } = user;
    const record = this.#records.get(user_id);
    const silence = this.#companions.silenceOf(user_id);
    const verdict = dogs.length > 0 ? verdictOf(dogs, this.#own()) : withoutDogs(display_name);
    const { theirs, own } = currentAnswers(given, this.#clock.now());
    const answers = { theirs: theirs?.phrase ?? null, own: own?.phrase ?? null };
    return {
      ...verdict,
      user_id,
      display_name,
      distance_feet,
      course: courseWords(user),
      receivedAt,
      answers,
      answeredAt: { theirs: theirs?.at ?? null, own: own?.at ?? null },
      answeredAdvice: answeredAdvice(answers),
      dogs: dogs.toSorted((a, b) => Number(isWary(b)) - Number(isWary(a))),
      isAnnounced: record !== undefined && !this.#lanes.isBusy(user_id),
      announcedFeet: record?.feet ?? null,
      isFolded: silence !== null || !this.#isWithin(user) || record?.isAcknowledged === true,
      silence,
      isAsking,
    };
  }

  #purgeLater(): () => void {
    return this.#clock.after(PURGE_MS, () => {
      const now = this.#clock.now();
      for (const [userId, { seenAt }] of this.#records)
        if (!this.#people.has(userId) && Math.abs(now - seenAt) > 2 * COOLDOWN_MS)
          this.#records.delete(userId);
      this.#cancelPurge = this.#purgeLater();
    });
  }
}
