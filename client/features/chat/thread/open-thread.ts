import { messageId, splitMessageId, type SegmentMessage } from '#shared/chat/document.ts';
import { SEGMENT_MAX, SEGMENTS_OPEN, inOrder, type Reaction } from '#shared/chat/rules.ts';
import { pairOf, type SegmentPair, type Thread } from '#shared/chat/threads.ts';
import { newId } from '#shared/ids.ts';
import {
  NOT_HERE,
  TOO_MUCH_UNSENT,
  CannotSendError,
  type MessageRange,
  type MessageReference,
  type NewExtras,
  type PlacedMessage,
  type Quote,
  type ShownMessage,
  type ThreadLimits,
  type ThreadView,
} from '../types.ts';
import type { Numbering } from './numbering.ts';
import { OpenSegmentPair, type SegmentHost } from './open-segment-pair.ts';
import { Presence } from './presence.ts';
import { NOTHING, type UnsentContent } from './segment-intents.ts';

/** A value computed for a version of a thread. */
interface Made<T> {
  value: T;
  version: number;
}

const NONE: ReadonlySet<string> = new Set();
/** Receipts are written at once, and then this often. */
const MARK_EVERY_MS = 1_000;
/** New messages are rendered first. When they are read at once, one change marks both. */
const MARK_AFTER_MS = 30;

/** A thread whose newest segments are open on this device, with the older ones that are shown or have unsent messages. */
export class OpenThread {
  readonly friendUserId: string;
  readonly presence: Presence;
  readonly #host: SegmentHost;
  readonly #onThreadChange: () => void;
  readonly #numbering: Numbering;
  #thread: Thread;
  #isFrozen = false;
  #hidden: ReadonlySet<string> = NONE;
  #withdrawn: ReadonlySet<string> = NONE;
  #edits: ReadonlyMap<string, string> = new Map();
  readonly #messagesEdited = new WeakMap<PlacedMessage, PlacedMessage>();
  readonly #messagesInReview = new WeakMap<PlacedMessage, PlacedMessage>();
  /** Newest first, perhaps with gaps. */
  #pairs: OpenSegmentPair[] = [];
  /** The first number of the newest contiguous range. */
  #openFrom = Infinity;
  /** Counts changes. */
  #version = 0;
  #view: Made<ThreadView> | undefined;
  readonly #ranges = new Map<number, Made<MessageRange>>();
  #order: Map<string, number> | null = null;
  #byId: Map<string, PlacedMessage> | null = null;
  #markTimer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(thread: Thread, limits: ThreadLimits, numbering: Numbering, host: SegmentHost) {
    this.friendUserId = thread.friend_user_id;
    this.#thread = thread;
    this.#numbering = numbering;
    this.#onThreadChange = host.onChange;
    this.#host = { ...host, onChange: this.#onChange };
    this.presence = new Presence(this.#onChange);
    // Tells nobody, who would look for the thread that is being made. Its segments do once they are here, or not on this device.
    this.#take(thread, limits);
  }

  get id(): string {
    return this.#thread.thread_id;
  }

  /** URLs of all documents that are open. */
  get urls(): string[] {
    return this.#pairs.flatMap(({ urls }) => [urls.mine, urls.theirs]);
  }

  /** Follows a new version of the thread: opens the newest segments, and those with pending messages. */
  follow(thread: Thread, limits: ThreadLimits): void {
    this.#take(thread, limits);
    this.#onChange();
  }

