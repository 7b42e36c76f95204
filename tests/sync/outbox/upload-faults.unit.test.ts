import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallError } from '../../../client/platform/http/api-client.ts';
import { rememberedUser } from '../../../client/platform/session/remembered-user.ts';
import { CURRENT_USER } from '../../../client/platform/storage-keys.ts';
import {
  REMOVED_AFTER_MS,
  type StoredPicture,
} from '../../../client/platform/sync/outbox/upload-outbox.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { PictureServer } from './picture-tabs.ts';

let server: PictureServer;

beforeEach(() => {
  server = new PictureServer();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const storedKeys = async () =>
  (await openDatabase('ann')).read('pictures', (store) => store.getAllKeys());

describe('of two tabs', () => {
  test('a picture that one chooses while the other sends an older one is sent, too', async () => {
    const [one, two] = [server.openTab(), server.openTab()];
    await one.pictures.add('rex', 'old');
    const open = server.hold();
    await server.connect(one);
    expect(server.uploads).toEqual(['rex old']);
    await two.pictures.add('rex', 'new');
    await two.pictures.whenStored('rex');
    open();
    await server.connect(one, two);
    await server.connect(one, two);
    expect(server.uploads).toEqual(['rex old', 'rex new']);
    expect(await storedKeys()).toEqual([]);
  });

  test('one that only hears that an older picture arrived leaves the newer one', async () => {
    server.isNoting = false;
    const one = server.openTab();
    await one.pictures.add('rex', 'old');
    await server.connect(one);
    server.connection = 'offline';
    const two = server.openTab();
    await two.pictures.add('rex', 'new');
    await two.pictures.whenStored('rex');
    server.imageKey = 'K1 old';
    await one.look();
    expect(await storedKeys()).toEqual(['rex']);
    server.isNoting = true;
    await server.connect(two);
    expect(server.uploads).toEqual(['rex old', 'rex new']);
  });

  test('one sends what the other left when it was closed', async () => {
    const one = server.openTab();
    await one.look();
    const other = server.openTab();
    await other.pictures.add('rex');
    await other.pictures.whenStored('rex');
    await server.connect(one);
    expect(server.uploads).toEqual(['rex jpeg']);
  });
});

describe('a picture', () => {
  test('whose answer was lost, and that another device has replaced since, leaves this device', async () => {
    server.imageKey = 'A';
    const tab = server.openTab();
    await tab.pictures.add('rex', 'mine');
    const open = server.hold();
    await server.connect(tab);
    const database = await openDatabase('ann');
    const rows: StoredPicture[] = await database.read('pictures', (store) => store.getAll());
    server.answers.set(rows[0]!.idempotencyKey, 'K1 mine');
    server.imageKey = 'K2 newer';
    open();
    await tab.look();
    expect(tab.pictures.getPictures().size).toBe(0);
  });

  test('that is removed while it is sent is not published', async () => {
    const tab = server.openTab();
    await tab.pictures.add('@owner');
    const open = server.hold();
    await server.connect(tab);
    expect(server.uploads).toHaveLength(1);
    await tab.pictures.drop('@owner');
    open();
    await tab.look();
    expect(server.imageKey).toBeNull();
    expect(await storedKeys()).toEqual([]);
  });

  test('that a proxy refuses is sent again', async () => {
    const tab = server.openTab();
    await tab.pictures.add('rex');
    tab.pictures.failureOf = () => new CallError('', 413, 'failed');
    await server.connect(tab);
    expect(tab.pictures.getRefusedCount()).toBe(0);
    tab.pictures.failureOf = () => null;
    server.connection = 'offline';
    await tab.look();
    await server.connect(tab);
    expect(server.uploads).toEqual(['rex jpeg']);
  });

  test.each([new CallError('', 502, 'failed'), new CallError('', 0, 'offline'), new TypeError('')])(
    'that always fails with %s lets others go',
    async (error) => {
      const tab = server.openTab();
      await tab.pictures.add('bad');
      await tab.pictures.add('good');
      tab.pictures.failureOf = (id) => (id === 'bad' ? error : null);
      await server.connect(tab);
      await vi.waitFor(() => expect(server.uploads).toEqual(['good jpeg']), { timeout: 5_000 });
    },
  );

  test('that the server fails to take for minutes is tried once an hour, and is not lost', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const tab = server.openTab();
    await tab.pictures.add('rex');
    let tries = 0;
    tab.pictures.failureOf = () => {
      tries++;
      return new CallError('', 500, 'internal');
    };
    server.connection = 'connected';
    const triesWithin = async (minutes: number) => {
      tries = 0;
      for (let minute = 0; minute < minutes; minute++) {
        void tab.look();
        await vi.advanceTimersByTimeAsync(60_000);
        // IndexedDB takes real time.
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      }
      return tries;
    };
    expect(await triesWithin(10)).toBeGreaterThanOrEqual(8);
    await triesWithin(5);
    expect(await triesWithin(120)).toBeLessThanOrEqual(3);
    tab.pictures.failureOf = () => null;
    await triesWithin(70);
    expect(server.uploads).toEqual(['rex jpeg']);
  });

  test('is not sent with the session of another user', async () => {
    const bea = {
      id: 'bea',
      email: '',
      given_name: '',
      name: '',
      picture: null,
      is_admin: false,
      access_expires_at: null,
      has_access: true,
      documents: { card: '', account: '', contacts: '' },
    };
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => (key === CURRENT_USER ? JSON.stringify(bea) : null),
    });
    expect(rememberedUser()?.id).toBe('bea');
    const tab = server.openTab();
    await tab.pictures.add('rex');
    await server.connect(tab);
    expect(server.uploads).toEqual([]);
  });

  test('that was sent is sent again after a connection that was lost and came back at once', async () => {
    server.isNoting = false;
    const tab = server.openTab();
    await tab.pictures.add('rex');
    await server.connect(tab);
    server.connection = 'connecting';
    await tab.look();
    await server.connect(tab);
    expect(server.uploads).toHaveLength(2);
  });
});

describe('a picture that belongs nowhere any more', () => {
  async function removed() {
    const tab = server.openTab();
    await tab.pictures.add('rex');
    await tab.pictures.whenStored('rex');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    server.place = 'gone';
    void tab.look();
    await vi.advanceTimersByTimeAsync(REMOVED_AFTER_MS / 2);
    expect(tab.pictures.getUnsentCount()).toBe(0);
    return tab;
  }

  test('is there again when the removal is undone', async () => {
    const tab = await removed();
    server.place = null;
    void tab.look();
    await vi.advanceTimersByTimeAsync(REMOVED_AFTER_MS);
    vi.useRealTimers();
    expect(tab.pictures.getUnsentCount()).toBe(1);
    expect(await storedKeys()).toEqual(['rex']);
  });

  test('leaves the device once the server has said so, too', async () => {
    server.isConfirmed = false;
    const tab = await removed();
    await vi.advanceTimersByTimeAsync(REMOVED_AFTER_MS);
    expect(tab.pictures.getPictures().size).toBe(1);
    server.isConfirmed = true;
    await vi.advanceTimersByTimeAsync(REMOVED_AFTER_MS);
    vi.useRealTimers();
    expect(tab.pictures.getPictures().size).toBe(0);
    await vi.waitFor(async () => expect(await storedKeys()).toEqual([]));
  });
});
