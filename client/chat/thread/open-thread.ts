import { SEGMENT_MAX, SEGMENTS_OPEN } from '#shared/chat/document.ts';
import { inOrder, nextSeq } from '#shared/chat/rules.ts';
import { pairOf, type SegmentPair, type Thread } from '#shared/chat/threads.ts';
import { OpenSegmentPair, type SegmentHost } from './segment-pair.ts';
import { Presence } from './presence.ts';
import {
  NOT_HERE,
  TOO_MUCH_UNSENT,
  CannotSendError,
  type MessageRange,
  type PlacedMessage,
  type ThreadLimits,
  type ThreadView,
} from '../types.ts';

/** What was made of a thread in one of its versions. */
interface Made<T> {
  value: T;
  version: number;
}

const NONE: ReadonlySet<string> = new Set();
/** What was received is written at once, and then this often. */
const MARK_EVERY_MS = 1_000;
/** What has come is drawn first: and where it is seen at once, one mark says both. */
const MARK_AFTER_MS = 30;

/** One thread whose newest segments are open on this device, and of the older ones those that something is to be done with. */
export class OpenThread {
  readonly friendUserId: string;
  readonly presence: Presence;
  private readonly host: SegmentHost;
  private readonly tell: () => void;
  private readonly device: string;
  private thread: Thread;
  private isFrozen = false;
  private hidden: ReadonlySet<string> = NONE;
  private readonly held = new WeakMap<PlacedMessage, PlacedMessage>();
  /** Newest first, perhaps with gaps. */
  private pairs: OpenSegmentPair[] = [];
  /** All from this number on are open. */
  private openFrom = Infinity;
  /** One more with each change. */
  private version = 0;
  private view: Made<ThreadView> | undefined;
  private readonly stretches = new Map<number, Made<MessageRange>>();
  private order: Map<string, number> | null = null;
  private markTimer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;

  /** @param device what this start of the app calls itself in messages */
  constructor(thread: Thread, limits: ThreadLimits, device: string, host: SegmentHost) {
    this.friendUserId = thread.friend_user_id;
    this.thread = thread;
    this.device = device;
    this.tell = host.onChange;
    this.host = { ...host, onChange: this.onChange };
    this.presence = new Presence(this.onChange);
    this.follow(thread, limits);
  }

  get id(): string {
    return this.thread.thread_id;
  }

  /** URLs of all documents that are open. */
  get urls(): string[] {
    return this.pairs.flatMap(({ urls }) => [urls.mine, urls.theirs]);
  }

  /** URLs of own older segments in which something may be nowhere but here. */
  get unsentUrls(): string[] {
    const older = this.pairs.filter(({ number }) => !this.isNewest(number));
    return older.filter((pair) => pair.mayHaveUnsent).map(({ urls }) => urls.mine);
  }

  /** Takes over where the segments are now, and opens the newest, and those in which something waits. */
  follow(thread: Thread, { isFrozen, hidden, unsent }: ThreadLimits): void {
    this.thread = thread;
    this.isFrozen = isFrozen;
    this.hidden = hidden;
    const wasOpen = new Set(this.pairs.map(({ number }) => number));
    const adopting = this.host.adoptions.numbers();
    const first = thread.segments[SEGMENTS_OPEN - 1] ?? thread.segments.at(-1);
    this.openFrom = Math.min(this.openFrom, first?.number ?? 1);
    const wanted = thread.segments.filter(
      ({ number, mine }) =>
        number >= this.openFrom ||
        wasOpen.has(number) ||
        thread.waiting.includes(number) ||
        unsent.has(mine) ||
        adopting.has(number),
    );
    const isSame = (pair: OpenSegmentPair, { mine, theirs }: SegmentPair) =>
      pair.urls.mine === mine && pair.urls.theirs === theirs;
    // First those that are over: one that takes the place of another shares a document with it.
    const over = this.pairs.filter((pair) => !wanted.some((segment) => isSame(pair, segment)));
    const left = new Map(over.map((pair) => [pair.number, pair.unsentMessages()]));
    for (const pair of over) pair.close();
    this.pairs = wanted.map((segment) => {
      const open = this.pairs.find((pair) => isSame(pair, segment));
      if (open) return open;
      const pair = new OpenSegmentPair(segment, this.host);
      pair
        .adopt(left.get(segment.number) ?? [])
        .catch((error: unknown) => console.error('Failed to carry messages over', error));
      return pair;
    });
    for (const pair of this.pairs) pair.setFrozen(isFrozen);
    const [newest] = this.pairs;
    if (newest) this.presence.use(newest.mine, newest.theirs);
    this.onChange();
  }

