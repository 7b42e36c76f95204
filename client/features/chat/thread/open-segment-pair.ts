import {
  decodeHeads,
  type AutomergeUrl,
  type DocHandle,
  type Repo,
  type UrlHeads,
} from '@automerge/automerge-repo/slim';
import { hasHeads, type Doc, type Heads } from '@automerge/automerge/slim';
import {
  messageId,
  splitMessageId,
  readSegment,
  withoutReplaced,
  type Segment,
  type SegmentDocument,
  type SegmentMessage,
} from '#shared/chat/document.ts';
import {
  beyond,
  covers,
  furthest,
  reachOf,
  readUpTo,
  type Marks,
  type Reaction,
  type Vector,
} from '#shared/chat/rules.ts';
import type { SegmentPair } from '#shared/chat/threads.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { NoRoomError } from '../../../platform/sync/bounds/no-room-error.ts';
import { requireRoom } from '../../../platform/sync/bounds/require-room.ts';
import type { Confirmations } from '../../../platform/sync/documents/unsynced-changes.ts';
import { NO_TIME, whenHere } from '../../../platform/sync/state/document-state.ts';
import type { DocumentRemovals } from '../../../platform/sync/storage/document-removals.ts';
import type { CrossTabSync } from '../../../platform/sync/tabs/cross-tab-sync.ts';
import type { Delivery, MessageReference, PlacedMessage } from '../types.ts';
import { isEmpty, NOTHING, type SegmentIntents, type UnsentContent } from './segment-intents.ts';
import { Unsent } from './unsent.ts';

const { 'message.add': messageAdd, 'marks.set': marksSet } = documentKinds.segment.changes;

/** The services that a thread's documents use. */
export interface SegmentHost {
  repo: Repo;
  removals: DocumentRemovals;
  confirmations: Confirmations;
  tabs: CrossTabSync;
  intents: SegmentIntents;
  /** Reads a document from storage; null where it is not stored. `confirmed`: the heads that the server has of it. */
  readStored(documentId: string): Promise<{ doc: Doc<unknown>; confirmed: Heads } | null>;
  onChange(): void;
}

type SegmentHandle = DocHandle<SegmentDocument>;

/** Both friends' segments of one number, open on this device. */
export class OpenSegmentPair {
  readonly number: number;
  readonly urls: { mine: string; theirs: string };
  readonly mine: SegmentHandle;
  readonly theirs: SegmentHandle;
  readonly #host: SegmentHost;
  readonly #unsent = new Unsent();
  /** How far this device has read: when two devices write at once, the lower mark may win until the next change. */
  #readTo: Vector = {};
  /** Ids of messages seen since the start. `readTo` covers only those without an unseen one before them. */
  readonly #seen = new Set<string>();
  /** Messages to write into the own segment once it is here. */
  #adopting: UnsentContent = NOTHING;
  /**
   * Own messages of the replaced documents, by key. After a restored backup, the server may have written the segment again without
   * some that it had confirmed.
   */
  readonly #before = new Map<string, SegmentMessage>();
  #isClosed = false;
  /** What the server has of the own segment, by its last word; also while its changes don't count. */
  #serverHeads: Heads | null = null;
  #lookIfWhole = () => {};
  #endWaiting = () => {};
  readonly #whenClosed = new Promise<void>((resolve) => (this.#endWaiting = resolve));
  #segments = new Map<SegmentHandle, { doc: Doc<SegmentDocument>; segment: Segment }>();
  /** What the replaced documents had, in memory only, until their replacements are here. */
  readonly #former = new Map<SegmentHandle, Segment>();
  readonly #placed = new Map<string, PlacedMessage>();

