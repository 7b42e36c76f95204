import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';
import {
  UploadOutbox,
  type PicturePlace,
  type StoredPicture,
} from '../../../client/platform/sync/outbox/upload-outbox.ts';
import { NO_SYNC } from '../../../client/platform/sync/state/document-state.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { oneTabAtATime } from '../../../client/platform/sync/tabs/tab-coordination.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';
import { FakeLocks } from './fake-locks.ts';

/** What the server has, and the document of all tabs shows. */
let server: {
  answers: Map<string, string>;
  imageKey: string | null;
  uploads: string[];
  /** Whether uploads get into the document. */
  isNoting: boolean;
};
let connection: 'connected' | 'offline';

class Pictures extends UploadOutbox {
  failureOf: (id: string) => Error | null = () => null;

  add = (id: string, bytes = 'jpeg') => this.keep(id, new Blob([bytes]), {});

  protected placeOf(): PicturePlace {
    return { imageKey: server.imageKey, isOnServer: true };
  }

  protected async upload(
    id: string,
    { idempotencyKey }: StoredPicture,
    file: Blob,
  ): Promise<string> {
    const failure = this.failureOf(id);
    if (failure) throw failure;
    server.uploads.push(`${id} ${await file.text()}`);
    const key = server.answers.get(idempotencyKey) ?? `K${server.answers.size + 1}`;
    if (server.isNoting && !server.answers.has(idempotencyKey)) server.imageKey = key;
    server.answers.set(idempotencyKey, key);
    return key;
  }
}

function openTab() {
  let notify = () => {};
  const documents = {
    userId: 'ann',
    isClosed: false,
    database: openDatabase('ann'),
    subscribe: (listener: () => void) => (notify = listener),
    noteRefusing() {},
    noteUnreadable() {},
    getSyncState: () => ({ ...NO_SYNC, connection }),
  } as unknown as UserDocuments;
  const pictures = new Pictures(documents, 'pictures', 'Failed to upload');
  return {
    pictures,
    async look() {
      notify();
      await new Promise((resolve) => setTimeout(resolve, 50));
    },
  };
}

const connect = async (...tabs: ReturnType<typeof openTab>[]) => {
  connection = 'connected';
  await Promise.all(tabs.map((tab) => tab.look()));
  await Promise.all(tabs.map((tab) => tab.look()));
};

beforeEach(() => {
  freshIndexedDb();
  server = { answers: new Map(), imageKey: null, uploads: [], isNoting: true };
  connection = 'offline';
  vi.stubGlobal('navigator', { locks: new FakeLocks() });
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('sends what was added while another tab was sending, once that has ended, although nothing else happens', async () => {
  let end = () => {};
  const otherTab = oneTabAtATime('pictures-ann', () => new Promise((resolve) => (end = resolve)));
  const { pictures } = openTab();
  connection = 'connected';
  await pictures.add('rex');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(server.uploads).toEqual([]);
  end();
  await otherTab;
  await vi.waitFor(() => expect(server.uploads).toEqual(['rex jpeg']));
});

/** Two tabs, of which the second has read the picture that the first added. */
async function openTwo() {
  const one = openTab();
  await one.pictures.add('rex', 'old');
  await one.pictures.whenStored('rex');
  const two = openTab();
  await vi.waitFor(() => expect(two.pictures.getUnsentCount()).toBe(1));
  return [one, two] as const;
}

test('two tabs send a picture once, and neither keeps it', async () => {
  const [one, two] = await openTwo();
  await connect(one, two);
  expect(server.uploads).toEqual(['rex old']);
  const stored = openTab();
  await stored.look();
  expect([one, two, stored].map(({ pictures }) => pictures.getPictures().size)).toEqual([0, 0, 0]);
});

test('no tab sends a picture that another has replaced', async () => {
  const [one, two] = await openTwo();
  await one.pictures.add('rex', 'new');
  await one.pictures.whenStored('rex');
  await connect(two, one);
  expect(server.uploads).toEqual(['rex new']);
});

test('a picture that takes too long lets others go', async () => {
  const tab = openTab();
  await tab.pictures.add('big');
  await tab.pictures.add('small');
  tab.pictures.failureOf = (id) => (id === 'big' ? new DOMException('', 'TimeoutError') : null);
  await connect(tab);
  expect(server.uploads).toEqual(['small jpeg']);
});

test('a picture that the document shows before its upload is answered leaves this device', async () => {
  const tab = openTab();
  await tab.pictures.add('rex');
  const database = await openDatabase('ann');
  const rows: StoredPicture[] = await database.read('pictures', (store) => store.getAll());
  server.answers.set(rows[0]!.idempotencyKey, 'K1');
  server.imageKey = 'K1';
  await connect(tab);
  expect(server.uploads).toEqual(['rex jpeg']);
  expect(tab.pictures.getPictures().size).toBe(0);
});

test('a picture that was sent is sent again after a reconnect, as the server may have been restored from a backup', async () => {
  const tab = openTab();
  await tab.pictures.add('rex');
  server.isNoting = false;
  await connect(tab);
  expect(server.uploads).toHaveLength(1);
  expect(tab.pictures.getUnsentCount()).toBe(0);
  connection = 'offline';
  await tab.look();
  expect(tab.pictures.getUnsentCount()).toBe(1);
  server.answers.clear();
  server.isNoting = true;
  await connect(tab);
  expect(server.uploads).toHaveLength(2);
  expect(tab.pictures.getPictures().size).toBe(0);
});
