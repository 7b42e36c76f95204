import { toast } from 'sonner';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isOfPlace, placePhotosOf } from '../../client/features/locations/place/photo-outbox.ts';
import type { UserDocuments } from '../../client/platform/sync/documents/user-documents.ts';
import { outboxOf } from '../../client/platform/sync/outbox/outbox.ts';
import { NO_SYNC, type SyncState } from '../../client/platform/sync/state/document-state.ts';
import { openDatabase } from '../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../fresh-indexed-db.ts';

/** The arguments with which photos were added to the stored places. */
const addedPhotos = vi.hoisted(() => [] as unknown[][]);
vi.mock('../../client/features/locations/opened-places.ts', () => ({
  addPhoto: (...added: unknown[]) => addedPhotos.push(added),
}));

// Read by imported modules, and not there in Node 20.
vi.hoisted(() => vi.stubGlobal('navigator', {}));

let devices: Device[] = [];

/** A fake of the parts of UserDocuments that the outbox uses. */
class Device {
  readonly userId = 'ann';
  readonly database = openDatabase('ann');
  isOnline = false;
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  isClosed = false;
  noteRefusing() {}
  noteUnreadable() {}
  getDocument = () => ({ status: 'loading', doc: null });
  getSyncState = (): SyncState => ({
    ...NO_SYNC,
    connection: this.isOnline ? 'connected' : 'offline',
    isConfirmed: true,
    isCompared: true,
  });

  constructor() {
    devices.push(this);
  }

  connect() {
    this.isOnline = true;
    for (const listener of this.#listeners) listener();
  }

  outbox = () => placePhotosOf(this as unknown as UserDocuments);
}

const photo = (text: string) => new Blob([text], { type: 'image/webp' });
const accepted = () =>
  Response.json({
    photo: {
      id: 'photo',
      image_key: 'key',
      creator_user_id: 'ann',
      author_name: 'Ann',
      created_at: new Date(0).toISOString(),
    },
  });

let uploads: { path: string; key: string | null; text: string }[];
let answer: () => Response;

beforeEach(() => {
  freshIndexedDb();
  uploads = [];
  addedPhotos.length = 0;
  answer = accepted;
  vi.spyOn(console, 'error').mockReturnValue();
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal(
    'fetch',
    async (path: string, init: { headers: Record<string, string>; body: FormData }) => {
      // Other calls of the outbox are on their way.
      if (!(init.body instanceof FormData)) return new Promise<Response>(() => {});
      const text = await (init.body.get('image') as Blob).text();
      uploads.push({ path, key: init.headers['idempotency-key'] ?? null, text });
      return answer();
    },
  );
});
afterEach(() => {
  // Other files share this one's globals: what waits must not be sent there.
  for (const device of devices) device.isClosed = true;
  devices = [];
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a photo of a place', () => {
  test('waits without a network, survives a restart, and is uploaded once there is one', async () => {
    const before = new Device().outbox();
    await before.add('oak', photo('one'));
    const [[id, shown]] = [...before.getPictures()] as [[string, { url: string; state: string }]];
    expect(isOfPlace(id, 'oak')).toBe(true);
    expect(isOfPlace(id, 'oa')).toBe(false);
    expect(shown).toMatchObject({
      url: expect.stringMatching(/^blob:/) as string,
      state: 'waiting',
    });
    expect(uploads).toEqual([]);

    const device = new Device();
    const outbox = device.outbox();
    await vi.waitFor(() => expect(outbox.getPictures().size).toBe(1));
    device.connect();
    await vi.waitFor(() => expect(outbox.getPictures().size).toBe(0));
    expect(uploads).toEqual([
      { path: '/api/locations/oak/photos', key: expect.any(String) as string, text: 'one' },
    ]);
    // The place may be closed, so the photo is added to its copy on the device.
    expect(addedPhotos).toEqual([['ann', 'oak', expect.objectContaining({ id: 'photo' })]]);
    // And from the device.
    const rows = await (await device.database).read('place_photos', (store) => store.getAll());
    expect(rows).toEqual([]);
  });

  test('stays after a 404 of a proxy, which says nothing about the place', async () => {
    answer = () => new Response('<html>', { status: 404 });
    const device = new Device();
    await device.outbox().add('oak', photo('one'));
    device.connect();
    await vi.waitFor(() => expect(uploads).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(device.outbox().getUnsentCount()).toBe(1);
    expect(await (await device.database).read('place_photos', (rows) => rows.count())).toBe(1);
  });

  test('is kept with the reason when the owner has enough photos of the place, until it is removed', async () => {
    const error = 'You can add up to 5 photos of a place';
    answer = () => Response.json({ error, code: 'too_many_photos' }, { status: 409 });
    const device = new Device();
    const outbox = device.outbox();
    await outbox.add('oak', photo('one'));
    device.connect();
    await vi.waitFor(() =>
      expect([...outbox.getPictures().values()]).toMatchObject([
        { state: 'refused', problem: error },
      ]),
    );
    expect(uploads).toHaveLength(1);
    await outbox.drop([...outbox.getPictures().keys()][0]!);
    expect(outbox.getPictures().size).toBe(0);
  });

  test('is sent again when the owner removed another that the server still has', async () => {
    const full = { error: 'You can add up to 5 photos of a place', code: 'too_many_photos' };
    answer = () => Response.json(full, { status: 409 });
    const device = new Device();
    await outboxOf(device as unknown as UserDocuments).add('locations.removePhoto', {
      params: { id: 'other' },
    });
    const outbox = device.outbox();
    await outbox.add('oak', photo('one'));
    device.connect();
    await vi.waitFor(() => expect(uploads).toHaveLength(1));
    await vi.waitFor(() => expect(console.error).toHaveBeenCalledOnce());
    expect([...outbox.getPictures().values()]).toMatchObject([{ state: 'waiting' }]);
  });

  test('is dropped with its place, and the owner is told', async () => {
    answer = () =>
      Response.json({ error: 'Location not found', code: 'not_found' }, { status: 404 });
    const told = vi.spyOn(toast, 'error').mockReturnValue('');
    const device = new Device();
    const outbox = device.outbox();
    await outbox.add('oak', photo('one'));
    device.connect();
    await vi.waitFor(() => expect(told).toHaveBeenCalledOnce());
    expect(outbox.getPictures().size).toBe(0);
  });
});
