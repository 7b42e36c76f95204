import { toast } from 'sonner';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hazardPhotosOf } from '../../client/features/hazards/photo-outbox.ts';
import type { UserDocuments } from '../../client/platform/sync/documents/user-documents.ts';
import { NO_SYNC, type SyncState } from '../../client/platform/sync/state/document-state.ts';
import { openDatabase } from '../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../fresh-indexed-db.ts';

vi.mock('../../client/features/hazards/use-hazards.ts', () => ({ refetchHazards: () => {} }));

// Read by imported modules, and not there in Node 20.
vi.hoisted(() => vi.stubGlobal('navigator', {}));

/** A fake of the parts of UserDocuments that the outbox uses. */
class Device {
  readonly userId = 'ann';
  readonly database = openDatabase('ann');
  isOnline = false;
  isClosed = false;
  readonly #listeners = new Set<() => void>();
  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  noteRefusing() {}
  noteUnreadable() {}
  getSyncState = (): SyncState => ({
    ...NO_SYNC,
    connection: this.isOnline ? 'connected' : 'offline',
    isConfirmed: true,
    isCompared: true,
  });
  connect() {
    this.isOnline = true;
    for (const listener of this.#listeners) listener();
  }
  outbox = () => hazardPhotosOf(this as unknown as UserDocuments);
}

const BODY = { kind: 'glass', description: 'By the gate', latitude: 1, longitude: 2 } as const;
const HAZARD = {
  ...BODY,
  id: 'made',
  reported_at: new Date(0).toISOString(),
  expires_at: new Date(0).toISOString(),
  confirmed_count: 0,
  denied_count: 0,
  own_vote: null,
  is_own: true,
};
const photo = new Blob(['glass'], { type: 'image/webp' });

let sent: { path: string; key: string | undefined; body: unknown }[];
let refusal: Response | null;

beforeEach(() => {
  freshIndexedDb();
  sent = [];
  refusal = null;
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal(
    'fetch',
    async (path: string, init: { headers: Record<string, string>; body: FormData | string }) => {
      const { body } = init;
      const isPhoto = body instanceof FormData;
      const read = isPhoto
        ? await (body.get('image') as Blob).text()
        : (JSON.parse(body) as unknown);
      sent.push({ path, key: init.headers['idempotency-key'], body: read });
      return (isPhoto && refusal) || Response.json({ hazard: HAZARD });
    },
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a photo of a hazard that was reported offline', () => {
  test('survives a restart and follows its report, which is repeated with its key', async () => {
    await new Device().outbox().add('report', BODY, photo);
    expect(sent).toEqual([]);

    const device = new Device();
    const outbox = device.outbox();
    await vi.waitFor(() => expect(outbox.getUnsentCount()).toBe(1));
    device.connect();
    await vi.waitFor(() => expect(outbox.getPictures().size).toBe(0));
    expect(sent).toEqual([
      { path: '/api/hazards', key: 'report', body: BODY },
      { path: '/api/hazards/made/photo', key: expect.any(String) as string, body: 'glass' },
    ]);
    expect(sent[1]?.key).not.toBe('report');
    expect(await (await device.database).read('hazard_photos', (rows) => rows.count())).toBe(0);
  });

  test.each([
    [404, 'not_found', 'The hazard isn’t there anymore.'],
    [415, 'unsupported_image', 'Not an image'],
  ])('is dropped with a notice after a %i', async (status, code, words) => {
    const shown = vi.spyOn(toast, 'error').mockReturnValue('');
    refusal = Response.json({ error: 'Not an image', code }, { status });
    const device = new Device();
    await device.outbox().add('report', BODY, photo);
    device.connect();
    await vi.waitFor(() => expect(device.outbox().getPictures().size).toBe(0));
    expect(shown).toHaveBeenCalledWith(expect.stringContaining(words));
  });

  test.each([
    [404, 'a proxy’s page'],
    [413, 'a proxy’s page'],
    [409, 'key_reused'],
  ])('stays after a %i that says nothing about it: %s', async (status, code) => {
    vi.spyOn(console, 'error').mockReturnValue();
    refusal =
      code === 'key_reused'
        ? Response.json({ error: '', code }, { status })
        : new Response('<html>', { status });
    const device = new Device();
    await device.outbox().add('report', BODY, photo);
    device.connect();
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await (await device.database).read('hazard_photos', (rows) => rows.count())).toBe(1);
    expect(device.outbox().getUnsentCount()).toBe(1);
  });
});
