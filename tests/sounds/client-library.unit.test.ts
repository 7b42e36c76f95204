import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { soundChanges } from '#shared/sounds/document.ts';
import { SoundLibrary } from '../../client/features/sounds/sound-library.ts';
import type { UserDocuments } from '../../client/platform/sync/documents/user-documents.ts';
import {
  NO_SYNC,
  type DocumentState,
  type SyncState,
} from '../../client/platform/sync/state/document-state.ts';
import { openDatabase } from '../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../fresh-indexed-db.ts';

/** The part of a device's documents that the library uses. */
class Device {
  readonly userId = 'ann';
  readonly isClosed = false;
  readonly database = openDatabase('ann');
  noteRefusing() {}
  noteUnreadable() {}
  isConnected = false;
  readonly account = { sounds: {} };
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  getSyncState = (): SyncState => ({
    ...NO_SYNC,
    connection: this.isConnected ? 'connected' : 'offline',
    isConfirmed: this.isConnected,
    isCompared: true,
  });
  getDocument = (): DocumentState => ({ status: 'ready', doc: this.account });
  change = (_kind: string, name: keyof typeof soundChanges, input: never) => {
    soundChanges[name].apply(this.account, input);
    this.#notify();
  };
  connect() {
    this.isConnected = true;
    this.#notify();
  }
  #notify() {
    for (const listener of this.#listeners) listener();
  }

  library = () => new SoundLibrary(this as unknown as UserDocuments);
}

const bytes = (text: string) => new TextEncoder().encode(text).buffer;
const textOf = (buffer: ArrayBuffer | null) => buffer && new TextDecoder().decode(buffer);
const deep = { name: 'Deep', sound_type: 'leash_on', image_filename: null } as const;
const states = (library: SoundLibrary) =>
  library.getSounds().map(({ name, state }) => [name, state]);

let asked: string[];
let answer: (path: string) => Response;

beforeEach(() => {
  freshIndexedDb();
  vi.stubGlobal('navigator', { onLine: true });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  asked = [];
  answer = () => new Response('recording');
  vi.stubGlobal('fetch', async (path: string, init: RequestInit = {}) => {
    asked.push(`${init.method ?? 'GET'} ${path}`);
    return answer(path);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const taken = (path: string) =>
  Response.json({
    sound: {
      id: path.split('/')[3],
      user_id: 'ann',
      name: 'Deep',
      sound_type: 'leash_on',
      image_key: 'key',
      image_filename: null,
    },
  });

test('a new sound is available at once and after a restart, and is uploaded when online', async () => {
  const device = new Device();
  const library = device.library();
  await library.add(deep, bytes('woof'));
  expect(states(library)).toEqual([['Deep', 'waiting']]);
  expect(textOf(library.bytesOf('leash_on'))).toBe('woof');
  expect(library.bytesOf('leash_off')).toBeNull();
  expect(asked).toEqual([]);

  const later = device.library();
  await expect.poll(() => textOf(later.bytesOf('leash_on'))).toBe('woof');
  answer = taken;
  device.connect();
  await expect.poll(() => states(later)).toEqual([['Deep', 'saved']]);
  expect(asked[0]).toMatch(/^POST \/api\/sounds\/[\w-]+\/recording$/);
});

test('downloads a sound of another device once', async () => {
  const device = new Device();
  const library = device.library();
  device.change('account', 'sound.set', { ...deep, id: 's' } as never);
  device.change('account', 'sound.recording', { id: 's', image_key: 'there' } as never);
  expect(states(library)).toEqual([['Deep', 'downloading']]);
  device.connect();
  await expect.poll(() => states(library)).toEqual([['Deep', 'saved']]);
  expect(asked).toEqual(['GET /api/sound-files/there']);
  const later = device.library();
  await expect.poll(() => textOf(later.bytesOf('leash_on'))).toBe('recording');
  expect(asked).toHaveLength(1);
});

test('shows why the server rejected a sound and does not send it again', async () => {
  const device = new Device();
  const library = device.library();
  await library.add(deep, bytes('no sound'));
  answer = () =>
    Response.json(
      { error: 'Please select an audio file', code: 'unsupported_media' },
      { status: 415 },
    );
  device.connect();
  await expect.poll(() => states(library)).toEqual([['Deep', 'refused']]);
  expect(library.getSounds()[0]?.problem).toBe('Please select an audio file');
  device.connect();
  expect(asked).toHaveLength(1);
});

test('removes a deleted sound from the device', async () => {
  const device = new Device();
  const library = device.library();
  await library.add(deep, bytes('woof'));
  const [sound] = library.getSounds();
  await library.remove(sound?.id ?? '');
  expect(library.getSounds()).toEqual([]);
  expect(library.bytesOf('leash_on')).toBeNull();
  device.connect();
  const database = await device.database;
  const count = () => database.read('sounds', (store) => store.count());
  await expect.poll(count).toBe(0);
});