  async whenSettled(): Promise<void> {
    await Promise.all(this.pairs.map((pair) => pair.whenSettled()));
  }

  /** The number of the segments that a message is in; null where there are none of the kind. */
  numberOf(messageId: string): number | null {
    return pairOf(this.thread, messageId)?.number ?? null;
  }

  /** Whether a message that is here stands before another one that is. */
  isBefore(id: string, other: string): boolean {
    this.order ??= new Map(
      this.everything()
        .toSorted(inOrder)
        .map((message, i) => [message.id, i]),
    );
    return (this.order.get(id) ?? Infinity) < (this.order.get(other) ?? -1);
  }

  /** Opens the segments of a number. Settles when they are here, or are known not to be for now: says which. */
  async openNumber(number: number): Promise<boolean> {
    const segment = this.thread.segments.find((each) => each.number === number);
    if (!segment || this.isClosed) return false;
    let pair = this.pairs.find((each) => each.number === number);
    if (!pair) {
      pair = new OpenSegmentPair(segment, this.host);
      pair.setFrozen(this.isFrozen);
      this.pairs = [...this.pairs, pair].toSorted((a, b) => b.number - a.number);
      this.onChange();
    }
    await pair.whenSettled();
    return pair.isReady;
  }

  /** As `openNumber`, the next older, or newer, segments of the stretch around a number; of null, older ones of the newest stretch. */
  async openNext(number: number | null, way: 'earlier' | 'later'): Promise<boolean> {
    const { from, to } = this.rangeOf(number ?? this.openFrom);
    const next =
      way === 'earlier'
        ? this.thread.segments.find((segment) => segment.number < from)
        : this.thread.segments.findLast((segment) => segment.number > to);
    return next !== undefined && this.openNumber(next.number);
  }

  /** All that is open, in no order. */
  everything(): PlacedMessage[] {
    return this.shown(this.pairs);
  }

  /** What is open around a number, as far as there is no gap; the same object, with the same list, until it changes. */
  getStretch(number: number): MessageRange {
    const { version } = this;
    const before = this.stretches.get(number);
    if (before?.version === version) return before.value;
    const value = reuseUnchanged(before?.value, this.stretchOf(number));
    this.stretches.set(number, { value, version });
    return value;
  }

  /** What there is to show; the same object, with the same lists, until it changes. */
  getView(): ThreadView {
    const { version, view: before } = this;
    if (before?.version === version) return before.value;
    const newest = this.pairs.filter(({ number }) => number >= this.openFrom);
    const value = reuseUnchanged(before?.value, {
      ...this.getStretch(this.openFrom),
      unread: this.unread(),
      isReady: newest.every(({ isReady }) => isReady),
      isLookedUp: newest.every(({ isLookedUp }) => isLookedUp),
      isFrozen: this.isFrozen,
      friendIsOnline: this.presence.isOnline,
      friendIsTyping: this.presence.isTyping,
    });
    this.view = { value, version };
    return value;
  }

