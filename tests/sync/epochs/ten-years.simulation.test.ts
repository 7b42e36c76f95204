import { createHash } from 'node:crypto';
import { next as A } from '@automerge/automerge';
import { Repo, type DocHandle } from '@automerge/automerge-repo';
import { expect, test } from 'vitest';
import type { SegmentPlace } from '#shared/chat/document.ts';
import { SEGMENT_FULL } from '#shared/chat/rules.ts';
import { documentKinds, type DocumentKind } from '#shared/document-kinds.ts';
import type { FriendCardSubject } from '#shared/friends/friend-card.ts';
import { INVITATION_CODE_LENGTH } from '#shared/invitations/rules.ts';
import { readCard } from '#shared/profile/document.ts';
import { documentLimits, isEpochDue } from '#shared/sync/limits.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { carryOut, settleIntents } from '../../../client/platform/sync/journal/replay.ts';
import { loadCore } from '../../../sync-server/core/documents/automerge-core.ts';
import { DocumentContent } from '../../../sync-server/core/documents/document-content.ts';
import {
  initialDocument,
  rewrittenDocument,
} from '../../../sync-server/core/documents/named-changes.ts';
import { validateChunks } from '../../../sync-server/core/protocol/sync-message.ts';

/**
 * What an active owner does in ten years. Each number is one that few owners reach. Drafts and walks themselves are in no document:
 * drafts are rows (decision 51), and walks stay on the device (decision 310).
 */
const DAYS = 10 * 365;
/** Walks a day, for each of which the app is started, and location sharing is turned on and off. */
const WALKS = 2;
const EVERY = {
  /** A setting or the choices about pushes, in days. */
  setting: 4,
  quietPlace: 30,
  sound: 30,
  /** A dog's details, picture or notes, or the owner's name or picture. */
  card: 2,
  dog: 365,
  /** Another friend, after a request, and one who is lost again. */
  friend: 20,
  unfriending: 100,
  invitation: 60,
  /** A message that is unsent by the owner, and one by a friend. */
  unsending: 2,
  /** A message of a friend or of the owner that is held for review, and released. */
  review: 30,
  /** Unread messages in an older segment. */
  waiting: 7,
};
/** Messages that the owner writes a day. Friends write as many. */
const MESSAGES = 40;
/** Once a year, each friend changes their name. */
const NAME_EVERY = 365;
/** How often, in days, the server looks whether an epoch is due, and has answered everything by then: it does so far more often. */
const MEASURED_EVERY = 28;

interface Peak {
  operations: number;
  changes: number;
  actors: number;
  bytes: number;
  heads: number;
  operationsPerChange: number;
  keys: number[];
}

const random = (length: number, seed: unknown) =>
  createHash('sha512').update(String(seed)).digest('hex').slice(0, length);
const at = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * 86_400_000).toISOString();

/** A document on the server, which replaces it as it does there, and the most that it ever had. */
class Played {
  readonly kind: DocumentKind;
  content: DocumentContent;
  epochs = 1;
  readonly peak: Peak = {
    operations: 0,
    changes: 0,
    actors: 0,
    bytes: 0,
    heads: 0,
    operationsPerChange: 0,
    keys: [],
  };
  readonly #id: string;
  readonly #taken: Uint8Array[] = [];

  /** @param saved its first state */
  constructor(kind: DocumentKind, saved: Uint8Array) {
    this.kind = kind;
    this.#id = kind;
    this.content = this.#load(saved);
  }

  #load = (saved: Uint8Array) =>
    new DocumentContent(loadCore(saved), documentLimits[this.kind], () => {});

  /** Takes a change of a device or of a server, which is applied when it is measured. */
  take(chunk: Uint8Array): void {
    this.#taken.push(chunk);
    const { operations } = validateChunks([chunk]);
    this.peak.operationsPerChange = Math.max(this.peak.operationsPerChange, operations);
  }

  /** Applies what it took, if it may be in the document. */
  apply(): void {
    const taken = this.#taken.splice(0);
    if (taken.length === 0) return;
    this.content.apply(taken, validateChunks(taken));
    this.content.takeUnsaved();
  }

