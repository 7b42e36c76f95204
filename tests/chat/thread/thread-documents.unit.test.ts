import * as A from '@automerge/automerge';
import { Repo, type AutomergeUrl, type DocHandle } from '@automerge/automerge-repo';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { messageId, type SegmentDocument } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import type { ContactsDocument } from '#shared/friends/document.ts';
import { Summaries } from '../../../client/features/chat/conversations/conversation-cache.ts';
import { ThreadDocuments } from '../../../client/features/chat/thread/thread-documents.ts';
import { afterPaint } from '../../../client/platform/scheduling/after-paint.ts';
import {
  Confirmations,
  ConfirmedHeads,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { DocumentRemovals } from '../../../client/platform/sync/storage/document-removals.ts';
import { noTabs, stubBrowser } from '../device.ts';
import { segmentOn } from '../segments.ts';

const { contacts, segment } = documentKinds;

let repo: Repo;
let summaries: Summaries;
let threads: ThreadDocuments;
let doc: A.Doc<ContactsDocument>;
let heads: ConfirmedHeads;
let confirmations: Confirmations;
/** Ids of documents whose changes the server refused. */
let refused: Set<string>;
/** Called with each change. */
let onChange: () => void;
/** What is stored on the device, by document. */
let stored: Map<string, { doc: A.Doc<unknown>; confirmed: A.Heads }>;

/** Adds a friend whose segment this is. */
function befriend(user_id: string, theirs: string): void {
  const { 'person.set': set, 'thread.set': open } = contacts.changes;
  const at = '2026-01-01T00:00:00.000Z';
  const person = { version: 1, relationship: 'friends', name: user_id, at } as const;
  const segments = { 1: { mine: segmentOn(repo, 0), theirs } };
  doc = A.change(doc, (draft) => {
    set.apply(draft, { user_id, ...person, request_id: null, message: null, card: null });
    open.apply(draft, { friend_user_id: user_id, version: 1, thread_id: user_id, segments });
  });
  threads.follow(doc);
}

beforeEach(() => {
  stubBrowser();
  vi.spyOn(console, 'log').mockReturnValue();
  repo = new Repo();
  stored = new Map();
  heads = new ConfirmedHeads(null);
  summaries = new Summaries('ann');
  doc = A.from({ ...contacts.initial('ann') }) as A.Doc<ContactsDocument>;
  refused = new Set();
  const refusals = {
    reasonOf: (id: string) => (refused.has(id) ? ('not_yours' as const) : null),
    forget: (id: string) => void refused.delete(id),
  };
  confirmations = new Confirmations(heads, () => {}, { refusals });
  const host = {
    repo,
    removals: new DocumentRemovals('ann', repo, null, new Set()),
    confirmations,
    tabs: noTabs as never,
    journal: new Journal({
      database: Promise.resolve(null),
      isClosed: false,
      noteRefusing() {},
      noteUnreadable() {},
    }),
    storage: null,
    readStored: async (id: string) => stored.get(id) ?? null,
    onChange: () => onChange(),
  };
  onChange = () => {};
  threads = new ThreadDocuments('ann', summaries, host, () => {
    throw new Error('no test searches here');
  });
});

afterEach(() => {
  threads.close();
  summaries.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

// As a photo that waits for its message does.
test('a thread that opens is made once, whoever looks for it with each change', async () => {
  const opened = new Set<unknown>();
  let changes = 0;
  onChange = () => {
    changes++;
    opened.add(threads.get('bob'));
  };
  befriend('bob', segmentOn(repo, 1));
  await vi.waitFor(() => expect(summaries.of('bob')).toMatchObject({ unread_count: 1 }));
  expect(opened).toEqual(new Set([threads.get('bob')]));
  expect(changes).toBeLessThan(20);
});

test('hiding the only message of a chat removes the chat from the list', async () => {
  const theirs = segmentOn(repo, 1);
  befriend('bob', theirs);
  await vi.waitFor(() => expect(summaries.of('bob')).toMatchObject({ unread_count: 1 }));
  const hide = { message_id: messageId(theirs, '1-0'), is_hidden: true };
  doc = A.change(doc, (draft) => contacts.changes['message.hide'].apply(draft, hide));
  threads.follow(doc);
  expect(summaries.get()).toEqual([]);
});

test('a message from a device with a fast clock keeps its capped time in the list', async () => {
  const theirs = segmentOn(repo, 1, { at: Date.now() + 60 * 60_000 });
  befriend('bob', theirs);
  await vi.waitFor(() => expect(summaries.of('bob')).toBeDefined());
  const { last_activity = '' } = summaries.of('bob') ?? {};
  expect(Date.parse(last_activity)).toBeLessThanOrEqual(Date.now());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60 * 60_000 });
  const handle = await repo.find<SegmentDocument>(theirs as AutomergeUrl);
  const mark = (read: Record<string, number>) =>
    handle.change((draft) => segment.changes['marks.set'].apply(draft, { received: {}, read }));
  mark({ ours: 1 });
  expect(summaries.of('bob')).toMatchObject({ last_activity });
});

/** An own segment with these messages, of which the server has those before `confirmed`. */
function ownSegment(texts: string[], confirmed: number, removed: string[] = []) {
  const place = { thread_id: 'bob', number: 1, friend_user_id: 'bob', after: 0 };
  const { 'message.add': add, 'messages.remove': remove } = segment.changes;
  let own = A.from({ ...segment.initial('ann', '', place) }) as A.Doc<SegmentDocument>;
  if (removed.length > 0) own = A.change(own, (draft) => remove.apply(draft, { keys: removed }));
  let heads = A.getHeads(own);
  for (const [i, text] of texts.entries()) {
    const at = '2026-11-22T12:00:00.000Z';
    own = A.change(own, (draft) =>
      add.apply(draft, { key: text, seq: i + 1, device: 'another', at, text }),
    );
    if (i < confirmed) heads = A.getHeads(own);
  }
  return { doc: own, confirmed: heads };
}

/** Stores a segment, has it replaced, and returns the one that replaced it, which was not open yet. */
function replaceStored(
  before: ReturnType<typeof ownSegment>,
  now: ReturnType<typeof ownSegment>,
): DocHandle<SegmentDocument> {
  const [former, after, theirs] = [
    new Repo().create().url,
    new Repo().create().url,
    segmentOn(repo, 0),
  ];
  stubCache('thread-segments', [former]);
  stored.set(former.replace('automerge:', ''), before);
  const at = '2026-01-01T00:00:00.000Z';
  const person = { version: 1, relationship: 'friends', name: 'Bob', at } as const;
  doc = A.change(doc, (draft) => {
    const whose = { user_id: 'bob', request_id: null, message: null, card: null };
    contacts.changes['person.set'].apply(draft, { ...whose, ...person });
    contacts.changes['thread.set'].apply(draft, {
      friend_user_id: 'bob',
      version: 2,
      thread_id: 'bob',
      segments: { 1: { mine: after, theirs } },
    });
  });
  // It arrives from the server before anything of the thread was opened.
  threads.follow(doc);
  const { handle } = repo.findWithProgress<SegmentDocument>(after);
  handle.update((empty) => A.loadIncremental(empty, A.save(now.doc)));
  heads.set(handle.documentId, A.getHeads(now.doc));
  handle.emit('remote-heads', { storageId: 'server' as never, heads: [] as never, timestamp: 0 });
  return handle;
}

const keysOf = (handle: DocHandle<SegmentDocument>) => Object.keys(handle.doc().messages);

test('an unsent message of an earlier start survives the replacement of its segment, which was not open yet', async () => {
  const handle = replaceStored(
    ownSegment(['sent', 'unsent', 'written'], 2),
    ownSegment(['sent'], 1, ['unsent']),
  );
  await vi.waitFor(() => expect(keysOf(handle)).toEqual(['sent', 'written']));
  // Other segments are opened later.
  await afterPaint();
});

test('a message that the server lost with a restored backup survives the replacement of its segment', async () => {
  const handle = replaceStored(
    ownSegment(['sent', 'unsent', 'lost'], 3),
    ownSegment(['sent'], 1, ['unsent']),
  );
  await vi.waitFor(() => expect(keysOf(handle)).toEqual(['sent', 'lost']));
  await afterPaint();
});

/** A cache entry of the user from an earlier start. */
function stubCache(name: string, value: unknown): void {
  const cache = new Map([[`cache-ann-${name}`, JSON.stringify(value)]]);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => cache.get(key) ?? null,
    setItem: (key: string, text: string) => cache.set(key, text),
    removeItem: (key: string) => cache.delete(key),
  });
}