  #take(thread: Thread, { isFrozen, hidden, withdrawn, edits }: ThreadLimits): void {
    this.#thread = thread;
    this.#isFrozen = isFrozen;
    const wasHidden = this.#hidden;
    this.#hidden = hidden;
    this.#withdrawn = withdrawn;
    this.#edits = edits;
    const wasOpen = new Set(this.#pairs.map(({ number }) => number));
    const written = this.#host.intents.numbers();
    const first = thread.segments[SEGMENTS_OPEN - 1] ?? thread.segments.at(-1);
    this.#openFrom = Math.min(this.#openFrom, first?.number ?? 1);
    const wanted = thread.segments.filter(
      ({ number }) =>
        number >= this.#openFrom ||
        wasOpen.has(number) ||
        thread.waiting.includes(number) ||
        written.has(number),
    );
    const isSame = (pair: OpenSegmentPair, { mine, theirs }: SegmentPair) =>
      pair.urls.mine === mine && pair.urls.theirs === theirs;
    // Close the others first: a replacement shares a document with the pair that it replaces.
    const over = this.#pairs.filter((pair) => !wanted.some((segment) => isSame(pair, segment)));
    const replaced = new Map(over.map((pair) => [pair.number, pair]));
    for (const pair of over) pair.close();
    // A removed message is hidden before its segment is replaced. One in review stays hidden by its new id.
    const isRemoved = (before: string, now: string) =>
      (wasHidden.has(before) || hidden.has(before)) && !hidden.has(now);
    this.#pairs = wanted.map((segment) => {
      const open = this.#pairs.find((pair) => isSame(pair, segment));
      if (open && written.has(segment.number)) void this.#adopt(open);
      if (open) return open;
      const pair = new OpenSegmentPair(segment, this.#host);
      const other = replaced.get(segment.number);
      if (other) pair.replace(other, isRemoved);
      void this.#adopt(pair, other?.unsentContent());
      return pair;
    });
    for (const pair of this.#pairs) pair.setFrozen(isFrozen);
    const [newest] = this.#pairs;
    if (newest) this.presence.use(newest.mine, newest.theirs);
  }

