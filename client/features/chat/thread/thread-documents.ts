import type { DocumentId } from '@automerge/automerge-repo/slim';
import { z } from 'zod';
import {
  readSegment,
  splitMessageId,
  type SegmentDocument,
  type SegmentMessage,
} from '#shared/chat/document.ts';
import { previewOf } from '#shared/chat/rules.ts';
import {
  pairOf,
  readHidden,
  readRestriction,
  readThreads,
  type Thread,
} from '#shared/chat/threads.ts';
import { readContacts, type Contact } from '#shared/friends/document.ts';
import { readCache, writeCache } from '../../../platform/local-cache.ts';
import { afterPaint } from '../../../platform/scheduling/after-paint.ts';
import type { Opening } from '../../../platform/sync/documents/documents-part.ts';
import { forgetFiles, hasRemovedFiles } from '../attachments/attachment-cache.ts';
import type { Summaries } from '../conversations/conversation-cache.ts';
import { OlderMessages, type OlderSegment } from '../search/older-messages.ts';
import type { SearchWorkerClient } from '../search/search-worker-client.ts';
import type { ThreadLimits } from '../types.ts';
import { Numbering } from './numbering.ts';
import type { SegmentHost } from './open-segment-pair.ts';
import { OpenThread } from './open-thread.ts';
import { moveCarriedOver, SegmentIntents, type UnsentContent } from './segment-intents.ts';
import { unsentContentOf } from './unsent.ts';

/** URLs of the segments on this device. */
const urls = z.array(z.string());
const PHOTOS_RETRY_MS = 3_000;
const NAME = 'thread-segments';
/** Own older segments with unsent messages, by apps of the last release. */
const UNSENT = 'unsent-segments';
/** The start of the app and what is on the screen come first. */
const PREPARE_AFTER_MS = 10_000;
const PREPARE_PAUSE_MS = 300;
/** How many threads open at a time, so that the app stays responsive. */
const OPEN_AT_ONCE = 3;

/** What all threads use. */
export type ThreadHost = Omit<SegmentHost, 'intents'> & Pick<Opening, 'journal' | 'storage'>;

/** What an own segment had that was replaced. */
interface FormerContent {
  friend: string;
  thread: string;
  number: number;
  /** What the server never had. */
  content: UnsentContent;
  messages: readonly SegmentMessage[];
}

const earlierOf = (one: string, other: string) => (one < other ? one : other);

/**
 * The threads of one user on this device. Their newest segments are followed in the background, the last active one first;
 * older ones open on demand. Threads that are no longer in the contacts document are removed from this device.
 */
