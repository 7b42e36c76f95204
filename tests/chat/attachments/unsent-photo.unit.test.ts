import { Repo } from '@automerge/automerge-repo';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { attachmentsOf } from '../../../client/features/chat/attachments/attachment-outbox.ts';
import { Numbering } from '../../../client/features/chat/thread/numbering.ts';
import { OpenThread } from '../../../client/features/chat/thread/open-thread.ts';
import { SegmentIntents } from '../../../client/features/chat/thread/segment-intents.ts';
import type { ThreadLimits } from '../../../client/features/chat/types.ts';
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
import { noTabs, stubBrowser } from '../device.ts';
import { segmentOn } from '../segments.ts';

const LIMITS: ThreadLimits = {
  isFrozen: false,
  hidden: new Set(),
  withdrawn: new Set(),
  edits: new Map(),
};

beforeEach(() => {
  freshIndexedDb();
  stubBrowser();
});

afterEach(() => vi.unstubAllGlobals());

test('a photo of a message that is being unsent stays until that can’t be taken back', async () => {
  const repo = new Repo();
  const [mine, theirs] = [segmentOn(repo, 0), segmentOn(repo, 0)];
  const segments = [{ number: 1, mine, theirs }];
  const known = { friend_user_id: 'bob', thread_id: 't', segments, waiting: [] };
  const thread = new OpenThread(known, LIMITS, new Numbering(), {
    repo,
    removals: new DocumentRemovals('ann', repo, null, new Set()),
    confirmations: new Confirmations(new ConfirmedHeads(null), () => {}),
    tabs: noTabs as never,
    readStored: async () => null,
    intents: new SegmentIntents(
      new Journal({
        database: Promise.resolve(null),
        isClosed: false,
        noteRefusing() {},
        noteUnreadable() {},
      }),
      't',
    ),
    onChange: () => {},
  });
  await thread.whenSettled();
  let changed = () => {};
  const documents = {
    userId: 'ann',
    isClosed: false,
    database: openDatabase('ann'),
    subscribe: (listener: () => void) => (changed = listener),
    noteRefusing() {},
    noteUnreadable() {},
    getSyncState: () => NO_SYNC,
    getDocument: () => ({ status: 'ready', doc: null }),
    part: () => ({ get: () => thread }),
  };
  const photos = attachmentsOf(documents as unknown as UserDocuments);
  const sent = thread.send('Look', { photo: { width: 4, height: 3 } });
  await photos.add('bob', sent, new Blob(['jpeg']));
  const look = async () => {
    changed();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return [...photos.getPictures().keys()];
  };
  thread.follow(known, { ...LIMITS, withdrawn: new Set([sent.key]) });
  expect(thread.getView().messages).toEqual([]);
  expect(await look()).toEqual([sent.key]);
  // Taken back.
  thread.follow(known, LIMITS);
  expect(thread.getView().messages).toHaveLength(1);
  expect(await look()).toEqual([sent.key]);
  thread.close();
});