  constructor({ number, mine, theirs }: SegmentPair, host: SegmentHost) {
    this.number = number;
    this.urls = { mine, theirs };
    this.#host = host;
    this.mine = this.#open(mine);
    this.mine.on('remote-heads', this.#noteServerHeads);
    this.mine.on('heads-changed', this.#noteOwnHeads);
    this.theirs = this.#open(theirs);
  }

  /** Settles when both are here, or unavailable for now. */
  async whenSettled(): Promise<void> {
    await Promise.allSettled(
      [this.mine, this.theirs].map((handle) => handle.whenReady(['ready', 'unavailable'])),
    );
  }

  get isReady(): boolean {
    return this.mine.isReady() && this.theirs.isReady();
  }

  /** Whether the messages of both are shown: they are here, or what they replace was. */
  get isShown(): boolean {
    return [this.mine, this.theirs].every((handle) => handle.isReady() || this.#former.has(handle));
  }

  /** Whether storage was read for both: they are loaded, or not on this device. */
  get isLookedUp(): boolean {
    return [this.mine, this.theirs].every(
      (handle) => this.#former.has(handle) || !handle.inState(['idle', 'loading']),
    );
  }

  /** Both segments, or until they are here what they replace. */
  get shownSegments(): { own: Segment | null; theirs: Segment | null } {
    return { own: this.#shownOf(this.mine), theirs: this.#shownOf(this.theirs) };
  }

  /**
   * Shows what another pair showed until the documents that replace its documents are here.
   * @param isRemoved whether a message was removed, by its ids in the replaced and the new document
   */
  replace(other: OpenSegmentPair, isRemoved: (before: string, now: string) => boolean): void {
    this.#unsent.addSent(other.#unsent);
    for (const [key, message] of other.#before) this.#before.set(key, message);
    for (const side of ['mine', 'theirs'] as const) {
      const segment = other.#shownOf(other[side]);
      if (!segment) continue;
      const messages = segment.messages.filter(
        ({ key }) => !isRemoved(messageId(other.urls[side], key), messageId(this.urls[side], key)),
      );
      if (side === 'mine' && this.urls.mine !== other.urls.mine)
        for (const message of messages) this.#before.set(message.key, message);
      if (!this.#read(this[side])) this.#former.set(this[side], { ...segment, messages });
    }
  }

  /** The own segment and the friend's; null while it is not here. */
  ownSegment = (): Segment | null => this.#read(this.mine);
  theirSegment = (): Segment | null => this.#read(this.theirs);

  /** Returns all messages of both, in no order; each is the same object until it changes. */
  messages(): PlacedMessage[] {
    const { own, theirs } = this.shownSegments;
    const confirmed = this.#host.confirmations.heads.get(this.mine.documentId);
    if (this.ownSegment())
      this.#unsent.look(
        this.mine.doc(),
        confirmed,
        (own?.messages ?? []).map(({ key }) => key),
      );
    const carried = new Map(this.#before);
    for (const message of this.#adopting.messages) carried.set(message.key, message);
    const adopting = own ? lackingIn(own, carried) : [];
    const shown = (isOwn: boolean, messages: readonly SegmentMessage[]): PlacedMessage[] =>
      withoutReplaced(messages).map((message) =>
        this.#place({
          id: messageId(isOwn ? this.urls.mine : this.urls.theirs, message.key),
          ...(message.edited && { isEdited: true, firstKey: message.edited.first }),
          text: message.text,
          at: message.at,
          seq: message.seq,
          isOwn,
          delivery: isOwn ? this.#deliveryOf(message, theirs) : null,
          replyTo: replyOf(message, isOwn),
          photo: message.photo,
          voice: message.voice,
          placeId: message.place_id,
          reaction: (isOwn ? theirs : own)?.reactions[message.edited?.first ?? message.key],
        }),
      );
    return [
      ...shown(true, [...(own?.messages ?? []), ...adopting]),
      ...shown(false, theirs?.messages ?? []),
    ];
  }

  /** Returns ids of the friend's messages that the user has not read on any device. */
  unread(): string[] {
    const { own, theirs } = this.shownSegments;
    // The own segment has the read marks: they are unknown until it is here.
    if (!own) return [];
    const read = furthest(own.read, this.#readTo);
    return (theirs?.messages ?? [])
      .filter((message) => !covers(read, message))
      .map(({ key }) => messageId(this.urls.theirs, key))
      .filter((id) => !this.#seen.has(id));
  }

  /** Own messages and reactions that are only on this device, to carry over into a replacement segment. */
  unsentContent(): UnsentContent {
    const own = this.ownSegment();
    if (!own || !this.#unsent.isKnown) return this.#adopting;
    const reactions = this.#unsent.reactions.map((key) => [key, own.reactions[key] ?? null]);
    return {
      messages: [
        ...own.messages.filter(({ key }) => this.#unsent.has(key)),
        ...this.#adopting.messages,
      ],
      reactions: { ...Object.fromEntries(reactions), ...this.#adopting.reactions },
    };
  }

  /** Returns whether an own message is here, by the key of its first version. */
  hasOwn(key: string): boolean {
    return this.messages().some(
      ({ id, isOwn, firstKey }) => isOwn && (firstKey ?? splitMessageId(id).key) === key,
    );
  }

  /** Whether the server has an own message, by its id. */
  isSent(id: string): boolean {
    return this.#unsent.isKnown && !this.#unsent.has(splitMessageId(id).key);
  }

  /**
   * Takes over from the segment that this one replaces what this one lacks, also from an earlier start.
   * @param content what the server never had, which the journal keeps from now on
   * @param all all own messages of the replaced segment
   * @returns whether this segment has them: not if it was closed before it was here
   */
  async adopt(content: UnsentContent, all: readonly SegmentMessage[] = []): Promise<boolean> {
    const { intents } = this.#host;
    intents.note(this.number, content);
    this.#adopting = intents.of(this.number);
    for (const message of all) this.#before.set(message.key, message);
    // What is written until it is here is adopted, too.
    const isNothing = isEmpty(this.#adopting) && this.#before.size === 0;
    if (isNothing && !this.#former.has(this.mine)) return true;
    await Promise.race([whenHere(this.mine), this.#whenClosed]);
    if (this.#isClosed) return false;
    this.#carryOutIntents();
    if (this.#before.size === 0) return true;
    await Promise.race([this.#whenWhole(), this.#whenClosed]);
    if (this.#isClosed) return false;
    this.#noteLacking();
    this.#carryOutIntents();
    return true;
  }

  #carryOutIntents(): void {
    const { intents } = this.#host;
    const { messages, reactions } = intents.of(this.number);
    const left = messages.filter((message) =>
      hasNoRoom(() => intents.add(this.number, this.mine, message)),
    );
    // Only now: until they are added, they are shown from here.
    this.#adopting = { ...NOTHING, messages: left };
    for (const [key, reaction] of Object.entries(reactions))
      hasNoRoom(() => intents.react(this.number, this.mine, key, reaction));
  }

  /** Settles when all that the server has of the own segment is here: also what it removed. */
  #whenWhole(): Promise<void> {
    const isWhole = () => {
      const { documentId } = this.mine;
      const heads = this.#serverHeads ?? this.#host.confirmations.heads.get(documentId);
      return heads !== null && hasHeads(this.mine.doc(), heads);
    };
    return new Promise((resolve) => {
      this.#lookIfWhole = () => {
        if (isWhole()) resolve();
      };
      this.#lookIfWhole();
    });
  }

  /** Has the messages added that the replaced documents had, and that were neither written again nor removed. */
  #noteLacking(): void {
    const own = this.ownSegment();
    const lacking = own ? lackingIn(own, this.#before) : [];
    this.#before.clear();
    if (lacking.length === 0) return;
    this.#unsent.forget(lacking.map(({ key }) => key));
    this.#host.intents.note(this.number, { messages: lacking, reactions: {} });
  }

  /** Sets the reaction to a message of the friend. @throws Error when the own segment is not here */
  react(key: string, reaction: Reaction | null): void {
    if (!this.mine.isReady()) throw new Error('The thread is not loaded');
    this.#host.intents.react(this.number, this.mine, key, reaction);
  }

  /** @throws ZodError when the text does not fit; Error when the own segment is neither here nor shown */
  add(message: SegmentMessage): void {
    const input = messageAdd.input.parse(message);
    if (this.#shownOf(this.mine) && !this.ownSegment()) {
      this.#host.intents.note(this.number, { messages: [input], reactions: {} });
      this.#adopting = this.#host.intents.of(this.number);
      this.#host.onChange();
      return;
    }
    if (!this.mine.isReady()) throw new Error('The thread is not loaded');
    this.#host.intents.add(this.number, this.mine, input);
  }

  /**
   * Notes that the user has seen messages.
   * @param seen ids, also from other segments
   */
  see(seen: ReadonlySet<string>): void {
    const added = this.unread().filter((id) => seen.has(id));
    for (const id of added) this.#seen.add(id);
    if (added.length > 0) this.#host.onChange();
  }

  /**
   * Marks in the own segment which messages were received and read.
   * @param hidden ids of messages in review, which count as read
   */
  mark(hidden: ReadonlySet<string>): void {
    const own = this.ownSegment();
    const theirs = this.theirSegment();
    if (!own || !theirs) return;
    const { theirs: url } = this.urls;
    this.#readTo = readUpTo(
      theirs.messages.filter(({ key }) => !hidden.has(messageId(url, key))),
      furthest(own.read, this.#readTo),
      ({ key }) => this.#seen.has(messageId(url, key)),
    );
    const received = beyond(reachOf(theirs.messages), own.received);
    const read = beyond(this.#readTo, own.read);
    if (!received && !read) return;
    const marks: Marks = { received: received ?? {}, read: read ?? {} };
    const set = (segment: SegmentDocument) => marksSet.apply(segment, marks);
    if (hasNoRoom(() => requireRoom(this.mine.doc(), 'segment', set))) return;
    this.mine.change(set, NO_TIME);
  }

  /** While the user is restricted, the server rejects changes: they do not count as unsent. */
  setFrozen(isFrozen: boolean): void {
    const { confirmations } = this.#host;
    if (isFrozen) confirmations.freeze(this.mine);
    else confirmations.track(this.mine);
  }

  /** Leaves the documents as they are. */
  close(): void {
    this.#isClosed = true;
    this.#endWaiting();
    const { confirmations, tabs, onChange } = this.#host;
    this.mine.off('remote-heads', this.#noteServerHeads);
    this.mine.off('heads-changed', this.#noteOwnHeads);
    for (const handle of [this.mine, this.theirs]) {
      handle.off('heads-changed', onChange);
      confirmations.untrack(handle);
      tabs.unshare(handle);
    }
  }

  #open(url: string): SegmentHandle {
    const { repo, removals, confirmations, tabs, onChange } = this.#host;
    removals.cancel(url);
    const { handle } = repo.findWithProgress<SegmentDocument>(url as AutomergeUrl);
    confirmations.track(handle, { isWritten: url === this.urls.mine });
    tabs.share(handle);
    handle.on('heads-changed', onChange);
    handle.on('remote-heads', onChange);
    void whenHere(handle).then(onChange);
    // Not being on this device causes no other event.
    handle.whenReady(['requesting', 'ready', 'unavailable']).then(onChange, () => {});
    return handle;
  }

  readonly #noteServerHeads = ({ heads }: { heads: UrlHeads }) => {
    this.#serverHeads = decodeHeads(heads);
    this.#lookIfWhole();
  };
  readonly #noteOwnHeads = () => this.#lookIfWhole();

  #read(handle: SegmentHandle): Segment | null {
    if (!handle.isReady()) return null;
    const doc = handle.doc();
    const known = this.#segments.get(handle);
    if (known?.doc === doc) return known.segment;
    // A document is empty before its first change arrives.
    if (!('kind' in doc)) return null;
    const segment = readSegment(doc);
    this.#segments.set(handle, { doc, segment });
    this.#former.delete(handle);
    return segment;
  }

  #shownOf(handle: SegmentHandle): Segment | null {
    return this.#read(handle) ?? this.#former.get(handle) ?? null;
  }

  #place(message: PlacedMessage): PlacedMessage {
    const before = this.#placed.get(message.id);
    const isSame =
      before?.delivery === message.delivery &&
      before.text === message.text &&
      before.at === message.at &&
      before.seq === message.seq &&
      before.photo === message.photo &&
      before.voice === message.voice &&
      before.placeId === message.placeId &&
      before.reaction === message.reaction;
    // A message never changes which one it answers.
    if (isSame) return before;
    this.#placed.set(message.id, message);
    return message;
  }

  #deliveryOf(message: SegmentMessage, theirs: Segment | null): Delivery {
    // Whatever the friend's device says of it.
    const isHereOnly = this.#unsent.has(message.key);
    if (isHereOnly && this.#unsent.isKnown) return 'device';
    if (theirs && covers(theirs.read, message)) return 'read';
    if (theirs && covers(theirs.received, message)) return 'delivered';
    // A photo or recording is sent after its message.
    const isWhole = message.photo?.image_key !== null && message.voice?.sound_key !== null;
    return isHereOnly || !isWhole ? 'device' : 'server';
  }
}

/** Returns the messages that a segment neither has nor had removed. */
function lackingIn(
  { messages, removed }: Segment,
  wanted: ReadonlyMap<string, SegmentMessage>,
): SegmentMessage[] {
  // Nearly always, and with each view.
  if (wanted.size === 0) return [];
  const here = new Set(messages.map(({ key }) => key));
  return [...wanted.values()].filter(({ key }) => !here.has(key) && !removed.has(key));
}

/** Does something. @returns whether there is no room for it */
function hasNoRoom(work: () => void): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof NoRoomError) return true;
    throw error;
  }
}

/** Which message one answers, as its viewer sees it. */
const replyOf = ({ reply_to }: SegmentMessage, isOwn: boolean): MessageReference | undefined =>
  reply_to && {
    number: reply_to.number,
    isOwn: reply_to.is_own === isOwn,
    key: reply_to.key,
  };
