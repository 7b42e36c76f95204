import * as A from '@automerge/automerge';
import { Repo, type AutomergeUrl } from '@automerge/automerge-repo';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SegmentDocument } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import type { Thread } from '#shared/chat/threads.ts';
import { CarriedOverMessages } from '../../../client/chat/thread/carried-over-messages.ts';
import { OpenThread } from '../../../client/chat/thread/open-thread.ts';
import { NOT_HERE, CannotSendError } from '../../../client/chat/thread/thread-view.ts';
import { Confirmations } from '../../../client/sync/documents/unsynced-changes.ts';
import { ConfirmedHeads } from '../../../client/sync/documents/confirmed-heads.ts';
import { Removals } from '../../../client/sync/storage/document-removals.ts';
import { noTabs, pretendToBeABrowser } from '../device.ts';

const LIMITS = { isFrozen: false, hidden: new Set<string>(), unsent: new Set<string>() };
const { initial, changes } = documentKinds.segment;

let repo: Repo;
let thread: OpenThread;
let heads: ConfirmedHeads;
/** What a screen shows. */
let shown: string[];

/** A document as the server has it. */
function segmentOf(user: string, friend: string, texts: string[]): A.Doc<SegmentDocument> {
  const place = { thread_id: 'the thread', number: 1, friend_user_id: friend, after: 0 };
  return texts.reduce(
    (doc, text, i) =>
      A.change(doc, (draft) =>
        changes['message.add'].apply(draft, {
          key: `${user}-message-number-${i}`,
          device: 'another',
          seq: i + 1,
          text,
          at: '2026-11-22T12:00:00.000Z',
        }),
      ),
    A.from({ ...initial(user, '2026-11-22T12:00:00.000Z', place) }) as A.Doc<SegmentDocument>,
  );
}

const handleOf = (url: string) =>
  repo.findWithProgress<SegmentDocument>(url as AutomergeUrl).handle;
/** What the network brings. */
const arrive = (url: string, doc: A.Doc<SegmentDocument>) =>
  handleOf(url).update((before) => A.loadIncremental(before, A.save(doc)));

function open(known: Thread) {
  const removals = new Removals('ann', repo, null, new Set());
  const confirmations = new Confirmations(heads, () => {});
  thread = new OpenThread(known, LIMITS, 'this-device', {
    repo,
    removals,
    confirmations,
    tabs: noTabs as never,
    adoptions: new CarriedOverMessages('ann', known.thread_id),
    // As screens do: what there is is read whenever something changed.
    onChange: () => {
      shown = thread?.getView().messages.map(({ text }) => text) ?? [];
    },
  });
}

const newUrl = () => new Repo().create().url;
const threadOf = (mine: string, theirs: string): Thread => ({
  friend_user_id: 'bob',
  thread_id: 'the thread',
  segments: [{ number: 1, mine, theirs }],
  waiting: [],
});

/** Has the browser keep what it is given. @returns what it keeps */
function keepOnDevice(): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  });
  return kept;
}

beforeEach(() => {
  pretendToBeABrowser();
  vi.spyOn(console, 'log').mockReturnValue();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  repo = new Repo();
  heads = new ConfirmedHeads(null);
});

afterEach(() => {
  thread.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('what comes after minutes without a network is shown at once', async () => {
  const [mine, theirs] = [newUrl(), newUrl()];
  open(threadOf(mine, theirs));
  expect(thread.getView().isReady).toBe(false);
  // Past the minute after which the Repo waits for nothing any more.
  await vi.advanceTimersByTimeAsync(3 * 60_000);
  arrive(mine, segmentOf('ann', 'bob', []));
  arrive(theirs, segmentOf('bob', 'ann', ['On my way']));
  await Promise.resolve();
  expect(thread.getView().isReady).toBe(true);
  expect(shown).toEqual(['On my way']);
});

test('what was written is taken along into a segment that comes after minutes, and again into the next', async () => {
  const [mine, theirs, next, last] = [newUrl(), newUrl(), newUrl(), newUrl()];
  open(threadOf(mine, theirs));
  arrive(mine, segmentOf('ann', 'bob', []));
  heads.set(handleOf(mine).documentId, A.getHeads(handleOf(mine).doc()));
  arrive(theirs, segmentOf('bob', 'ann', []));
  await Promise.resolve();
  thread.send('Wait for me');
  expect(shown).toEqual(['Wait for me']);

  thread.follow(threadOf(next, theirs), LIMITS);
  await vi.advanceTimersByTimeAsync(3 * 60_000);
  thread.follow(threadOf(last, theirs), LIMITS);
  await vi.advanceTimersByTimeAsync(3 * 60_000);
  arrive(last, segmentOf('ann', 'bob', []));
  await vi.advanceTimersByTimeAsync(1);
  expect(shown).toEqual(['Wait for me']);
  const kept = Object.values(handleOf(last).doc().messages).map(({ text }) => String(text));
  expect(kept).toEqual(['Wait for me']);
});

test('what cannot be written is refused in words for whoever wrote it', async () => {
  const [mine, theirs] = [newUrl(), newUrl()];
  open(threadOf(mine, theirs));
  arrive(theirs, segmentOf('bob', 'ann', ['Are you there?']));
  await Promise.resolve();
  expect(shown).toEqual(['Are you there?']);
  expect(() => thread.send('Yes')).toThrow(new CannotSendError(NOT_HERE));
});

test('what was written is taken along although the app is closed before the segment comes', async () => {
  const kept = keepOnDevice();
  const [mine, theirs, next, last] = [newUrl(), newUrl(), newUrl(), newUrl()];
  open(threadOf(mine, theirs));
  arrive(mine, segmentOf('ann', 'bob', []));
  heads.set(handleOf(mine).documentId, A.getHeads(handleOf(mine).doc()));
  arrive(theirs, segmentOf('bob', 'ann', []));
  await Promise.resolve();
  thread.send('Wait for me');
  thread.follow(threadOf(next, theirs), LIMITS);
  thread.close();

  // Of the segment that is over nothing is left on the device; and the next was replaced, too.
  repo = new Repo();
  heads = new ConfirmedHeads(null);
  open(threadOf(last, theirs));
  arrive(last, segmentOf('ann', 'bob', []));
  arrive(theirs, segmentOf('bob', 'ann', []));
  await vi.advanceTimersByTimeAsync(1);
  expect(shown).toEqual(['Wait for me']);
  expect(Object.values(handleOf(last).doc().messages)).toHaveLength(1);
  await vi.waitFor(() => expect([...kept.keys()]).toEqual([]));
});

test('what waits for a segment of a thread that is over is forgotten', () => {
  keepOnDevice();
  const message = {
    key: 'a-message-key',
    device: 'one',
    seq: 1,
    text: 'Hi',
    at: '2026-11-22T12:00:00.000Z',
  };
  const [here, gone] = [
    new CarriedOverMessages('ann', 'here'),
    new CarriedOverMessages('ann', 'gone'),
  ];
  here.note(1, [message]);
  gone.note(2, [message]);
  CarriedOverMessages.keepOnly('ann', new Set(['here']));
  expect([here.of(1), gone.of(2)]).toEqual([[message], []]);
});