  /**
   * Measures it, and replaces it when its epoch ends.
   * @param actorsOf returns how many actors it would have
   * @returns whether it was replaced
   */
  measure(actorsOf: (stats: { numChanges: number; numActors: number }) => number): boolean {
    this.apply();
    const { peak, content } = this;
    const saved = content.save();
    const core = content.load();
    const stats = core.stats();
    const numActors = actorsOf(stats);
    const bytes = core.saveNoCompress().length + (numActors - stats.numActors) * ACTOR_BYTES;
    peak.operations = Math.max(peak.operations, stats.numOps);
    peak.changes = Math.max(peak.changes, stats.numChanges);
    peak.actors = Math.max(peak.actors, numActors);
    peak.bytes = Math.max(peak.bytes, bytes);
    peak.heads = Math.max(peak.heads, content.heads.length);
    countKeys(content.value(), 0, peak.keys);
    if (!isEpochDue({ ...stats, numActors }, bytes, documentLimits[this.kind])) return false;
    content.free();
    this.epochs++;
    this.content = this.#load(rewrittenDocument(`${this.#id}${this.epochs}`, saved).saved);
    return true;
  }
}

/** In a document, with its length. */
const ACTOR_BYTES = 17;

function countKeys(value: unknown, depth: number, most: number[]): void {
  if (typeof value !== 'object' || value === null) return;
  const values = Object.values(value);
  most[depth] = Math.max(most[depth] ?? 0, values.length);
  for (const each of values) countKeys(each, depth + 1, most);
}