  /** Has a segment take over what the journal has for it, which may have been read late, and what it replaces. */
  async #adopt(pair: OpenSegmentPair, content = NOTHING): Promise<void> {
    const adopting = pair.adopt(content);
    await adopting.catch((error) => console.error('Failed to carry messages over', error));
  }

  async whenSettled(): Promise<void> {
    await Promise.all(this.#pairs.map((pair) => pair.whenSettled()));
  }

  /** Whether all open segments are here. */
  get isReady(): boolean {
    return this.#pairs.every((pair) => pair.isReady);
  }

  /** Returns the number of a message's segments; null where the thread has none for it. */
  numberOf(id: string): number | null {
    return pairOf(this.#thread, id)?.number ?? null;
  }

  /** Whether a loaded message comes before another one. */
  isBefore(id: string, other: string): boolean {
    this.#order ??= new Map(
      this.everything()
        .toSorted(inOrder)
        .map((message, i) => [message.id, i]),
    );
    return (this.#order.get(id) ?? Infinity) < (this.#order.get(other) ?? -1);
  }

  /** Opens the segments of a number. @returns whether they are here, once that is known */
  async openNumber(number: number): Promise<boolean> {
    const segment = this.#thread.segments.find((each) => each.number === number);
    if (!segment || this.#isClosed) return false;
    const pair = this.#pairAt(segment);
    await pair.whenSettled();
    return pair.isReady;
  }

  /**
   * Adds what a replaced segment had to the one that replaced it.
   * @param content what the server never had
   * @param all all own messages
   * @returns whether that one has it, once it is here, or there is none; not if it is replaced before
   */
  async carryOver(
    number: number,
    content: UnsentContent,
    all: readonly SegmentMessage[],
  ): Promise<boolean> {
    const segment = this.#thread.segments.find((each) => each.number === number);
    if (!segment) return true;
    return !this.#isClosed && this.#pairAt(segment).adopt(content, all);
  }

  #pairAt(segment: SegmentPair): OpenSegmentPair {
    const open = this.#pairs.find((each) => each.number === segment.number);
    if (open) return open;
    const pair = new OpenSegmentPair(segment, this.#host);
    pair.setFrozen(this.#isFrozen);
    this.#pairs = [...this.#pairs, pair].toSorted((a, b) => b.number - a.number);
    this.#onChange();
    return pair;
  }

  /** Opens the next earlier or later segments of the range around a number; null is the newest range. @returns as `openNumber` */
  async openNext(number: number | null, way: 'earlier' | 'later'): Promise<boolean> {
    const { from, to } = this.#numbersOpenAround(number ?? this.#openFrom);
    const next =
      way === 'earlier'
        ? this.#thread.segments.find((segment) => segment.number < from)
        : this.#thread.segments.findLast((segment) => segment.number > to);
    return next !== undefined && this.openNumber(next.number);
  }

  /** Returns the messages of all open segments, in no order. */
  everything(): PlacedMessage[] {
    return this.#shown(this.#pairs);
  }

  /** Returns the contiguous messages around a number: the same object, with the same list, until it changes. */
  getRange(number: number): MessageRange {
    const version = this.#version;
    const before = this.#ranges.get(number);
    if (before?.version === version) return before.value;
    const value = reuseUnchanged(before?.value, this.#readRange(number));
    this.#ranges.set(number, { value, version });
    return value;
  }

  /** Returns the state for screens: the same object, with the same lists, until it changes. */
  getView(): ThreadView {
    const version = this.#version;
    const before = this.#view;
    if (before?.version === version) return before.value;
    const newest = this.#pairs.filter(({ number }) => number >= this.#openFrom);
    const value = reuseUnchanged(before?.value, {
      ...this.getRange(this.#openFrom),
      unread: this.#unread(),
      isReady: newest.every(({ isShown }) => isShown),
      isLookedUp: newest.every(({ isLookedUp }) => isLookedUp),
      isFrozen: this.#isFrozen,
      friendIsOnline: this.presence.isOnline,
      friendIsTyping: this.presence.isTyping,
    });
    this.#view = { value, version };
    return value;
  }

  /**
   * Writes a message on this device.
   * @returns where it is
   * @throws ZodError when the text does not fit; CannotSendError when the user may not write, or the thread is not here
   */
  send(text: string, { replyTo, photo, voice, placeId }: NewExtras = {}): MessageReference {
    // Until the document of a new segment has arrived, messages go into the previous one.
    const newest = this.#pairs.find(
      (pair) => this.#isNewest(pair.number) && pair.shownSegments.own,
    );
    const own = newest?.shownSegments.own;
    if (!newest || !own || this.#isFrozen) throw new CannotSendError(NOT_HERE);
    if (own.messages.length >= SEGMENT_MAX) throw new CannotSendError(TOO_MUCH_UNSENT);
    const segments = this.#pairs.flatMap((pair) => Object.values(pair.shownSegments));
    const key = newId().slice(24);
    newest.add({
      key,
      seq: this.#numbering.next(
        this.id,
        segments.filter((segment) => segment !== null),
      ),
      device: this.#numbering.device,
      at: new Date().toISOString(),
      text,
      ...(replyTo && {
        reply_to: { number: replyTo.number, is_own: replyTo.isOwn, key: replyTo.key },
      }),
      ...(photo && { photo: { ...photo, image_key: null } }),
      ...(voice && { voice: { ...voice, sound_key: null } }),
      ...(placeId !== undefined && { place_id: placeId }),
    });
    this.presence.type(false);
    return { number: newest.number, isOwn: true, key };
  }

  /**
   * Sets the user's reaction to a message of the friend; null removes it.
   * @throws CannotSendError when the user may not write, or the message's segment is not here
   */
  react(id: string, reaction: Reaction | null): void {
    const pair = this.#pairs.find(({ number }) => number === this.numberOf(id));
    if (!pair?.ownSegment() || this.#isFrozen) throw new CannotSendError(NOT_HERE);
    const message = pair.messages().find((each) => each.id === id);
    pair.react(message?.firstKey ?? splitMessageId(id).key, reaction);
  }

  /** Returns a reference to a message of the thread, for an answer; null where the thread has none for it. */
  referenceTo({
    id,
    isOwn,
    firstKey,
  }: Pick<ShownMessage, 'id' | 'isOwn' | 'firstKey'>): MessageReference | null {
    const number = this.numberOf(id);
    return number === null ? null : { number, isOwn, key: firstKey ?? splitMessageId(id).key };
  }

  /** Finds a message by its reference. */
  find({ number, isOwn, key }: MessageReference): Quote {
    const segment = this.#thread.segments.find((each) => each.number === number);
    if (!segment) return { id: null, message: undefined };
    const id = messageId(isOwn ? segment.mine : segment.theirs, key);
    if (!this.#pairs.find((each) => each.number === number)?.isShown) return { id, message: null };
    this.#byId ??= new Map(
      this.everything().map((message) => {
        const { documentId, key: name } = splitMessageId(message.id);
        return [messageId(documentId, message.firstKey ?? name), message];
      }),
    );
    const message = this.#byId.get(id);
    return { id: message?.id ?? id, message };
  }

  /** Whether the thread has an own message, also while the user is unsending it, which they may take back. */
  hasOwn({ number, key }: MessageReference): boolean {
    return this.#pairs.some((pair) => pair.number === number && pair.hasOwn(key));
  }

  /** Whether the server has an own message, by its id. */
  isSent(number: number, id: string): boolean {
    return this.#pairs.some((pair) => pair.number === number && pair.isSent(id));
  }

  /** Marks messages as read. */
  markRead(messages: readonly { id: string }[]): void {
    const seen = new Set(messages.map(({ id }) => id));
    for (const pair of this.#pairs) pair.see(seen);
    this.#mark();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#markTimer);
    this.presence.close();
    for (const pair of this.#pairs) pair.close();
  }

  #mark(): void {
    if (!this.#isFrozen) for (const pair of this.#pairs) pair.mark(this.#hidden);
  }

  #unread(): string[] {
    const ids = new Set(this.#pairs.flatMap((pair) => pair.unread()));
    if (ids.size === 0) return [];
    const messages = this.everything().filter(({ id }) => ids.has(id));
    return messages.toSorted(inOrder).map(({ id }) => id);
  }

  /** Returns an own message that waits for review: the same object until it changes. */
  #inReview(message: PlacedMessage): PlacedMessage {
    const shown = this.#messagesInReview.get(message) ?? { ...message, delivery: 'held' };
    this.#messagesInReview.set(message, shown);
    return shown;
  }

  #isNewest(number: number): boolean {
    return this.#thread.segments.findIndex((segment) => segment.number === number) < SEGMENTS_OPEN;
  }

  /** Returns the contiguous open numbers around one. */
  #numbersOpenAround(number: number): { from: number; to: number } {
    // The newest are loading or empty; any other unavailable one is a gap.
    const here = new Set(
      this.#pairs.flatMap((pair) =>
        pair.isShown || pair.number >= this.#openFrom ? [pair.number] : [],
      ),
    );
    return numbersAround(this.#thread.segments, number, here);
  }

  #readRange(number: number): MessageRange {
    const { from, to } = this.#numbersOpenAround(number);
    const { segments } = this.#thread;
    return {
      messages: this.#shown(
        this.#pairs.filter((pair) => pair.number >= from && pair.number <= to),
      ).toSorted(inOrder),
      hasEarlier: (segments.at(-1)?.number ?? 0) < from,
      hasLater: (segments[0]?.number ?? 0) > to,
    };
  }

  #shown(pairs: readonly OpenSegmentPair[]): PlacedMessage[] {
    return pairs
      .flatMap((pair) => pair.messages())
      .filter(({ id, isOwn }) =>
        isOwn ? !this.#withdrawn.has(splitMessageId(id).key) : !this.#hidden.has(id),
      )
      .map((message) => (this.#hidden.has(message.id) ? this.#inReview(message) : message))
      .map((message) => this.#edited(message));
  }

  /** Returns a message with the text that the server doesn't have yet: the same object until it changes. */
  #edited(message: PlacedMessage): PlacedMessage {
    const text = message.isOwn ? this.#edits.get(splitMessageId(message.id).key) : undefined;
    if (text === undefined) return message;
    const known = this.#messagesEdited.get(message);
    if (known?.text === text) return known;
    const shown: PlacedMessage = { ...message, text, isEdited: true, delivery: 'device' };
    this.#messagesEdited.set(message, shown);
    return shown;
  }

  readonly #onChange = () => {
    if (this.#isClosed) return;
    this.#version++;
    this.#order = null;
    this.#byId = null;
    this.#markTimer ??= setTimeout(this.#markReceived, MARK_AFTER_MS);
    this.#onThreadChange();
  };

  readonly #markReceived = () => {
    this.#mark();
    this.#markTimer = setTimeout(() => {
      this.#markTimer = undefined;
      this.#mark();
    }, MARK_EVERY_MS);
  };
}

/** Finds the contiguous numbers around a segment, as far as their segments are here. @param segments newest first */
function numbersAround(
  segments: readonly Pick<SegmentPair, 'number'>[],
  number: number,
  here: ReadonlySet<number>,
): { from: number; to: number } {
  const end = (towards: 1 | -1): number => {
    let at = segments.findIndex((segment) => segment.number === number);
    while (here.has(segments[at + towards]?.number ?? 0)) at += towards;
    return segments[at]?.number ?? number;
  };
  return { from: end(1), to: end(-1) };
}

const isSameList = (one: unknown, other: unknown) =>
  Array.isArray(one) &&
  Array.isArray(other) &&
  one.length === other.length &&
  one.every((each, i) => each === other[i]);

/**
 * Returns a new state that reuses unchanged lists of the previous one, or the previous state where nothing changed, so that
 * React renders only what changed.
 */
export function reuseUnchanged<T extends object>(before: T | undefined, now: T): T {
  if (!before) return now;
  const merged = { ...now };
  const fields = Object.keys(now) as (keyof T)[];
  for (const field of fields)
    if (isSameList(before[field], now[field])) merged[field] = before[field];
  return fields.every((field) => merged[field] === before[field]) ? before : merged;
}
