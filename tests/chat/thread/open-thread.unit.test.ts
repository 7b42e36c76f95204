import * as A from '@automerge/automerge';
import {
  generateAutomergeUrl,
  parseAutomergeUrl,
  Repo,
  type AutomergeUrl,
} from '@automerge/automerge-repo';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readSegment, type SegmentDocument } from '#shared/chat/document.ts';
import { SEQ_MAX } from '#shared/chat/rules.ts';
import type { SegmentPair, Thread } from '#shared/chat/threads.ts';
import { Numbering } from '../../../client/features/chat/thread/numbering.ts';
import { OpenThread } from '../../../client/features/chat/thread/open-thread.ts';
import { SegmentIntents } from '../../../client/features/chat/thread/segment-intents.ts';
import {
  NOT_HERE,
  CannotSendError,
  type ThreadLimits,
} from '../../../client/features/chat/types.ts';
import {
  Confirmations,
  ConfirmedHeads,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { DocumentRemovals } from '../../../client/platform/sync/storage/document-removals.ts';
import { noTabs, stubBrowser } from '../device.ts';
import { Disk } from '../disk.ts';
import { segmentOn } from '../segments.ts';

const LIMITS: ThreadLimits = {
  isFrozen: false,
  hidden: new Set(),
  withdrawn: new Set(),
  edits: new Map(),
};

let repo: Repo;
let thread: OpenThread;

beforeEach(() => {
  stubBrowser();
  vi.spyOn(console, 'log').mockReturnValue();
  repo = new Repo();
});

afterEach(() => {
  thread.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const segmentWith = (count: number, number = 1) =>
  segmentOn(repo, count, { number, seq: number * 100 });
/** Creates both segments of this number with this many messages of the friend, or with null, segments that are not on the device. */
const pairOf = (number: number, count: number | null): SegmentPair =>
  count === null
    ? { number, mine: generateAutomergeUrl(), theirs: generateAutomergeUrl() }
    : { number, mine: segmentWith(0, number), theirs: segmentWith(count, number) };

const threadOf = (...segments: SegmentPair[]): Thread => ({
  friend_user_id: 'bob',
  thread_id: 't',
  segments,
  waiting: [],
});

let heads: ConfirmedHeads;

function open(known: Thread, { limits = LIMITS, onChange = () => {} } = {}): void {
  heads = new ConfirmedHeads(null);
  thread = new OpenThread(known, limits, new Numbering(), {
    repo,
    removals: new DocumentRemovals('ann', repo, null, new Set()),
    confirmations: new Confirmations(heads, () => {}),
    tabs: noTabs as never,
    readStored: async () => null,
    intents: new SegmentIntents(
      new Journal({
        database: Promise.resolve(null),
        isClosed: false,
        noteRefusing() {},
        noteUnreadable() {},
      }),
      known.thread_id,
    ),
    onChange,
  });
}

const unread = () => thread.getView().unread.length;
const shown = () => thread.getView().messages;
/** Returns the read mark for the friend's phone in the own segment. */
const readOf = async (url: string) =>
  readSegment((await repo.find<SegmentDocument>(url as AutomergeUrl)).doc()).read['phone'];

test('skipped messages stay unread when later ones are seen', async () => {
  const mine = segmentWith(0);
  open(threadOf({ number: 1, mine, theirs: segmentWith(60) }));
  await thread.whenSettled();
  expect(unread()).toBe(60);
  thread.markRead(shown().slice(-3));
  expect(unread()).toBe(57);
  expect(await readOf(mine)).toBeUndefined();
  thread.markRead(shown().slice(0, 10));
  expect(unread()).toBe(47);
  expect(await readOf(mine)).toBe(109);
  // Once nothing is skipped, the mark moves to the end.
  thread.markRead(shown().slice(10, 57));
  expect(unread()).toBe(0);
  expect(await readOf(mine)).toBe(159);
});

test('a hidden message does not keep later ones from being marked read', async () => {
  const [mine, theirs] = [segmentWith(0), segmentWith(3)];
  const hidden = new Set([`${theirs.replace('automerge:', '')}.1-1`]);
  open(threadOf({ number: 1, mine, theirs }), { limits: { ...LIMITS, hidden } });
  await thread.whenSettled();
  thread.markRead(shown());
  expect(unread()).toBe(0);
  expect(await readOf(mine)).toBe(102);
});

test('reports the first unread message only after both stored segments are loaded', async () => {
  const disk = new Disk();
  const before = new Repo({ storage: disk });
  const segments = {
    mine: segmentOn(before, 1),
    theirs: segmentOn(before, 300, { seq: 2 }),
  };
  await before.flush();
  const { documentId } = parseAutomergeUrl(segments.theirs as AutomergeUrl);
  let isRead = () => {};
  const reading = new Promise<void>((resolve) => (isRead = resolve));
  const { loadRange } = disk;
  disk.loadRange = async (prefix) => {
    if (prefix[0] === documentId) await reading;
    return loadRange(prefix);
  };
  repo = new Repo({ storage: disk });
  const reported = new Set<number>();
  const look = () => {
    const { isLookedUp, unread: ids } = thread.getView();
    if (isLookedUp) reported.add(ids.length);
  };
  // A screen reads the view after every change as soon as it has a thread.
  open(threadOf({ number: 1, ...segments }), { onChange: () => queueMicrotask(look) });
  await vi.waitFor(() => expect(shown()).toHaveLength(1));
  expect(thread.getView().isLookedUp).toBe(false);
  isRead();
  await vi.waitFor(() => expect(thread.getView().isReady).toBe(true));
  expect(shown()).toHaveLength(301);
  expect([...reported]).toEqual([300]);
});

test('does not wait for segments that are not stored on this device', async () => {
  open(threadOf({ number: 1, mine: generateAutomergeUrl(), theirs: segmentWith(2) }));
  await vi.waitFor(() => expect(thread.getView().isLookedUp).toBe(true));
  expect(thread.getView().isReady).toBe(false);
  expect(shown()).toHaveLength(2);
});

test('can load earlier messages beyond an unavailable segment, without joining them', async () => {
  open(threadOf(pairOf(4, 0), pairOf(3, 2), pairOf(2, null), pairOf(1, 2)));
  await thread.whenSettled();
  expect(await thread.openNext(null, 'earlier')).toBe(false);
  expect(await thread.openNumber(1)).toBe(true);
  expect(thread.getView()).toMatchObject({ hasEarlier: true, hasLater: false });
  expect(shown()).toHaveLength(2);
  expect(thread.getRange(1)).toMatchObject({ hasEarlier: false, hasLater: true });
  expect(thread.getRange(1).messages).toHaveLength(2);
});

test('writes to the previous segment while the next one is unavailable', async () => {
  const before = [pairOf(2, 3), pairOf(1, 0)];
  open(threadOf(...before));
  await thread.whenSettled();
  thread.follow(threadOf(pairOf(3, null), ...before), LIMITS);
  thread.send('On my way');
  expect(shown().at(-1)).toMatchObject({ text: 'On my way', isOwn: true });
  const mine = await repo.find<SegmentDocument>(before[0]?.mine as AutomergeUrl);
  expect(readSegment(mine.doc()).messages).toHaveLength(1);
  // The friend would not look for messages two segments back.
  thread.follow(threadOf(pairOf(5, null), pairOf(4, null), pairOf(3, null), ...before), LIMITS);
  expect(() => thread.send('Hello?')).toThrow(new CannotSendError(NOT_HERE));
});

test('messages read while restricted are marked read once the restriction ends', async () => {
  const pair = pairOf(1, 4);
  open(threadOf(pair), { limits: { ...LIMITS, isFrozen: true } });
  await thread.whenSettled();
  thread.markRead(shown().slice(0, 3));
  expect(unread()).toBe(1);
  expect(await readOf(pair.mine)).toBeUndefined();
  thread.follow(threadOf(pair), LIMITS);
  await vi.waitFor(async () => expect(await readOf(pair.mine)).toBe(102));
  expect(unread()).toBe(1);
});

test('a message after an unsent one that was read does not count as read', async () => {
  const [mine, theirs] = [segmentWith(0), segmentWith(0)];
  open(threadOf({ number: 1, mine, theirs }));
  await thread.whenSettled();
  const { key } = thread.send('Oops');
  const own = await repo.find<SegmentDocument>(mine as AutomergeUrl);
  const { seq, device } = readSegment(own.doc()).messages[0]!;
  const friends = await repo.find<SegmentDocument>(theirs as AutomergeUrl);
  friends.change((draft) => {
    draft.received[device] = seq;
    draft.read[device] = seq;
  });
  expect(shown()).toMatchObject([{ text: 'Oops', delivery: 'read' }]);
  const limits = { ...LIMITS, withdrawn: new Set([key]) };
  thread.follow(threadOf({ number: 1, mine: segmentWith(0), theirs }), limits);
  await thread.whenSettled();
  thread.send('Next');
  expect(shown()).toMatchObject([{ text: 'Next', delivery: 'device' }]);
});

test('a message that the server does not have is not read, whatever the friend’s device says', async () => {
  const [mine, theirs] = [segmentWith(0), segmentWith(0)];
  open(threadOf({ number: 1, mine, theirs }));
  await thread.whenSettled();
  const own = await repo.find<SegmentDocument>(mine as AutomergeUrl);
  thread.send('First');
  heads.set(own.documentId, A.getHeads(own.doc()));
  thread.send('Second');
  const { device } = readSegment(own.doc()).messages[0]!;
  const friends = await repo.find<SegmentDocument>(theirs as AutomergeUrl);
  friends.change((draft) => (draft.read[device] = SEQ_MAX));
  expect(shown()).toMatchObject([{ delivery: 'read' }, { delivery: 'device' }]);
});