  /**
   * Writes a message, on this device and at once.
   * @throws ZodError when the text does not fit; Unwritable where nothing may be written, or the thread is not here
   */
  send(text: string): void {
    // Of the next segment only the contacts document may have come: until it is here itself, one goes on in the one before.
    const newest = this.pairs.find((pair) => this.isNewest(pair.number) && pair.ownSegment());
    const own = newest?.ownSegment();
    if (!newest || !own || this.isFrozen) throw new CannotSendError(NOT_HERE);
    if (own.messages.length >= SEGMENT_MAX) throw new CannotSendError(TOO_MUCH_UNSENT);
    const segments = this.pairs.flatMap((pair) => [pair.ownSegment(), pair.theirSegment()]);
    newest.add({
      key: crypto.randomUUID().slice(24),
      seq: nextSeq(segments.filter((segment) => segment !== null)),
      device: this.device,
      at: new Date().toISOString(),
      text,
    });
    this.presence.type(false);
  }

  /** Notes that the owner has seen these. */
  markRead(messages: readonly { id: string }[]): void {
    const seen = new Set(messages.map(({ id }) => id));
    for (const pair of this.pairs) pair.see(seen);
    this.mark();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.markTimer);
    this.presence.close();
    for (const pair of this.pairs) pair.close();
  }

  private mark(): void {
    if (!this.isFrozen) for (const pair of this.pairs) pair.mark(this.hidden);
  }

  private unread(): string[] {
    const ids = new Set(this.pairs.flatMap((pair) => pair.unread()));
    if (ids.size === 0) return [];
    const messages = this.everything().filter(({ id }) => ids.has(id));
    return messages.toSorted(inOrder).map(({ id }) => id);
  }

  /** One's own that waits for a moderator; the same object until it changes. */
  private heldOf(message: PlacedMessage): PlacedMessage {
    const held = this.held.get(message) ?? { ...message, delivery: 'held' };
    this.held.set(message, held);
    return held;
  }

  private isNewest(number: number): boolean {
    return this.thread.segments.findIndex((segment) => segment.number === number) < SEGMENTS_OPEN;
  }

  /** The numbers that are open around one, as far as there is no gap. */
  private rangeOf(number: number): { from: number; to: number } {
    // The newest are on their way, or empty; another one that could not be had is a gap.
    const here = new Set(
      this.pairs.flatMap((pair) =>
        pair.isReady || pair.number >= this.openFrom ? [pair.number] : [],
      ),
    );
    return numbersAround(this.thread.segments, number, here);
  }

  private stretchOf(number: number): MessageRange {
    const { from, to } = this.rangeOf(number);
    const { segments } = this.thread;
    return {
      messages: this.shown(
        this.pairs.filter((pair) => pair.number >= from && pair.number <= to),
      ).toSorted(inOrder),
      hasEarlier: (segments.at(-1)?.number ?? 0) < from,
      hasLater: (segments[0]?.number ?? 0) > to,
    };
  }

  private shown(pairs: readonly OpenSegmentPair[]): PlacedMessage[] {
    return pairs
      .flatMap((pair) => pair.messages())
      .filter(({ id, isOwn }) => isOwn || !this.hidden.has(id))
      .map((message) => (this.hidden.has(message.id) ? this.heldOf(message) : message));
  }

  private readonly onChange = () => {
    if (this.isClosed) return;
    this.version++;
    this.order = null;
    this.markTimer ??= setTimeout(this.markReceived, MARK_AFTER_MS);
    this.tell();
  };

  private readonly markReceived = () => {
    this.mark();
    this.markTimer = setTimeout(() => {
      this.markTimer = undefined;
      this.mark();
    }, MARK_EVERY_MS);
  };
}

/**
 * The numbers of a thread that follow one another around one, as far as all of them are here.
 * @param segments newest first
 */
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
 * What is now, but with the lists of before that have the same in them; and what was before itself where all of it is the
 * same. So nobody draws anew what did not change.
 */
export function reuseUnchanged<T extends object>(before: T | undefined, now: T): T {
  if (!before) return now;
  const merged = { ...now };
  const fields = Object.keys(now) as (keyof T)[];
  for (const field of fields)
    if (isSameList(before[field], now[field])) merged[field] = before[field];
  return fields.every((field) => merged[field] === before[field]) ? before : merged;
}
