import { z } from 'zod';
import { previewOf } from '#shared/chat/rules.ts';
import {
  pairOf,
  readHidden,
  readRestriction,
  readThreads,
  type Thread,
} from '#shared/chat/threads.ts';
import { readContacts, type Contact } from '#shared/friends/document.ts';
import { readCache, writeCache } from '../../local-cache.ts';
import { afterPaint } from '../../scheduling/after-paint.ts';
import { CarriedOverMessages, type SegmentHost } from './segment-pair.ts';
import { OlderMessages, type OlderSegment } from '../search/stored-segment-search.ts';
import { OpenThread } from './open-thread.ts';
import type { SearchWorkerClient } from '../search/search-worker-client.ts';
import type { Summaries } from '../conversations/conversation-cache.ts';
import type { ThreadLimits } from '../types.ts';

/** Of the segments that this device keeps. */
const urls = z.array(z.string());
const NAME = 'thread-segments';
/** Of own older segments in which something was left that had not been sent. */
const UNSENT = 'unsent-segments';
/** So many threads open at a time, so that whoever presses something is not kept waiting. */
const OPEN_AT_ONCE = 3;

const earlierOf = (one: string, other: string) => (one < other ? one : other);

/**
 * The threads of one user on this device. Their newest segments are followed in the background, the last active one first;
 * older ones are opened when somebody looks. What is no longer in the contacts document is removed from this device.
 */
export class ThreadDocuments {
  private readonly userId: string;
  private readonly host: Omit<SegmentHost, 'adoptions'>;
  private readonly summaries: Summaries;
  /** What this start of the app calls itself in messages. */
  private readonly device = crypto.randomUUID().slice(0, 8);
  private readonly open = new Map<string, OpenThread>();
  private threads = new Map<string, Thread>();
  private friends = new Map<string, Contact>();
  private limits: ThreadLimits = { isFrozen: false, hidden: new Set(), unsent: new Set() };
  private waiting: string[] = [];
  private opening = 0;
  private isClosed = false;
  /** What is said in segments that are not open. */
  readonly older: OlderMessages;
  /** One more by each change of any thread. */
  changes = 0;

  /**
   * @param host its `onChange` hears of every change of any thread
   * @param search begins a search of what is not open
   */
  constructor(
    userId: string,
    summaries: Summaries,
    host: Omit<SegmentHost, 'adoptions'>,
    search: () => SearchWorkerClient,
  ) {
    this.userId = userId;
    this.summaries = summaries;
    this.host = host;
    this.older = new OlderMessages(host.repo, search);
  }

  /** Brings what is here in line with a contacts document: also what changed while this device was off. */
  follow(contacts: unknown): void {
    const friends = readContacts(contacts).friends;
    this.friends = new Map(friends.map((friend) => [friend.user_id, friend]));
    const until = readRestriction(contacts);
    this.limits = {
      isFrozen: until !== null && until > new Date().toISOString(),
      hidden: readHidden(contacts),
      unsent: new Set(readCache(urls, this.userId, UNSENT) ?? []),
    };
    const threads = readThreads(contacts).filter(({ friend_user_id }) =>
      this.friends.has(friend_user_id),
    );
    this.threads = new Map(threads.map((thread) => [thread.friend_user_id, thread]));
    CarriedOverMessages.keepOnly(this.userId, new Set(threads.map(({ thread_id }) => thread_id)));
    for (const [friend, thread] of this.open) {
      const now = this.threads.get(friend);
      if (now?.thread_id === thread.id) thread.follow(now, this.limits);
      else {
        thread.close();
        this.open.delete(friend);
      }
    }
    this.noteUrls();
    this.noteUnsent();
    this.removeOthers();
    this.summaries.keepOnly(new Set(this.threads.keys()));
    const lastActive = (id: string) => this.summaries.of(id)?.last_activity ?? '';
    this.waiting = [...this.threads.keys()]
      .filter((id) => !this.open.has(id))
      .toSorted((a, b) => (lastActive(a) < lastActive(b) ? 1 : -1));
    void this.openWaiting();
    this.changes++;
    this.host.onChange();
  }

  /** A thread with a friend, opened if it was not; null when there is none. */
  get(friendUserId: string): OpenThread | null {
    const thread = this.threads.get(friendUserId);
    if (!thread || this.isClosed) return null;
    let open = this.open.get(friendUserId);
    if (!open) {
      open = new OpenThread(thread, this.limits, this.device, {
        ...this.host,
        adoptions: new CarriedOverMessages(this.userId, thread.thread_id),
        onChange: () => this.changed(friendUserId),
      });
      this.open.set(friendUserId, open);
      this.noteUrls();
    }
    return open;
  }

  /** A thread that is open; null of others. */
  peek(friendUserId: string): OpenThread | null {
    return this.open.get(friendUserId) ?? null;
  }

  /** All that are open. */
  all(): OpenThread[] {
    return [...this.open.values()];
  }

  /** Opens segments of a thread that is open, for a screen. Settles when they are here, or are known not to be for now. */
  async openNumber(friendUserId: string, number: number): Promise<void> {
    const opening = this.open.get(friendUserId)?.openNumber(number);
    this.noteUrls();
    await opening;
  }

