import * as A from '@automerge/automerge/slim';
import type { Doc } from '@automerge/automerge/slim';
import {
  type AutomergeUrl,
  type DocHandle,
  type Repo,
  decodeHeads,
} from '@automerge/automerge-repo/slim';
import { z } from 'zod';
import { documentKinds } from '#shared/document-kinds.ts';
import {
  messageId,
  readSegment,
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
  type Vector,
} from '#shared/chat/rules.ts';
import type { SegmentPair } from '#shared/chat/threads.ts';
import type { Confirmations } from '../../sync/documents/unsynced-changes.ts';
import type { Removals } from '../../sync/storage/document-removals.ts';
import { NO_TIME, whenHere } from '../../sync/documents/document-state.ts';
import type { Tabs } from '../../sync/tabs/cross-tab-sync.ts';
import type { Delivery, PlacedMessage } from '../types.ts';
import { readCache, writeCache } from '../../local-cache.ts';

const { 'message.add': messageAdd, 'marks.set': marksSet } = documentKinds.segment.changes;

/** What the documents of a thread need of the rest. */
export interface SegmentHost {
  repo: Repo;
  removals: Removals;
  confirmations: Confirmations;
  tabs: Tabs;
  adoptions: CarriedOverMessages;
  onChange(): void;
}

type SegmentHandle = DocHandle<SegmentDocument>;

/** Both's segments of one number, open on this device. */
export class OpenSegmentPair {
  readonly number: number;
  readonly urls: { mine: string; theirs: string };
  readonly mine: SegmentHandle;
  readonly theirs: SegmentHandle;
  private readonly host: SegmentHost;
  private readonly unsent = new Unsent();
  /** What this device has read: of two devices that write at once the lower one may stand until one says it again. */
  private readTo: Vector = {};
  /** Ids of what this start of the app has seen: of two messages with an unseen one between them, `readTo` has the first. */
  private readonly seen = new Set<string>();
  /** What is written into one's own segment as soon as that is here. */
  private adopting: SegmentMessage[] = [];
  private isClosed = false;
  private segments = new Map<SegmentHandle, { doc: Doc<SegmentDocument>; segment: Segment }>();
  private readonly placed = new Map<string, PlacedMessage>();

  constructor({ number, mine, theirs }: SegmentPair, host: SegmentHost) {
    this.number = number;
    this.urls = { mine, theirs };
    this.host = host;
    this.mine = this.open(mine);
    this.theirs = this.open(theirs);
  }

  /** Settles when both are here, or are known not to be for now. */
  async whenSettled(): Promise<void> {
    await Promise.allSettled(
      [this.mine, this.theirs].map((handle) => handle.whenReady(['ready', 'unavailable'])),
    );
  }

  get isReady(): boolean {
    return this.mine.isReady() && this.theirs.isReady();
  }

  /** Whether all that this device keeps of both is here, or nothing is kept. */
  get isLookedUp(): boolean {
    return [this.mine, this.theirs].every((handle) => !handle.inState(['idle', 'loading']));
  }

  /** What is here of one's own and the friend's; nothing of what is not here yet. */
  ownSegment = (): Segment | null => this.read(this.mine);
  theirSegment = (): Segment | null => this.read(this.theirs);

  /** All messages of both, in no order; each the same object until it changes. */
  messages(): PlacedMessage[] {
    const own = this.ownSegment();
    const theirs = this.theirSegment();
    const confirmed = this.host.confirmations.heads.get(this.mine.documentId);
    if (own)
      this.unsent.look(
        this.mine.doc(),
        confirmed,
        own.messages.map(({ key }) => key),
      );
    const shown = (isOwn: boolean, segment: Segment | null): PlacedMessage[] =>
      (segment?.messages ?? []).map((message) =>
        this.place({
          id: messageId(isOwn ? this.urls.mine : this.urls.theirs, message.key),
          text: message.text,
          at: message.at,
          seq: message.seq,
          isOwn,
          delivery: isOwn ? this.deliveryOf(message, theirs) : null,
        }),
      );
    return [...shown(true, own), ...shown(false, theirs)];
  }

  /** Which of the friend's messages the owner has not read, on any device. */
  unread(): string[] {
    const own = this.ownSegment();
    // What was read is in one's own segment: until that is here, nobody knows.
    if (!own) return [];
    const read = furthest(own.read, this.readTo);
    return (this.theirSegment()?.messages ?? [])
      .filter((message) => !covers(read, message))
      .map(({ key }) => messageId(this.urls.theirs, key))
      .filter((id) => !this.seen.has(id));
  }

  /** Own messages that are nowhere but here: for the segment that takes this one's place. */
  unsentMessages(): SegmentMessage[] {
    const own = this.ownSegment()?.messages ?? [];
    const unsent = this.unsent.isKnown ? own.filter(({ key }) => this.unsent.has(key)) : [];
    return [...unsent, ...this.adopting];
  }

