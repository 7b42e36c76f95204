import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';
import {
  UploadOutbox,
  type PicturePlace,
} from '../../../client/platform/sync/outbox/upload-outbox.ts';
import { NO_SYNC } from '../../../client/platform/sync/state/document-state.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { oneTabAtATime } from '../../../client/platform/sync/tabs/tab-coordination.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';
import { FakeLocks } from './fake-locks.ts';

/** Sends pictures at once. */
class Pictures extends UploadOutbox {
  readonly uploaded: string[] = [];

  add = (id: string) => this.keep(id, new Blob(['jpeg']), {});

  protected placeOf(): PicturePlace {
    return { imageKey: null, isOnServer: true };
  }

  protected async upload(id: string): Promise<void> {
    this.uploaded.push(id);
  }
}

beforeEach(() => {
  freshIndexedDb();
  vi.stubGlobal('navigator', { locks: new FakeLocks() });
});
afterEach(() => vi.unstubAllGlobals());

test('sends what was added while another tab was sending, once that has ended, although nothing else happens', async () => {
  let end = () => {};
  const otherTab = oneTabAtATime('pictures-ann', () => new Promise((resolve) => (end = resolve)));
  const documents = {
    userId: 'ann',
    isClosed: false,
    database: openDatabase('ann'),
    subscribe() {},
    noteRefusing() {},
    noteUnreadable() {},
    getSyncState: () => ({ ...NO_SYNC, connection: 'connected' }),
  } as unknown as UserDocuments;
  const pictures = new Pictures(documents, 'pictures', 'Failed to upload');
  await pictures.add('rex');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(pictures.uploaded).toEqual([]);
  end();
  await otherTab;
  await vi.waitFor(() => expect(pictures.uploaded).toEqual(['rex']));
});