/** A device of the owner: the client's journal and its way of making changes, which the server acknowledges when it measures. */
class Phone {
  readonly document: Played;
  readonly #journal = new Journal({
    database: Promise.resolve(null),
    isClosed: false,
    noteRefusing() {},
    noteUnreadable() {},
  });
  #handle: DocHandle<object>;
  #intents = 0;
  #starts = 0;
  /** Starts in which it went on as the same actor: another one costs a copy of the document. */
  #counted = 0;

  constructor(document: Played) {
    this.document = document;
    this.#handle = this.#arrived();
  }

  #arrived = () => new Repo().import<object>(this.document.content.save());

  /** Starts the app, which writes as another actor. Most of them are only counted. */
  start(): void {
    this.#counted++;
  }

  #start(): void {
    const actor = random(32, `${this.document.kind} ${this.#starts++}`);
    this.#handle.update((doc) => A.clone(doc, { actor }));
  }

  /** Makes a named change. */
  change(name: string, input: unknown): void {
    const { kind } = this.document;
    const change = changeOf(kind, name);
    const parsed = change.input.parse(input);
    const id = String(this.#intents++);
    const before = A.getHeads(this.#handle.doc());
    this.#journal.write(id, { kind, name, input: parsed });
    carryOut(this.#journal, id, {
      handle: this.#handle,
      kind,
      change: (doc) => change.apply(doc, parsed),
    });
    const doc = this.#handle.doc();
    for (const chunk of A.getChangesSince(doc, before)) this.document.take(chunk);
  }

  measure(): void {
    this.document.apply();
    const { documentId } = this.#handle;
    settleIntents(this.#journal, documentId, this.#handle.doc(), this.document.content.heads);
    if (this.#journal.all().length > 0) throw new Error('An intent stays in the journal');
    if (this.document.measure(({ numActors }) => numActors + this.#counted)) {
      this.#handle = this.#arrived();
      this.#counted = 0;
    }
    this.#start();
  }
}

/** The server, which makes each change as an actor of its own; they are counted instead. */
class Api {
  readonly document: Played;
  #doc: A.Doc<object>;

  constructor(document: Played) {
    this.document = document;
    this.#doc = A.load(document.content.save());
  }

  change(name: string, input: unknown): void {
    const change = changeOf(this.document.kind, name);
    const parsed = change.input.parse(input);
    const before = this.#doc;
    this.#doc = A.change(before, { time: 0 }, (doc) => change.apply(doc, parsed));
    const chunk = this.#doc === before ? undefined : A.getLastLocalChange(this.#doc);
    if (chunk) this.document.take(chunk);
  }

  measure(): void {
    if (this.document.measure(({ numChanges }) => numChanges))
      this.#doc = A.load(this.document.content.save());
  }
}

interface Change {
  input: { parse(input: unknown): unknown };
  apply(doc: unknown, input: unknown): void;
}

function changeOf(kind: DocumentKind, name: string): Change {
  const change = (documentKinds[kind].changes as unknown as Record<string, Change | undefined>)[
    name
  ];
  if (!change) throw new Error(`no change ${name} of ${kind}`);
  return change;
}

const first = (kind: DocumentKind, place?: SegmentPlace, subject?: FriendCardSubject) =>
  new Played(
    kind,
    initialDocument(kind, { kind, ownerUserId: 'owner', createdAt: at(0), place, subject }).saved,
  );

function playAccount(): Played {
  const phone = new Phone(first('account'));
  for (let day = 0; day < DAYS; day++) {
    const isDue = (every: number) => day % every === 0;
    for (let walk = 0; walk < WALKS; walk++) {
      phone.start();
      for (const is_location_sharing_enabled of [true, false])
        phone.change('sharing.save', { is_location_sharing_enabled });
    }
    if (isDue(EVERY.setting)) {
      phone.change('settings.save', {
        alert_radius_feet: 100 + (day % 400),
        volume: (day % 10) / 10,
      });
      phone.change('push.save', { push_quiet: day % 8 === 0, push_quiet_from: day % 1_000 });
    }
    if (isDue(EVERY.quietPlace)) {
      const place = { name: `Place ${day}`, latitude: 40, longitude: -70, radius_feet: 300 };
      phone.change('quiet-place.add', { id: `p${day}`, ...place });
      phone.change('quiet-place.edit', { id: `p${day}`, name: `Home ${day}` });
      phone.change('quiet-place.remove', { id: `p${day - 10 * EVERY.quietPlace}` });
    }
    if (isDue(EVERY.sound)) {
      const sound = { id: `s${day}`, name: `Bark ${day}`, sound_type: 'leash_on' };
      phone.change('sound.set', { ...sound, image_filename: 'bark.webm' });
      phone.change('sound.recording', { id: sound.id, image_key: random(32, day) });
    }
    if (isDue(365)) phone.change('guidelines.accept', { at: at(day) });
    if (isDue(MEASURED_EVERY)) phone.measure();
  }
  return phone.document;
}

/** The card, and the copy of it that a friend reads. */
function playCard(): Played[] {
  const phone = new Phone(first('card'));
  const card = () => readCard(phone.document.content.value());
  const copy = new Api(first('friend_card', undefined, { user_id: 'owner', card: card() }));
  const dogs: string[] = [];
  for (let day = 0; day < DAYS; day++) {
    const isDue = (every: number) => day % every === 0;
    if (isDue(EVERY.dog)) {
      dogs.push(`dog${day}`);
      phone.change('dog.add', {
        id: dogs.at(-1),
        name: 'Rex',
        sound_type: 'leash_on',
        created_at: at(day),
      });
      if (dogs.length > 4) phone.change('dog.remove', { id: dogs.shift() });
    }
    if (isDue(EVERY.card)) {
      phone.start();
      const id = dogs[day % dogs.length];
      phone.change('dog.edit', {
        id,
        name: `Rex ${day}`,
        breed: `Breed ${day}`,
        birth_year: 2_020,
      });
      phone.change('dog.image', { id, image_key: random(32, day) });
      if (isDue(4 * EVERY.card)) {
        phone.change('profile.about', { about: random(100, day) });
        phone.change('profile.image', { image_key: random(32, -day) });
        phone.change('profile.save', { display_name: `Kim ${day}` });
      }
      copy.change('card.publish', card());
    }
    if (isDue(MEASURED_EVERY)) {
      phone.measure();
      copy.measure();
    }
  }
  return [phone.document, copy.document];
}

function playContacts(): Played {
  const api = new Api(first('contacts'));
  let version = 0;
  const friends: { id: string; since: number; segments: number; revision: number }[] = [];
  const set = (user_id: string, relationship: string, name: string, day: number) =>
    api.change('person.set', {
      user_id,
      version: ++version,
      relationship,
      name,
      at: at(day),
      request_id: null,
      message: relationship === 'received' ? random(120, day) : null,
      card: relationship === 'friends' ? url(user_id) : null,
    });
  const url = (name: string) => `automerge:${random(27, name)}`;
  const setThread = (friend: (typeof friends)[number]) =>
    api.change('thread.set', {
      friend_user_id: friend.id,
      version: ++version,
      thread_id: random(24, friend.id),
      segments: Object.fromEntries(
        Array.from({ length: friend.segments }, (_, i) => [
          i + 1,
          // An unsent message is in the newest one, which another document replaces.
          {
            mine: url(`${friend.id} ${i} ${i === friend.segments - 1 ? friend.revision : 0}`),
            theirs: url(`${friend.id} ${i}`),
          },
        ]),
      ),
    });
  let messages = 0;
  for (let day = 0; day < DAYS; day++) {
    const isDue = (every: number) => day % every === 0;
    if (isDue(EVERY.friend)) {
      const friend = { id: random(24, `friend ${day}`), since: day, segments: 1, revision: 0 };
      friends.push(friend);
      set(friend.id, 'received', 'Friend', day);
      set(friend.id, 'friends', 'Friend', day);
      setThread(friend);
    }
    if (isDue(EVERY.unfriending) && friends.length > 10) {
      const [lost] = friends.splice(day % friends.length, 1);
      set(lost!.id, 'none', 'Friend', day);
      api.change('thread.set', {
        friend_user_id: lost!.id,
        version: ++version,
        thread_id: null,
        segments: {},
      });
    }
    for (const friend of friends)
      if (day > friend.since && (day - friend.since) % NAME_EVERY === 0)
        set(friend.id, 'friends', `Friend ${day}`, day);
    // Most with the same few.
    const busiest = friends[day % Math.min(5, friends.length)]!;
    messages += MESSAGES;
    if (messages >= SEGMENT_FULL) {
      messages -= SEGMENT_FULL;
      busiest.segments++;
      setThread(busiest);
    }
    for (const who of ['owner', 'friend'])
      if (isDue(EVERY.unsending)) {
        const message_id = `${random(27, busiest.id)}.${random(20, `${who} ${day}`)}`;
        api.change('message.hide', { message_id, is_hidden: true });
        busiest.revision++;
        setThread(busiest);
        api.change('message.hide', { message_id, is_hidden: false });
      }
    if (isDue(EVERY.review)) {
      const message_id = `${random(27, busiest.id)}.${random(20, day)}`;
      for (const is_hidden of [true, false]) api.change('message.hide', { message_id, is_hidden });
    }
    if (isDue(EVERY.waiting)) {
      const whose = { friend_user_id: busiest.id, thread_id: random(24, busiest.id) };
      api.change('thread.waiting', { ...whose, numbers: [busiest.segments] });
      api.change('thread.waiting', { ...whose, numbers: [] });
    }
    if (isDue(EVERY.invitation)) {
      const invitation = {
        id: `i${day}`,
        code: random(INVITATION_CODE_LENGTH, day),
        created_at: at(day),
      };
      for (const is_used of [false, true])
        api.change('invitation.set', {
          ...invitation,
          expires_at: at(day + 7),
          is_used,
          is_emailed: true,
        });
    }
    if (isDue(MEASURED_EVERY)) api.measure();
  }
  return api.document;
}

/** The segment with the most: each message from another start of the app, and answered, marked and reacted to. */
function playSegment(): Played {
  const place = { thread_id: 'thread', number: 1, friend_user_id: 'friend', after: 0 };
  const phone = new Phone(first('segment', place));
  // Some more than the API waits for: a device that was offline.
  for (let i = 0; i < SEGMENT_FULL + 50; i++) {
    phone.start();
    const [device, theirs] = [`d${i}`, `f${i}`];
    const photo = { width: 1_600, height: 1_200, image_key: null };
    phone.change('message.add', {
      key: random(20, i),
      seq: 2 * i + 1,
      device,
      at: at(i),
      text: random(120, i),
      ...(i % 4 === 0 && { reply_to: { number: 1, is_own: false, key: random(20, -i) } }),
      ...(i % 5 === 0 && { photo }),
    });
    if (i % 5 === 0)
      phone.change('message.photo', { key: random(20, i), image_key: random(32, i) });
    phone.change('marks.set', { received: { [theirs]: 2 * i + 2 } });
    phone.change('marks.set', { read: { [theirs]: 2 * i + 2 } });
    if (i % 3 === 0) phone.change('reaction.set', { key: random(20, -i), reaction: 'love' });
    if (i % 50 === 0) phone.measure();
  }
  phone.measure();
  return phone.document;
}

test('ten years of an active owner stay under half of every limit of every document', async ({
  annotate,
}) => {
  const played = [playAccount(), ...playCard(), playContacts(), playSegment()];
  for (const { kind, epochs, peak } of played) {
    const limits = documentLimits[kind];
    const shares = {
      operations: peak.operations / limits.operations,
      changes: peak.changes / limits.changes,
      actors: peak.actors / limits.actors,
      bytes: peak.bytes / limits.bytes,
      heads: peak.heads / limits.heads,
      'operations per change': peak.operationsPerChange / limits.operationsPerChange,
      keys: Math.max(...peak.keys.map((count, depth) => count / (limits.keys[depth] ?? 0))),
    };
    const figures = Object.entries(shares).map(
      ([name, share]) => `${name} ${(100 * share).toFixed(1)}%`,
    );
    await annotate(`${kind}, epoch ${epochs}: ${figures.join(', ')}`);
    for (const [name, share] of Object.entries(shares))
      expect(share, `${kind} ${name}`).toBeLessThan(0.5);
  }
  const epochs = Object.fromEntries(played.map(({ kind, epochs: count }) => [kind, count]));
  // Without epochs, the account would be full.
  expect(epochs['account']).toBeGreaterThan(4);
}, 900_000);