  /** Whether something of one's own may be nowhere but here. */
  get mayHaveUnsent(): boolean {
    const own = this.ownSegment()?.messages ?? [];
    return this.unsent.isKnown ? this.unsentMessages().length > 0 : own.length > 0;
  }

  /** Takes in messages that were written into the segment of which this one has taken the place, also by an earlier start. */
  async adopt(messages: SegmentMessage[]): Promise<void> {
    const { adoptions, repo } = this.host;
    const noted = adoptions.of(this.number);
    const news = messages.filter(({ key }) => !noted.some((other) => other.key === key));
    const all = [...noted, ...news];
    if (all.length === 0) return;
    if (news.length > 0) adoptions.note(this.number, all);
    this.adopting = all;
    await whenHere(this.mine);
    this.adopting = [];
    if (this.isClosed) return;
    for (const message of all) this.add(message);
    await repo.flush([this.mine.documentId]);
    if (!this.isClosed) adoptions.note(this.number, []);
  }

  /** @throws ZodError when the text does not fit; an Error when one's own segment is not here */
  add(message: SegmentMessage): void {
    if (!this.mine.isReady()) throw new Error('The thread is not loaded');
    const input = messageAdd.input.parse(message);
    this.mine.change((segment) => messageAdd.apply(segment, input), NO_TIME);
    sendNow(this.host.repo, this.mine);
  }

  /**
   * Notes that messages were before the owner's eyes.
   * @param seen ids, also of others
   */
  see(seen: ReadonlySet<string>): void {
    const news = this.unread().filter((id) => seen.has(id));
    for (const id of news) this.seen.add(id);
    if (news.length > 0) this.host.onChange();
  }

  /**
   * Notes in one's own segment what has come, and what was read.
   * @param hidden ids of messages that nobody is to see for now, and that nobody waits for therefore
   */
  mark(hidden: ReadonlySet<string>): void {
    const own = this.ownSegment();
    const theirs = this.theirSegment();
    if (!own || !theirs) return;
    const { theirs: url } = this.urls;
    this.readTo = readUpTo(
      theirs.messages.filter(({ key }) => !hidden.has(messageId(url, key))),
      furthest(own.read, this.readTo),
      ({ key }) => this.seen.has(messageId(url, key)),
    );
    const received = beyond(reachOf(theirs.messages), own.received);
    const read = beyond(this.readTo, own.read);
    if (!received && !read) return;
    const marks: Marks = { received: received ?? {}, read: read ?? {} };
    this.mine.change((segment) => marksSet.apply(segment, marks), NO_TIME);
  }

  /** What the owner may not write for now does not count as something still to be sent. */
  setFrozen(isFrozen: boolean): void {
    const { confirmations } = this.host;
    if (isFrozen) confirmations.letGo(this.mine);
    else confirmations.track(this.mine);
  }

  /** Leaves the documents as they are. */
  close(): void {
    this.isClosed = true;
    const { confirmations, tabs, onChange } = this.host;
    for (const handle of [this.mine, this.theirs]) {
      handle.off('heads-changed', onChange);
      confirmations.letGo(handle);
      tabs.letGo(handle);
    }
  }

  private open(url: string): SegmentHandle {
    const { repo, removals, confirmations, tabs, onChange } = this.host;
    removals.cancel(url);
    const { handle } = repo.findWithProgress<SegmentDocument>(url as AutomergeUrl);
    confirmations.track(handle);
    tabs.share(handle);
    handle.on('heads-changed', onChange);
    handle.on('remote-heads', onChange);
    void whenHere(handle).then(onChange);
    // That it is not on this device changes nothing in it.
    handle.whenReady(['requesting', 'ready', 'unavailable']).then(onChange, () => {});
    return handle;
  }

  private read(handle: SegmentHandle): Segment | null {
    if (!handle.isReady()) return null;
    const doc = handle.doc();
    const known = this.segments.get(handle);
    if (known?.doc === doc) return known.segment;
    // Before anything of it has come, a document is empty.
    if (!('kind' in doc)) return null;
    const segment = readSegment(doc);
    this.segments.set(handle, { doc, segment });
    return segment;
  }

  private place(message: PlacedMessage): PlacedMessage {
    const before = this.placed.get(message.id);
    const isSame =
      before?.delivery === message.delivery &&
      before.text === message.text &&
      before.at === message.at &&
      before.seq === message.seq;
    if (isSame) return before;
    this.placed.set(message.id, message);
    return message;
  }