test('unsent changes of an earlier session in a segment that was replaced meanwhile move on, and count no more', async () => {
  const former = repo.create<SegmentDocument>();
  const unsent = ownSegment(['one', 'two'], 1);
  former.update(() => A.clone(unsent.doc));
  heads.set(former.documentId, unsent.confirmed);
  confirmations.track(former);
  refused.add(former.documentId);
  expect(confirmations.sum()).toMatchObject({ refused: 1, refusal: 'not_yours' });
  const now = replaceStored(ownSegment([], 0), ownSegment(['one'], 1));
  threads.restored(former.documentId, former.doc());
  await vi.waitFor(() => expect(keysOf(now)).toEqual(['one', 'two']));
  await vi.waitFor(() => expect(confirmations.sum()).toMatchObject({ refused: 0, refusal: null }));
  expect(refused).toEqual(new Set());
});

test('a segment of an earlier session stays while its thread has it', async () => {
  stubCache('thread-segments', []);
  const theirs = segmentOn(repo, 1);
  befriend('bob', theirs);
  const mine = threads.get('bob')!.urls[0]! as AutomergeUrl;
  const { handle } = repo.findWithProgress<SegmentDocument>(mine);
  await handle.whenReady();
  threads.restored(handle.documentId, handle.doc());
  threads.follow(doc);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(repo.handles[handle.documentId]).toBe(handle);
});
