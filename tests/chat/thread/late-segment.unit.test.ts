import * as A from '@automerge/automerge';
import { encodeHeads, Repo, type AutomergeUrl } from '@automerge/automerge-repo';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { messageId, type SegmentDocument } from '#shared/chat/document.ts';
import type { Thread } from '#shared/chat/threads.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { Numbering } from '../../../client/features/chat/thread/numbering.ts';
import { OpenThread } from '../../../client/features/chat/thread/open-thread.ts';
import { SegmentIntents } from '../../../client/features/chat/thread/segment-intents.ts';
import { NOT_HERE, CannotSendError } from '../../../client/features/chat/types.ts';
import {
  Confirmations,
  ConfirmedHeads,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { DocumentRemovals } from '../../../client/platform/sync/storage/document-removals.ts';
import { noTabs, stubBrowser } from '../device.ts';

const LIMITS = {
  isFrozen: false,
  hidden: new Set<string>(),
  withdrawn: new Set<string>(),
  edits: new Map<string, string>(),
};
const { initial, changes } = documentKinds.segment;

let repo: Repo;
let thread: OpenThread;
let heads: ConfirmedHeads;
let journal: Journal;
/** The texts that a screen shows. */
let shown: string[];
/** Called after every change, once the screen has read it. */
let onChange: () => void;

/** Creates a document like the server's. */
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
/** Simulates a document that arrives over the network. */
const arrive = (url: string, doc: A.Doc<SegmentDocument>) =>
  handleOf(url).update((before) => A.loadIncremental(before, A.save(doc)));

function open(known: Thread) {
  const removals = new DocumentRemovals('ann', repo, null, new Set());
  const confirmations = new Confirmations(heads, () => {});
  thread = new OpenThread(known, LIMITS, new Numbering(), {
    repo,
    removals,
    confirmations,
    tabs: noTabs as never,
    readStored: async () => null,
    intents: new SegmentIntents(journal, known.thread_id),
    // Like a screen, reads the view after every change.
    onChange: () => {
      shown = thread?.getView().messages.map(({ text }) => text) ?? [];
      onChange();
    },
  });
}

const messagesIn = (url: string) =>
  Object.values(handleOf(url).doc().messages).map(({ text }) => String(text));

const newUrl = () => new Repo().create().url;
const threadOf = (mine: string, theirs: string): Thread => ({
  friend_user_id: 'bob',
  thread_id: 'the thread',
  segments: [{ number: 1, mine, theirs }],
  waiting: [],
});

beforeEach(() => {
  stubBrowser();
  vi.spyOn(console, 'log').mockReturnValue();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  repo = new Repo();
  heads = new ConfirmedHeads(null);
  journal = new Journal({
    database: Promise.resolve(null),
    isClosed: false,
    noteRefusing() {},
    noteUnreadable() {},
  });
  onChange = () => {};
});

afterEach(() => {
  thread.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('shows a segment at once that arrives after minutes offline', async () => {
  const [mine, theirs] = [newUrl(), newUrl()];
  open(threadOf(mine, theirs));
  expect(thread.getView().isReady).toBe(false);
  // After a minute the Repo stops waiting for documents.
  await vi.advanceTimersByTimeAsync(3 * 60_000);
  arrive(mine, segmentOf('ann', 'bob', []));
  arrive(theirs, segmentOf('bob', 'ann', ['On my way']));
  await Promise.resolve();
  expect(thread.getView().isReady).toBe(true);
  expect(shown).toEqual(['On my way']);
});

test('carries unsent messages over into a segment that becomes available minutes later, and into the next one', async () => {
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
  expect(messagesIn(last)).toEqual(['Wait for me']);
});

test('explains why a message can’t be sent', async () => {
  const [mine, theirs] = [newUrl(), newUrl()];
  open(threadOf(mine, theirs));
  arrive(theirs, segmentOf('bob', 'ann', ['Are you there?']));
  await Promise.resolve();
  expect(shown).toEqual(['Are you there?']);
  expect(() => thread.send('Yes')).toThrow(new CannotSendError(NOT_HERE));
});

test('carries unsent messages over although the app closes before the segment arrives', async () => {
  const [mine, theirs, next, last] = [newUrl(), newUrl(), newUrl(), newUrl()];
  open(threadOf(mine, theirs));
  arrive(mine, segmentOf('ann', 'bob', []));
  heads.set(handleOf(mine).documentId, A.getHeads(handleOf(mine).doc()));
  arrive(theirs, segmentOf('bob', 'ann', []));
  await Promise.resolve();
  thread.send('Wait for me');
  thread.follow(threadOf(next, theirs), LIMITS);
  thread.close();

  // Nothing of the finished segment remains on the device, and the next one was replaced, too.
  repo = new Repo();
  heads = new ConfirmedHeads(null);
  open(threadOf(last, theirs));
  arrive(last, segmentOf('ann', 'bob', []));
  arrive(theirs, segmentOf('bob', 'ann', []));
  await vi.advanceTimersByTimeAsync(1);
  expect(shown).toEqual(['Wait for me']);
  expect(Object.values(handleOf(last).doc().messages)).toHaveLength(1);
  const { documentId } = handleOf(last);
  expect(journal.all().map(([, { made }]) => made?.documentId)).toEqual([documentId]);
  journal.settle(documentId, () => true);
  expect(journal.all()).toEqual([]);
});

test('forgets unsent messages of a thread that has ended', () => {
  const message = {
    key: 'a-message-key',
    device: 'one',
    seq: 1,
    text: 'Hi',
    at: '2026-11-22T12:00:00.000Z',
  };
  const [open, ended] = [new SegmentIntents(journal, 'here'), new SegmentIntents(journal, 'gone')];
  const content = { messages: [message], reactions: { theirs: 'paw' as const } };
  open.note(1, content);
  ended.note(2, content);
  SegmentIntents.removeOver(journal, (id) => id === 'gone');
  expect([open.of(1), ended.of(2)]).toEqual([content, { messages: [], reactions: {} }]);
});

describe('while the document that replaces a segment loads', () => {
  const [mine, theirs, next] = [newUrl(), newUrl(), newUrl()];
  /** The sorted texts after each notification, without repeats. */
  let everShown: string[][];
  const watch = () => {
    everShown = [];
    onChange = () => {
      const texts = thread
        .getView()
        .messages.map(({ text }) => text)
        .toSorted();
      if (String(texts) !== String(everShown.at(-1))) everShown.push(texts);
    };
  };
  const idOf = (url: string, user: string, i: number) =>
    messageId(url, `${user}-message-number-${i}`);

  beforeEach(async () => {
    open(threadOf(mine, theirs));
    arrive(mine, segmentOf('ann', 'bob', ['Hello', 'Oops']));
    heads.set(handleOf(mine).documentId, A.getHeads(handleOf(mine).doc()));
    arrive(theirs, segmentOf('bob', 'ann', ['Hi', 'Sorry']));
    await vi.advanceTimersByTimeAsync(1);
    watch();
  });

  test('all messages but the one that the user unsent stay shown', async () => {
    const limits = { ...LIMITS, withdrawn: new Set(['ann-message-number-1']) };
    thread.follow(threadOf(mine, theirs), limits);
    thread.follow(threadOf(next, theirs), limits);
    const { isReady, isLookedUp, messages } = thread.getView();
    expect({ isReady, isLookedUp }).toEqual({ isReady: true, isLookedUp: true });
    expect(messages.find(({ text }) => text === 'Hello')).toMatchObject({ delivery: 'server' });
    expect(thread.find({ number: 1, isOwn: true, key: 'ann-message-number-0' })).toMatchObject({
      message: { text: 'Hello' },
    });
    await vi.advanceTimersByTimeAsync(3 * 60_000);
    arrive(next, segmentOf('ann', 'bob', ['Hello']));
    await vi.advanceTimersByTimeAsync(1);
    expect(everShown).toEqual([['Hello', 'Hi', 'Sorry']]);
  });

  test('all messages but the one that the friend unsent stay shown, and unread', async () => {
    const limits = { ...LIMITS, hidden: new Set([idOf(theirs, 'bob', 1)]) };
    thread.follow(threadOf(mine, theirs), limits);
    // The server stops hiding the old id once no device uses it.
    thread.follow(threadOf(mine, next), limits);
    thread.follow(threadOf(mine, next), LIMITS);
    expect(thread.getView().unread).toEqual([idOf(next, 'bob', 0)]);
    arrive(next, segmentOf('bob', 'ann', ['Hi']));
    await vi.advanceTimersByTimeAsync(1);
    expect(everShown).toEqual([['Hello', 'Hi', 'Oops']]);
  });

  test('no message disappears on a device that was offline meanwhile', async () => {
    thread.follow(threadOf(mine, next), LIMITS);
    arrive(next, segmentOf('bob', 'ann', ['Hi']));
    await vi.advanceTimersByTimeAsync(1);
    expect(everShown).toEqual([
      ['Hello', 'Hi', 'Oops', 'Sorry'],
      ['Hello', 'Hi', 'Oops'],
    ]);
  });

  test('a message in review stays hidden', async () => {
    const before = [idOf(theirs, 'bob', 0), idOf(theirs, 'bob', 1)];
    thread.follow(threadOf(mine, theirs), { ...LIMITS, hidden: new Set(before) });
    const hidden = new Set([...before, idOf(next, 'bob', 0)]);
    thread.follow(threadOf(mine, next), { ...LIMITS, hidden });
    arrive(next, segmentOf('bob', 'ann', ['Hi']));
    await vi.advanceTimersByTimeAsync(1);
    expect(everShown).toEqual([['Hello', 'Oops']]);
  });

  test('messages that were not sent, and new ones, stay shown and are added to it', async () => {
    thread.send('Wait');
    thread.follow(threadOf(next, theirs), LIMITS);
    thread.send('For me');
    const all = ['For me', 'Hello', 'Hi', 'Oops', 'Sorry', 'Wait'];
    expect(everShown.at(-1)).toEqual(all);
    everShown = [];
    arrive(next, segmentOf('ann', 'bob', ['Hello', 'Oops']));
    await vi.advanceTimersByTimeAsync(1);
    expect(everShown).toEqual([all]);
    expect(messagesIn(next)).toEqual(['Hello', 'Oops', 'Wait', 'For me']);
  });

  test.each([false, true])(
    'a message that the server lost with a restored backup stays shown and is added to it (while restricted: %s)',
    async (isFrozen) => {
      thread.follow(threadOf(next, theirs), { ...LIMITS, isFrozen });
      arrive(next, segmentOf('ann', 'bob', ['Hello']));
      await vi.advanceTimersByTimeAsync(1);
      expect(messagesIn(next)).toEqual(['Hello']);
      // Only now it is known that the server does not have more of it.
      const handle = handleOf(next);
      const [storageId, timestamp] = ['server' as never, 0];
      const serverHeads = encodeHeads(A.getHeads(handle.doc()));
      handle.emit('remote-heads', { storageId, heads: serverHeads, timestamp });
      await vi.advanceTimersByTimeAsync(1);
      expect(messagesIn(next)).toEqual(['Hello', 'Oops']);
      expect(everShown).toEqual([['Hello', 'Hi', 'Oops', 'Sorry']]);
    },
  );
});