  /** As `openNumber`, the next ones before or after what is open around a number, null being the newest: says whether they are here. */
  async openNext(
    friendUserId: string,
    number: number | null,
    way: 'earlier' | 'later',
  ): Promise<boolean> {
    const opening = this.open.get(friendUserId)?.openNext(number, way);
    this.noteUrls();
    return (await opening) ?? false;
  }

  /** What is not open of a thread, or of all: one after the other the newest of each, then the next. */
  olderSegments(friendUserId: string | null): OlderSegment[] {
    const threads = [...this.threads.values()].filter(
      ({ friend_user_id }) => friendUserId === null || friend_user_id === friendUserId,
    );
    const here = this.openUrls();
    return threads
      .flatMap(({ friend_user_id, segments }) =>
        segments.map((pair, age) => ({ friend_user_id, pair, age })),
      )
      .filter(({ pair }) => !here.has(pair.mine))
      .toSorted((a, b) => a.age - b.age);
  }

  /** Whether a message may be shown that was read before: nobody has taken it, or its thread, away since. */
  isShown({
    friend_user_id,
    message,
  }: {
    friend_user_id: string;
    message: { id: string };
  }): boolean {
    const thread = this.threads.get(friend_user_id);
    return !this.limits.hidden.has(message.id) && Boolean(thread && pairOf(thread, message.id));
  }

  close(): void {
    this.isClosed = true;
    this.host.removals.close();
    this.older.forget();
    for (const thread of this.open.values()) thread.close();
    this.open.clear();
  }

  private async openWaiting(): Promise<void> {
    while (this.opening < OPEN_AT_ONCE && !this.isClosed) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      this.opening++;
      void this.openOne(next);
    }
  }

  private async openOne(friendUserId: string): Promise<void> {
    await afterPaint();
    await this.get(friendUserId)?.whenSettled();
    this.opening--;
    void this.openWaiting();
  }

  private openUrls(): Set<string> {
    return new Set([...this.open.values()].flatMap(({ urls: open }) => open));
  }

  private changed(friendUserId: string): void {
    this.summarise(friendUserId);
    this.noteUnsent();
    this.changes++;
    this.host.onChange();
  }

  private summarise(friendUserId: string): void {
    const thread = this.open.get(friendUserId);
    const friend = this.friends.get(friendUserId);
    if (!thread || !friend) return;
    const { messages, unread, isReady, hasEarlier } = thread.getView();
    const last = messages.at(-1);
    const before = this.summaries.of(friendUserId);
    // What is not all here yet must not take the place of what was known.
    if (!isReady && before) return;
    if (!last) {
      if (!hasEarlier) this.summaries.remove(friendUserId);
      return;
    }
    const now = new Date().toISOString();
    this.summaries.set({
      friend_user_id: friendUserId,
      name: before?.name ?? friend.name,
      preview: previewOf(last.text),
      isOwn: last.isOwn,
      // A clock that is ahead must not keep a thread on top, or bring it there again when its time has come.
      last_activity: before?.last_id === last.id ? before.last_activity : earlierOf(last.at, now),
      last_id: last.id,
      unread_count: unread.length,
    });
  }

  /** Keeps in mind which segments are on this device, so that they can be removed from it. */
  private noteUrls(): void {
    const kept = readCache(urls, this.userId, NAME) ?? [];
    const here = new Set([...kept, ...this.openUrls()]);
    if (here.size !== kept.length) writeCache(this.userId, NAME, [...here]);
  }

  /** Keeps in mind where something of one's own waits to be sent, or a start after newer segments came would not open them. */
  private noteUnsent(): void {
    const { unsent } = this.limits;
    const left = [...this.open.values()].flatMap(({ unsentUrls }) => unsentUrls);
    if (unsent.size + left.length === 0) return;
    const here = this.openUrls();
    const known = new Set(
      [...this.threads.values()].flatMap(({ segments }) => segments.map(({ mine }) => mine)),
    );
    const now = new Set([
      ...[...unsent].filter((url) => known.has(url) && !here.has(url)),
      ...left,
    ]);
    if (now.size === unsent.size && [...now].every((url) => unsent.has(url))) return;
    this.limits = { ...this.limits, unsent: now };
    writeCache(this.userId, UNSENT, now.size > 0 ? [...now] : null);
  }

  /** Removes what no thread has any more. */
  private removeOthers(): void {
    const kept = readCache(urls, this.userId, NAME) ?? [];
    const wanted = new Set(
      [...this.threads.values()].flatMap(({ segments }) =>
        segments.flatMap(({ mine, theirs }) => [mine, theirs]),
      ),
    );
    const gone = kept.filter((url) => !wanted.has(url));
    if (gone.length === 0) return;
    for (const url of gone) {
      this.host.removals.remove(url);
      this.host.confirmations.heads.forget(url.replace('automerge:', ''));
    }
    writeCache(
      this.userId,
      NAME,
      kept.filter((url) => wanted.has(url)),
    );
  }
}