export class ThreadDocuments {
  readonly #userId: string;
  readonly #host: ThreadHost;
  readonly #summaries: Summaries;
  readonly #numbering = new Numbering();
  readonly #open = new Map<string, OpenThread>();
  #threads = new Map<string, Thread>();
  #friends = new Map<string, Contact>();
  #limits: ThreadLimits = {
    isFrozen: false,
    hidden: new Set(),
    withdrawn: new Set(),
    edits: new Map(),
  };
  #waiting: string[] = [];
  #opening = 0;
  #isClosed = false;
  /** Segments that belong to no thread and are about to be removed. */
  readonly #leaving = new Set<string>();
  #isFollowing = false;
  #lastReading: Promise<unknown> = Promise.resolve();
  #preparing: ReturnType<typeof setTimeout> | undefined;
  /** Searches segments that are not open. */
  readonly older: OlderMessages;
  /** Counts changes of all threads. */
  changes = 0;

  /**
   * @param host its `onChange` is called after every change of any thread
   * @param search starts the search worker
   */
  constructor(
    userId: string,
    summaries: Summaries,
    host: ThreadHost,
    search: () => SearchWorkerClient,
  ) {
    this.#userId = userId;
    this.#summaries = summaries;
    this.#host = host;
    this.older = new OlderMessages(host.storage, search);
  }

  /** Follows a version of the contacts document: opens, replaces and removes threads. */
  follow(contacts: unknown): void {
    const friends = readContacts(contacts).friends;
    this.#friends = new Map(friends.map((friend) => [friend.user_id, friend]));
    const until = readRestriction(contacts);
    this.#limits = {
      ...this.#limits,
      isFrozen: until !== null && until > new Date().toISOString(),
      hidden: readHidden(contacts),
    };
    const threads = readThreads(contacts).filter(({ friend_user_id }) =>
      this.#friends.has(friend_user_id),
    );
    this.#threads = new Map(threads.map((thread) => [thread.friend_user_id, thread]));
    const here = new Set(threads.map(({ thread_id }) => thread_id));
    SegmentIntents.removeOver(this.#host.journal, (id) => !here.has(id));
    if (!this.#isFollowing) void this.#moveUnsent();
    this.#isFollowing = true;
    for (const [friend, thread] of this.#open) {
      const now = this.#threads.get(friend);
      if (now?.thread_id === thread.id) thread.follow(now, this.#limits);
      else {
        thread.close();
        this.#open.delete(friend);
      }
    }
    this.#storeUrls();
    this.#removeOthers();
    this.#summaries.keepOnly(new Set(this.#threads.keys()));
    const lastActive = (id: string) => this.#summaries.of(id)?.last_activity ?? '';
    this.#waiting = [...this.#threads.keys()]
      .filter((id) => !this.#open.has(id))
      .toSorted((a, b) => (lastActive(a) < lastActive(b) ? 1 : -1));
    void this.#openWaiting();
    this.#prepareSoon();
    this.changes++;
    this.#host.onChange();
  }

  /** Follows an own segment that got unsent changes of an earlier session: it may have been replaced meanwhile. */
  restored(documentId: string, doc: unknown): void {
    if (String((doc as Partial<SegmentDocument>).kind) !== 'segment') return;
    this.#storeUrls([`automerge:${documentId}`]);
    if (this.#isFollowing) this.#removeOthers();
  }

  /**
   * Hides messages that the user has unsent, and shows new texts of those that they have edited, before the server does it.
   * @param withdrawn keys of own messages
   * @param edits texts by the keys of own messages
   */
  showOwnChanges(withdrawn: ReadonlySet<string>, edits: ReadonlyMap<string, string>): void {
    // They are only added to, in order, or removed.
    const shown = (keys: ReadonlySet<string>, texts: ReadonlyMap<string, string>) =>
      JSON.stringify([[...keys], [...texts]]);
    if (shown(withdrawn, edits) === shown(this.#limits.withdrawn, this.#limits.edits)) return;
    this.#limits = { ...this.#limits, withdrawn, edits };
    for (const [friend, thread] of this.#open) {
      const now = this.#threads.get(friend);
      if (now) thread.follow(now, this.#limits);
    }
  }

  /** Returns the thread with a friend, and opens it if necessary; null when there is none. */
  get(friendUserId: string): OpenThread | null {
    const thread = this.#threads.get(friendUserId);
    if (!thread || this.#isClosed) return null;
    let open = this.#open.get(friendUserId);
    if (!open) {
      open = new OpenThread(thread, this.#limits, this.#numbering, {
        ...this.#host,
        intents: new SegmentIntents(this.#host.journal, thread.thread_id),
        onChange: () => this.#changed(friendUserId),
      });
      this.#open.set(friendUserId, open);
      this.#storeUrls();
    }
    return open;
  }

  /** Returns a thread that is open; null otherwise. */
  peek(friendUserId: string): OpenThread | null {
    return this.#open.get(friendUserId) ?? null;
  }

  /** Returns all open threads. */
  all(): OpenThread[] {
    return [...this.#open.values()];
  }

  /** Opens segments of an open thread. Settles when they are here, or unavailable for now. */
  async openNumber(friendUserId: string, number: number): Promise<void> {
    const opening = this.#open.get(friendUserId)?.openNumber(number);
    this.#storeUrls();
    await opening;
  }

  /** Opens the next segments before or after the range around a number; null is the newest. @returns whether they are here */
  async openNext(
    friendUserId: string,
    number: number | null,
    way: 'earlier' | 'later',
  ): Promise<boolean> {
    const opening = this.#open.get(friendUserId)?.openNext(number, way);
    this.#storeUrls();
    return (await opening) ?? false;
  }

  /** Returns the segments of a thread or of all that are not open: the newest of each first. */
  olderSegments(friendUserId: string | null): OlderSegment[] {
    const threads = [...this.#threads.values()].filter(
      ({ friend_user_id }) => friendUserId === null || friend_user_id === friendUserId,
    );
    const here = this.#openUrls();
    return threads
      .flatMap(({ friend_user_id, segments }) =>
        segments.map((pair, age) => ({ friend_user_id, pair, age })),
      )
      .filter(({ pair }) => !here.has(pair.mine))
      .toSorted((a, b) => a.age - b.age);
  }

  /** Whether a message that was found earlier may still be shown: neither it nor its thread was removed. */
  isShown({
    friend_user_id,
    message,
  }: {
    friend_user_id: string;
    message: { id: string };
  }): boolean {
    const thread = this.#threads.get(friend_user_id);
    return !this.#limits.hidden.has(message.id) && Boolean(thread && pairOf(thread, message.id));
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#preparing);
    this.#host.removals.close();
    this.older.forget();
    for (const thread of this.#open.values()) thread.close();
    this.#open.clear();
  }

  async #openWaiting(): Promise<void> {
    while (this.#opening < OPEN_AT_ONCE && !this.#isClosed) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#opening++;
      void this.#openOne(next);
    }
  }

  async #openOne(friendUserId: string): Promise<void> {
    await afterPaint();
    await this.get(friendUserId)?.whenSettled();
    this.#opening--;
    void this.#openWaiting();
  }

  /** Has the search read older segments while nobody waits for it: a slow phone takes 0.1 s for each. */
  #prepareSoon(): void {
    this.#preparing ??= setTimeout(() => {
      this.#preparing = undefined;
      this.#prepare().catch((error: unknown) =>
        console.warn('Failed to prepare the search in older messages', error),
      );
    }, PREPARE_AFTER_MS);
  }

  async #prepare(): Promise<void> {
    const pairs = this.olderSegments(null).map(({ pair }) => pair);
    try {
      for (const pair of await this.older.unprepared(pairs)) {
        await this.older.prepare(pair);
        await new Promise((resolve) => setTimeout(resolve, PREPARE_PAUSE_MS));
        // Goes on with what is there by then.
        if (this.#isClosed || this.#preparing) return;
      }
    } finally {
      this.older.rest();
    }
  }

  #openUrls(): Set<string> {
    return new Set([...this.#open.values()].flatMap(({ urls: open }) => open));
  }

  #changed(friendUserId: string): void {
    this.#updateSummary(friendUserId);
    this.changes++;
    this.#host.onChange();
  }

  #updateSummary(friendUserId: string): void {
    const thread = this.#open.get(friendUserId);
    const friend = this.#friends.get(friendUserId);
    if (!thread || !friend) return;
    const { messages, unread, isReady, hasEarlier } = thread.getView();
    const last = messages.at(-1);
    const before = this.#summaries.of(friendUserId);
    // A thread that is still loading must not replace its cached summary.
    if (!isReady && before) return;
    if (!last) {
      if (!hasEarlier) this.#summaries.remove(friendUserId);
      return;
    }
    const now = new Date().toISOString();
    this.#summaries.set({
      friend_user_id: friendUserId,
      name: before?.name ?? friend.name,
      preview: previewOf(last.text),
      isOwn: last.isOwn,
      // A friend's clock that is ahead must not put a thread on top, now or later.
      last_activity: before?.last_id === last.id ? before.last_activity : earlierOf(last.at, now),
      last_id: last.id,
      unread_count: unread.length,
    });
  }

  /** Stores which segments are on this device, so that they can be removed later. */
  #storeUrls(more: readonly string[] = []): void {
    const stored = readCache(urls, this.#userId, NAME) ?? [];
    const here = new Set([...stored, ...this.#openUrls(), ...more]);
    if (here.size !== stored.length) writeCache(this.#userId, NAME, [...here]);
  }

  /** Moves what apps of the last release noted of unsent messages into the journal. */
  async #moveUnsent(): Promise<void> {
    await moveCarriedOver(this.#userId, this.#host.journal);
    for (const url of readCache(urls, this.#userId, UNSENT) ?? []) {
      const former = await this.#contentOf(url);
      if (this.#isClosed) return;
      if (former)
        this.#carryOver(former).catch((error: unknown) =>
          console.error('Failed to carry messages over', error),
        );
    }
    if (await this.#host.journal.flush()) writeCache(this.#userId, UNSENT, null);
  }

  /** Removes segments that belong to no thread. */
  #removeOthers(): void {
    const stored = readCache(urls, this.#userId, NAME) ?? [];
    const wanted = new Set(
      [...this.#threads.values()].flatMap(({ segments }) =>
        segments.flatMap(({ mine, theirs }) => [mine, theirs]),
      ),
    );
    if (hasRemovedFiles(this.#userId, wanted)) void this.#removePhotos(wanted);
    for (const url of stored) {
      if (wanted.has(url) || this.#leaving.has(url)) continue;
      this.#leaving.add(url);
      // Without a friend, nothing of the thread may stay, and nothing is read.
      const reading = this.#lastReading.then(() =>
        this.#threads.size > 0 ? this.#contentOf(url) : null,
      );
      this.#lastReading = reading.catch(() => null);
      void reading
        .then((former) => this.#removeOne(url, former))
        .catch((error: unknown) => console.error('Failed to remove a segment', error))
        .finally(() => this.#leaving.delete(url));
    }
  }

  /** Removes a segment from this device, once what replaced it has what the server lacks. */
  async #removeOne(url: string, former: FormerContent | null): Promise<void> {
    if (former) await this.#carryOver(former);
    if (this.#isClosed || this.#isWanted(url)) return;
    this.#host.removals.remove(url);
    this.#host.confirmations.forget(url.replace('automerge:', ''));
    const left = (readCache(urls, this.#userId, NAME) ?? []).filter((each) => each !== url);
    writeCache(this.#userId, NAME, left);
  }

  /** Settles when what replaced a segment has what it had. */
  async #carryOver({ friend, thread, number, content, messages }: FormerContent): Promise<void> {
    // It may be replaced itself meanwhile.
    while (!this.#isClosed && this.#threads.get(friend)?.thread_id === thread)
      if (await this.#carryOverInto(friend, number, content, messages)) return;
  }

  async #carryOverInto(friend: string, ...what: Parameters<OpenThread['carryOver']>) {
    const carrying = this.get(friend)?.carryOver(...what);
    this.#storeUrls();
    return carrying;
  }

  #isWanted(url: string): boolean {
    return [...this.#threads.values()].some(({ segments }) =>
      segments.some(({ mine, theirs }) => mine === url || theirs === url),
    );
  }

  /**
   * Reads from storage what this device has of an own segment that was replaced: it may not have been opened since the app started.
   * Null when there is nothing, or its thread has ended.
   */
  async #contentOf(url: string): Promise<FormerContent | null> {
    const { repo, confirmations, readStored } = this.#host;
    const id = url.replace('automerge:', '') as DocumentId;
    const stored = await readStored(id);
    const handle = repo.handles[id];
    // Its last changes may not be stored yet.
    const doc = handle?.isReady() ? handle.doc() : stored?.doc;
    if (!doc) return null;
    const { thread_id, user_id } = doc as Partial<SegmentDocument>;
    const thread = [...this.#threads.values()].find((each) => each.thread_id === String(thread_id));
    if (!thread || String(user_id) !== this.#userId) return null;
    const segment = readSegment(doc);
    const confirmed = confirmations.heads.get(id) ?? stored?.confirmed ?? [];
    return {
      friend: thread.friend_user_id,
      thread: thread.thread_id,
      number: segment.number,
      content: unsentContentOf(doc, segment, confirmed),
      messages: segment.messages,
    };
  }

  /** Removes photos of removed messages and threads, once the replacements of segments are here. */
  async #removePhotos(segments: ReadonlySet<string>): Promise<void> {
    await Promise.all(this.all().map((thread) => thread.whenSettled()));
    if (this.#isClosed) return;
    // Without the replacement of a segment, its photos would look removed.
    if (!this.all().every((thread) => thread.isReady)) {
      setTimeout(() => this.#isClosed || this.#removeOthers(), PHOTOS_RETRY_MS);
      return;
    }
    const photos = this.all()
      .flatMap((thread) => thread.everything())
      .flatMap(({ id, photo, voice }) => {
        const key = photo?.image_key ?? voice?.sound_key;
        return key ? [[key, `automerge:${splitMessageId(id).documentId}`] as const] : [];
      });
    forgetFiles(this.#userId, segments, new Map(photos));
  }
}
