import type { Doc } from '@automerge/automerge/slim';
import type { AutomergeUrl, DocHandle, Repo } from '@automerge/automerge-repo/slim';
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
import { NO_TIME } from '../../sync/documents/no-time.ts';
import { sendNow } from '../../sync/connection/flush-document.ts';
import type { Tabs } from '../../sync/tabs/cross-tab-sync.ts';
import { whenHere } from '../../sync/documents/when-loaded.ts';
import type { CarriedOverMessages } from './carried-over-messages.ts';
import type { Delivery, ShownMessage } from '../types.ts';
import { Unsent } from './unsent-messages.ts';

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

/** A message in its place among both's. */
export interface PlacedMessage extends ShownMessage {
  seq: number;
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
