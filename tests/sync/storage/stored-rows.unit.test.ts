import { IDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OWNER_PHOTO, PictureOutbox } from '../../../client/features/card/picture-outbox.ts';
import { AttachedFiles } from '../../../client/features/chat/composer/attached.ts';
import { SoundLibrary } from '../../../client/features/sounds/sound-library.ts';
import { WalkHistory } from '../../../client/features/walks/walk-history.ts';
import type { Walk } from '../../../client/features/walks/walk.ts';
import { Store as Subject } from '../../../client/platform/store.ts';
import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';
import { Journal } from '../../../client/platform/sync/journal/journal.ts';
import { Outbox } from '../../../client/platform/sync/outbox/outbox.ts';
import { NO_SYNC, type DocumentState } from '../../../client/platform/sync/state/document-state.ts';
import { openDatabase, type Store } from '../../../client/platform/sync/storage/local-database.ts';
import { StoredRows } from '../../../client/platform/sync/storage/stored-rows.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';

let devices: Device[] = [];

/** The part of a device's documents that its stores use. It is offline, and its documents are not open yet. */
class Device {
  readonly userId = 'ann';
  readonly database = openDatabase('ann');
  readonly losses = new Subject();
  /** The stores that the browser refuses to write to. */
  readonly refusing = new Set<string>();
  /** Those that it can't read. */
  readonly unreadable = new Set<string>();
  isClosed = false;

  constructor() {
    devices.push(this);
  }

  subscribe = () => () => {};
  getSyncState = () => NO_SYNC;
  getDocument = (): DocumentState => ({ status: 'loading', doc: null });
  change() {}
  noteRefusing(store: string, failing: boolean) {
    if (failing) this.refusing.add(store);
    else this.refusing.delete(store);
  }

  noteUnreadable(store: string, failing: boolean) {
    if (failing) this.unreadable.add(store);
    else this.unreadable.delete(store);
  }

  async count(store: Store): Promise<number> {
    return (await this.database).read(store, (rows) => rows.count());
  }
}

const walk: Walk = {
  id: 'w',
  startedAt: 0,
  endedAt: null,
  updatedAt: 0,
  movedAt: 0,
  distanceMeters: 0,
  metCount: 0,
  met: [],
};

const photo = { file: new File(['photo'], 'a.jpg'), width: 1, height: 1 };

/** Each writes one row. */
const WRITES: Partial<Record<Store, (documents: UserDocuments) => Promise<unknown>>> = {
  journal: async (documents) => {
    const journal = new Journal(documents);
    journal.write('a', { kind: 'card', name: 'dog.add', input: {} });
    await journal.flush();
  },
  outbox: (documents) =>
    new Outbox(documents).add('blocks.create', { body: { blocked_user_id: 'bob' } }),
  pictures: (documents) => new PictureOutbox(documents).add(OWNER_PHOTO, new Blob(['picture'])),
  sounds: (documents) =>
    new SoundLibrary(documents).add(
      { name: 'Deep', sound_type: 'leash_on', image_filename: null },
      new ArrayBuffer(4),
    ),
  walks: (documents) => new WalkHistory(documents).save(walk),
  attached: (documents) =>
    new AttachedFiles(documents).change('bo', (before) => ({ ...before, photos: [photo] })),
};
const CASES = Object.entries(WRITES) as [Store, (documents: UserDocuments) => Promise<unknown>][];

beforeEach(() => {
  freshIndexedDb();
  vi.stubGlobal('navigator', { onLine: false });
  vi.spyOn(console, 'warn').mockReturnValue();
});

afterEach(() => {
  // Other files share this one's globals: what waits must not be sent there.
  for (const device of devices) device.isClosed = true;
  devices = [];
});

describe.each(CASES)('%s', (store, write) => {
  it('says that the browser refuses a row, tries again, and says when it is stored', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const device = new Device();
    await device.database;
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('No room left', 'QuotaExceededError');
    });
    await write(device as unknown as UserDocuments);
    expect([...device.refusing]).toEqual([store]);
    full.mockRestore();
    vi.advanceTimersByTime(5_000);
    vi.useRealTimers();
    await expect.poll(() => [...device.refusing]).toEqual([]);
    expect(await device.count(store)).toBe(1);
  });

  it('stores a row again that the browser deleted under the open app', async () => {
    const device = new Device();
    await write(device as unknown as UserDocuments);
    expect(await device.count(store)).toBe(1);
    await (await device.database).commit(store, [(rows) => rows.clear()]);
    device.losses.notify();
    await expect.poll(() => device.count(store)).toBe(1);
  });

  it('writes nothing after the documents are closed', async () => {
    const device = new Device();
    device.isClosed = true;
    await write(device as unknown as UserDocuments).catch(() => {});
    expect(await device.count(store)).toBe(0);
    expect(device.refusing.size).toBe(0);
  });
});

/** How many rows each knows of, once it is opened; null while it doesn't know. */
const READS: Partial<Record<Store, (documents: UserDocuments) => () => number | null>> = {
  journal: (documents) => {
    const journal = new Journal(documents);
    void journal.load();
    return () => (journal.isRead ? journal.all().length : null);
  },
  outbox: (documents) => new Outbox(documents).getUnsentCount,
  pictures: (documents) => new PictureOutbox(documents).getUnsentCount,
  sounds: (documents) => new SoundLibrary(documents).getUnsentCount,
  attached: (documents) => new AttachedFiles(documents).getKeptCount,
  walks: (documents) => {
    const walks = new WalkHistory(documents);
    return () => walks.getAll()?.length ?? null;
  },
};

describe.each(CASES)('%s', (store, write) => {
  it('counts rows that can’t be read as unknown, says so, and reads them again', async () => {
    await write(new Device() as unknown as UserDocuments);
    vi.spyOn(console, 'error').mockReturnValue();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const lost = vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(() => {
      throw new DOMException('Connection to Indexed Database server lost', 'UnknownError');
    });
    const device = new Device();
    const count = READS[store]!(device as unknown as UserDocuments);
    await vi.waitFor(() => expect([...device.unreadable]).toEqual([store]));
    expect(count()).toBeNull();
    lost.mockRestore();
    vi.advanceTimersByTime(5_000);
    vi.useRealTimers();
    await expect.poll(count).toBe(1);
    expect(device.unreadable.size).toBe(0);
  });
});

it('settles when a row is stored that the browser refused at first, and with false where nothing is', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const device = new Device();
  const rows = new StoredRows<string>(
    device,
    'attached',
    () => 'row',
    () => ['a'],
  );
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('No room left', 'QuotaExceededError');
  });
  const settled = vi.fn<(isStored: boolean) => void>();
  rows.changed('a');
  void rows.whenStored('a').then(settled);
  expect(await rows.flush()).toBe(false);
  expect(settled).not.toHaveBeenCalled();
  full.mockRestore();
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(5_000);
    expect(settled).toHaveBeenCalledWith(true);
  });
  vi.useRealTimers();
  expect(await device.count('attached')).toBe(1);
  const none = { isClosed: false, database: Promise.resolve(null) };
  const unstored = new StoredRows<string>(
    { ...none, noteRefusing() {}, noteUnreadable() {} },
    'attached',
    () => 'row',
    () => ['a'],
  );
  expect(await unstored.whenStored('a')).toBe(false);
});