  private deliveryOf(
    message: { key: string; device: string; seq: number },
    theirs: Segment | null,
  ): Delivery {
    if (theirs && covers(theirs.read, message)) return 'read';
    if (theirs && covers(theirs.received, message)) return 'delivered';
    return this.unsent.has(message.key) ? 'device' : 'server';
  }
}

/** Which of a segment's own messages the server's disk is known to have: once it has one, it has it for good. */
class Unsent {
  private readonly sent = new Set<string>();
  private looked: { doc: A.Doc<unknown>; confirmed: A.Heads } | null = null;

  /**
   * Takes note of what the server confirmed.
   * @param keys of all messages in the segment
   * @param confirmed the heads that the server last told; null while it has told none
   */
  look(doc: A.Doc<unknown>, confirmed: A.Heads | null, keys: Iterable<string>): void {
    if (!confirmed || !A.hasHeads(doc, confirmed)) return;
    if (this.looked?.doc === doc && this.looked.confirmed === confirmed) return;
    this.looked = { doc, confirmed };
    const news = new Set<string>();
    for (const { path } of A.diff(doc, confirmed, A.getHeads(doc)))
      if (path[0] === 'messages' && typeof path[1] === 'string') news.add(path[1]);
    for (const key of keys) if (!news.has(key)) this.sent.add(key);
  }

  /** Whether the server has told enough to know. */
  get isKnown(): boolean {
    return this.looked !== null;
  }

  has(key: string): boolean {
    return !this.sent.has(key);
  }
}

const NAME = 'carried-over-messages';
/** By thread and number of the segment. */
const adopted = z.record(z.string(), z.array(documentKinds.segment.changes['message.add'].input));

/**
 * Messages of a thread that nobody else has, on their way into a segment that took another one's place. They are noted until they
 * are in it: the other segment is off this device by then, and the new one may come long after the app was closed.
 */
export class CarriedOverMessages {
  private readonly userId: string;
  private readonly threadId: string;

  constructor(userId: string, threadId: string) {
    this.userId = userId;
    this.threadId = threadId;
  }

  /** Forgets those of other threads, as of people who are no friends any more. */
  static keepOnly(userId: string, threadIds: ReadonlySet<string>): void {
    const kept = readAll(userId);
    const left = Object.entries(kept).filter(([key]) => threadIds.has(key.split(' ')[0] ?? ''));
    if (left.length < Object.keys(kept).length) writeAll(userId, Object.fromEntries(left));
  }

  of(number: number): SegmentMessage[] {
    return readAll(this.userId)[this.keyOf(number)] ?? [];
  }

  /** Of the segments that have any. */
  numbers(): ReadonlySet<number> {
    const keys = Object.keys(readAll(this.userId)).map((key) => key.split(' '));
    return new Set(keys.filter(([id]) => id === this.threadId).map(([, number]) => Number(number)));
  }

  /** @param messages none when they are where they belong */
  note(number: number, messages: SegmentMessage[]): void {
    const { [this.keyOf(number)]: _before, ...others } = readAll(this.userId);
    const own = messages.length > 0 && { [this.keyOf(number)]: messages };
    writeAll(this.userId, { ...others, ...own });
  }

  private readonly keyOf = (number: number) => `${this.threadId} ${number}`;
}

const readAll = (userId: string) => readCache(adopted, userId, NAME) ?? {};

const writeAll = (userId: string, all: z.output<typeof adopted>): void =>
  writeCache(userId, NAME, Object.keys(all).length > 0 ? all : null);

/** More of one document within this time is left to the Repo, which sends it together. */
const PAUSE_MS = 100;
const sentAt = new WeakMap<DocHandle<unknown>, number>();

/**
 * Has the Repo send what was just changed before this returns. By itself it does so from a timer, which a browser puts off
 * until it has drawn what follows from a press; it sends nothing twice. What is not being synchronised is left to the Repo.
 */
export function sendNow(repo: Repo, handle: DocHandle<unknown>): void {
  const now = performance.now();
  if (now - (sentAt.get(handle) ?? -PAUSE_MS) < PAUSE_MS) return;
  sentAt.set(handle, now);
  const { documentId } = handle;
  const synchronizer = repo.synchronizer.docSynchronizers[documentId];
  for (const senderId of repo.peers) {
    const storageId = repo.getStorageIdOfPeer(senderId);
    const told = storageId && handle.getSyncInfo(storageId)?.lastHeads;
    if (!told || !synchronizer?.hasPeer(senderId)) continue;
    // The Repo answers each message at once: so it is told once more what the peer said last.
    const heads = decodeHeads(told);
    const have = [{ lastSync: heads, bloom: new Uint8Array() }];
    const data = A.encodeSyncMessage({ heads, need: [], have, changes: [] });
    const targetId = repo.networkSubsystem.peerId;
    synchronizer.receiveMessage({ type: 'sync', senderId, targetId, documentId, data });
  }
}
