import * as A from '@automerge/automerge';
import { Repo, type AutomergeUrl } from '@automerge/automerge-repo';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { messageId, type SegmentDocument } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import type { ContactsDocument } from '#shared/friends/document.ts';
import { Summaries } from '../../../client/chat/conversations/conversation-cache.ts';
import { ThreadDocuments } from '../../../client/chat/thread/thread-store.ts';
import { Confirmations, ConfirmedHeads } from '../../../client/sync/documents/unsynced-changes.ts';
import { Removals } from '../../../client/sync/storage/document-removals.ts';
import { noTabs, stubBrowser } from '../device.ts';
import { segmentOn } from '../segments.ts';

const { contacts, segment } = documentKinds;

let repo: Repo;
let summaries: Summaries;
let threads: ThreadDocuments;
let doc: A.Doc<ContactsDocument>;

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
  summaries = new Summaries('ann');
  doc = A.from({ ...contacts.initial('ann') }) as A.Doc<ContactsDocument>;
  const host = {
    repo,
    removals: new Removals('ann', repo, null, new Set()),
    confirmations: new Confirmations(new ConfirmedHeads(null), () => {}),
    tabs: noTabs as never,
    onChange() {},
  };
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
