import { getHeads } from '@automerge/automerge';
import { Repo, type AutomergeUrl, type DocHandle } from '@automerge/automerge-repo';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SegmentDocument } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { attachmentsOf } from '../../../client/features/chat/attachments/attachment-outbox.ts';
import { Numbering } from '../../../client/features/chat/thread/numbering.ts';
import { OpenThread } from '../../../client/features/chat/thread/open-thread.ts';
import { SegmentIntents } from '../../../client/features/chat/thread/segment-intents.ts';
import type { ThreadLimits } from '../../../client/features/chat/types.ts';
import { CallError } from '../../../client/platform/http/api-client.ts';
import { call } from '../../../client/platform/http/api.ts';
import {
  Confirmations,
  ConfirmedHeads,
} from '../../../client/platform/sync/documents/unsynced-changes.ts';
import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { NO_SYNC } from '../../../client/platform/sync/state/document-state.ts';
import { DocumentRemovals } from '../../../client/platform/sync/storage/document-removals.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';
import { FakeLocks } from '../../sync/outbox/fake-locks.ts';
import { noTabs, stubBrowser } from '../device.ts';
import { segmentOn } from '../segments.ts';

vi.mock('../../../client/platform/http/api.ts', () => ({ call: vi.fn<typeof call>() }));

const LIMITS: ThreadLimits = {
  isFrozen: false,
  hidden: new Set(),
  withdrawn: new Set(),
  edits: new Map(),
};

beforeEach(() => {
  freshIndexedDb();
  stubBrowser();
  vi.stubGlobal('navigator', { locks: new FakeLocks() });
});

afterEach(() => {
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

type Sent = { params: { id: string }; idempotencyKey: string };
const PHOTO = { image_key: null, width: 4, height: 3 };
const add = (segment: SegmentDocument, key: string, edited?: { from: string; first: string }) =>
  documentKinds.segment.changes['message.add'].apply(segment, {
    key,
    device: 'phone',
    seq: edited ? 2 : 1,
    at: new Date(0).toISOString(),
    text: key,
    photo: PHOTO,
    ...(edited && { edited }),
  });

test('a photo is sent again to the version that its message has by then', async () => {
  const repo = new Repo();
  const [mine, theirs] = [segmentOn(repo, 0), segmentOn(repo, 0)];
  const known = {
    friend_user_id: 'bob',
    thread_id: 't',
    segments: [{ number: 1, mine, theirs }],
    waiting: [],
  };
  const heads = new ConfirmedHeads(null);
  const journal = new Journal({
    database: Promise.resolve(null),
    isClosed: false,
    noteRefusing() {},
    noteUnreadable() {},
  });
  const host = {
    repo,
    removals: new DocumentRemovals('ann', repo, null, new Set()),
    confirmations: new Confirmations(heads, () => {}),
    tabs: noTabs as never,
    readStored: async () => null,
    intents: new SegmentIntents(journal, 't'),
    onChange: () => {},
  };
  const open = async () => {
    const opened = new OpenThread(known, LIMITS, new Numbering(), host);
    await opened.whenSettled();
    return opened;
  };
  let thread = await open();
  const segment: DocHandle<SegmentDocument> = await repo.find(mine as AutomergeUrl);
  const { documentId } = segment;
  /** Adds a version of the message, which the server has. */
  const write = (key: string, edited?: { from: string; first: string }) => {
    segment.change((doc) => add(doc, key, edited));
    heads.set(documentId, getHeads(segment.doc()));
    thread.getView();
  };
  let changed = () => {};
  let connection = 'connected';
  const documents = {
    userId: 'ann',
    isClosed: false,
    database: openDatabase('ann'),
    subscribe: (listener: () => void) => (changed = listener),
    noteRefusing() {},
    noteUnreadable() {},
    getSyncState: () => ({ ...NO_SYNC, connection }),
    getDocument: () => ({ status: 'ready', doc: null }),
    part: () => ({ get: () => thread }),
  };
  const photos = attachmentsOf(documents as unknown as UserDocuments);
  vi.mocked(call).mockRejectedValueOnce(new CallError('The answer was lost', 0, 'unreachable'));
  vi.mocked(call).mockResolvedValue({});
  write('first');
  await photos.add('bob', { number: 1, key: 'first' }, new Blob(['jpeg']));
  const sent = () => vi.mocked(call).mock.calls.map(([, given]) => given as Sent);
  await vi.waitFor(() => expect(sent()).toHaveLength(1));
  // Another device edits it, and this one starts again.
  write('second', { from: 'first', first: 'first' });
  thread.close();
  thread = await open();
  thread.getView();
  connection = 'offline';
  changed();
  connection = 'connected';
  changed();
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent().map(({ params }) => params)).toEqual([
    { id: `${documentId}.first` },
    { id: `${documentId}.second` },
  ]);
  // A server takes a key for one request only.
  expect(new Set(sent().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  thread.close();
});
