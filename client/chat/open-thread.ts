import { PART_MAX } from '#shared/chat/document.ts';
import { inOrder, nextSeq } from '#shared/chat/rules.ts';
import type { Thread } from '#shared/chat/threads.ts';
import { OpenPair, type PartHost, type PlacedMessage } from './part-pair.ts';
import { Presence } from './presence.ts';

/** A thread as a screen shows it. */
export interface ThreadView {
  /** What is open of it, first to last. */
  messages: readonly PlacedMessage[];
  /** Ids of the friend's that the owner has not read. */
  unread: readonly string[];
  /** Whether there are older ones that are not open. */
  hasEarlier: boolean;
  /** Whether all that is to be open is here. */
  isReady: boolean;
  /** Whether the owner may write nothing for now. */
  isFrozen: boolean;
  friendIsOnline: boolean;
  friendIsTyping: boolean;
}

/** What the api has laid down for all threads of somebody. */
export interface ThreadLimits {
  /** Whether the owner may write nothing for now. */
  isFrozen: boolean;
  /** Ids of messages that nobody is to see for now. */
  hidden: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
/** The newest pairs of parts are always open: the very newest may be empty, and the one before still gets messages. */
const ALWAYS_OPEN = 2;
/** What was received is written at once, and then this often. */
const MARK_EVERY_MS = 1_000;

/** One thread whose newest parts are open on this device. */
export class OpenThread {
  readonly friendUserId: string;
  readonly presence: Presence;
  private readonly host: PartHost;
  private readonly tell: () => void;
  private readonly device: string;
  private thread: Thread;
  private isFrozen = false;
  private hidden: ReadonlySet<string> = NONE;
  /** Newest first. */
  private pairs: OpenPair[] = [];
  private view: ThreadView | null = null;
  private markTimer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;

  /** @param device what this start of the app calls itself in messages */
  constructor(thread: Thread, limits: ThreadLimits, device: string, host: PartHost) {
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

  /** Takes over where the parts are now, and opens the newest. */
  follow(thread: Thread, { isFrozen, hidden }: ThreadLimits): void {
    this.thread = thread;
    this.isFrozen = isFrozen;
    this.hidden = hidden;
    const wanted = thread.parts.filter(
      ({ number }, i) => i < ALWAYS_OPEN || number >= (this.pairs.at(-1)?.number ?? Infinity),
    );
    const isSame = (pair: OpenPair, { mine, theirs }: (typeof wanted)[number]) =>
      pair.urls.mine === mine && pair.urls.theirs === theirs;
    // First those that are over: one that takes the place of another shares a document with it.
    const over = this.pairs.filter((pair) => !wanted.some((part) => isSame(pair, part)));
    const unsent = new Map(over.map((pair) => [pair.number, pair.unsentMessages()]));
    for (const pair of over) pair.close();
    this.pairs = wanted.map((part) => {
      const open = this.pairs.find((pair) => isSame(pair, part));
      if (open) return open;
      const pair = new OpenPair(part, this.host);
      pair
        .adopt(unsent.get(part.number) ?? [])
        .catch((error: unknown) => console.error('Messages could not be taken along', error));
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

  /** Opens the next older parts. Settles when they are here, or are known not to be for now. */
  async openEarlier(): Promise<void> {
    const oldest = this.pairs.at(-1)?.number ?? Infinity;
    const next = this.thread.parts.find(({ number }) => number < oldest);
    if (!next) return;
    const pair = new OpenPair(next, this.host);
    this.pairs = [...this.pairs, pair];
    this.onChange();
    await pair.whenSettled();
  }

  /** What there is to show; the same object until it changes. */
  getView(): ThreadView {
    return (this.view ??= {
      messages: this.pairs
        .flatMap((pair) => pair.messages())
        .filter(({ id }) => !this.hidden.has(id))
        .toSorted(inOrder),
      unread: this.pairs.flatMap((pair) => pair.unread()).filter((id) => !this.hidden.has(id)),
      hasEarlier: (this.thread.parts.at(-1)?.number ?? 0) < (this.pairs.at(-1)?.number ?? 0),
      isReady: this.pairs.every(({ isReady }) => isReady),
      isFrozen: this.isFrozen,
      friendIsOnline: this.presence.isOnline,
      friendIsTyping: this.presence.isTyping,
    });
  }

  /**
   * Writes a message, on this device and at once.
   * @throws ZodError when the text does not fit; an Error where nothing may be written, or the thread is not here
   */
  send(text: string): void {
    const [newest] = this.pairs;
    const own = newest?.ownPart();
    if (!newest || !own || this.isFrozen) throw new Error('The thread is not here');
    if (own.messages.length >= PART_MAX)
      throw new Error(
        'So much was written without a network that this device has to send it first',
      );
    const parts = this.pairs.flatMap((pair) => [pair.ownPart(), pair.theirPart()]);
    newest.add({
      key: crypto.randomUUID().slice(24),
      seq: nextSeq(parts.filter((part) => part !== null)),
      device: this.device,
      at: new Date().toISOString(),
      text,
    });
    this.presence.type(false);
  }

  /** Notes that the owner has seen all that is here. */
  markRead(): void {
    if (this.isFrozen) return;
    for (const pair of this.pairs) pair.mark(true);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.markTimer);
    this.presence.close();
    for (const pair of this.pairs) pair.close();
  }

  private readonly onChange = () => {
    if (this.isClosed) return;
    this.view = null;
    this.markTimer ??= setTimeout(this.markReceived, 0);
    this.tell();
  };

  private readonly markReceived = () => {
    if (!this.isFrozen) for (const pair of this.pairs) pair.mark(false);
    this.markTimer = setTimeout(() => {
      this.markTimer = undefined;
      if (!this.isFrozen) for (const pair of this.pairs) pair.mark(false);
    }, MARK_EVERY_MS);
  };
}
