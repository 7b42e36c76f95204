import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { uploadDogImage } from '#shared/dogs/contract.ts';
import { PictureOutbox } from '../../client/features/card/picture-outbox.ts';
import type { UserDocuments } from '../../client/platform/sync/documents/user-documents.ts';
import { REMOVED_AFTER_MS } from '../../client/platform/sync/outbox/upload-outbox.ts';
import {
  NO_SYNC,
  type DocumentState,
  type SyncState,
} from '../../client/platform/sync/state/document-state.ts';
import { openDatabase } from '../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../fresh-indexed-db.ts';

const DOG = 'dog-1';
const picture = (text: string) => new Blob([text], { type: 'image/webp' });

/** A fake of the parts of UserDocuments that the outbox uses. */
class Device {
  readonly userId = 'ann';
  readonly database = openDatabase('ann');
  isConfirmed = false;
  dogs: Record<string, object> = { [DOG]: dog(null) };
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  getSyncState = (): SyncState => ({
    ...NO_SYNC,
    connection: this.isConfirmed ? 'connected' : 'offline',
    isConfirmed: this.isConfirmed,
    isCompared: true,
  });
  readonly isClosed = false;
  noteRefusing() {}
  noteUnreadable() {}
  getDocument = (): DocumentState => ({ status: 'ready', doc: { dogs: this.dogs } });

  change(to: Partial<Pick<Device, 'isConfirmed' | 'dogs'>>) {
    Object.assign(this, to);
    for (const listener of this.#listeners) listener();
  }

  outbox = () => new PictureOutbox(this as unknown as UserDocuments);
}

const dog = (image_key: string | null) => ({
  name: 'Rex',
  sound_type: 'leash_on',
  image_key,
  created_at: '',
});

interface Upload {
  path: string;
  key: string | null;
  text: string;
}

let uploads: Upload[];
/** The responses to the uploads, in order. The last one repeats. */
let answers: ((signal?: AbortSignal) => Response | Promise<Response>)[];
const accepted = () =>
  Response.json({
    dog: { id: DOG, name: 'Rex', sound_type: 'leash_on', image_key: 'new', created_at: '' },
  });
const refused = () =>
  Response.json({ error: 'This is no picture', code: 'unsupported_media' }, { status: 415 });

beforeEach(() => {
  freshIndexedDb();
  uploads = [];
  answers = [accepted];
  vi.spyOn(console, 'error').mockReturnValue();
  vi.stubGlobal('navigator', {});
  vi.stubGlobal(
    'fetch',
    async (
      path: string,
      init: { headers: Record<string, string>; body: FormData; signal?: AbortSignal },
    ) => {
      if (path === '/api/health') throw new TypeError('Failed to fetch');
      const file = init.body.get('image') as Blob;
      uploads.push({ path, key: init.headers['idempotency-key'] ?? null, text: await file.text() });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      return (answer ?? accepted)(init.signal);
    },
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const stateOf = (outbox: PictureOutbox) => outbox.getPictures().get(DOG)?.state;

describe('uploading a picture', () => {
  it('shows a picture at once and uploads it when the server has the dog', async () => {
    const device = new Device();
    const outbox = device.outbox();
    await outbox.add(DOG, picture('one'));
    expect(outbox.getPictures().get(DOG)?.url).toMatch(/^blob:/);
    expect(stateOf(outbox)).toBe('waiting');
    expect(uploads).toEqual([]);
    device.change({ isConfirmed: true });
    await vi.waitFor(() => expect(stateOf(outbox)).toBe('sent'));
    expect(uploads).toMatchObject([{ path: `/api/dogs/${DOG}/image`, text: 'one' }]);
  });

  it('shows the same pictures once it has read that none is waiting, and says that it has', async () => {
    const outbox = new Device().outbox();
    const before = outbox.getPictures();
    const counts: (number | null)[] = [outbox.getUnsentCount()];
    outbox.subscribe(() => void counts.push(outbox.getUnsentCount()));
    // A later outbox has read the waiting pictures by then, and so has this one.
    await new Device().outbox().add(DOG, picture('one'));
    expect(counts).toEqual([null, 0]);
    expect(outbox.getPictures()).toBe(before);
  });

  it('keeps a picture until the dog’s card shows it', async () => {
    const device = new Device();
    const outbox = device.outbox();
    device.change({ isConfirmed: true });
    await outbox.add(DOG, picture('one'));
    await vi.waitFor(() => expect(stateOf(outbox)).toBe('sent'));
    device.change({ dogs: { [DOG]: dog('new') } });
    await vi.waitFor(() => expect(stateOf(outbox)).toBeUndefined());
  });

  it('a picture survives a restart and uploads once, however often it is retried', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const device = new Device();
    await new Device().outbox().add(DOG, picture('one'));
    answers = [
      () => Response.error(),
      () => Response.json({ error: 'Down', code: 'unavailable' }, { status: 503 }),
      accepted,
    ];
    const outbox = device.outbox();
    device.change({ isConfirmed: true });
    await vi.waitFor(() => expect(uploads).toHaveLength(1));
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(5_000);
      expect(uploads).toHaveLength(3);
    });
    await vi.waitFor(() => expect(stateOf(outbox)).toBe('sent'));
    expect(new Set(uploads.map(({ key }) => key)).size).toBe(1);
    expect(uploads[0]?.key).toBeTruthy();
  });

  it('waits as long as the server asks before retrying an upload', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const headers = { 'retry-after': '120' };
    answers = [
      () => Response.json({ error: 'Slowly', code: 'rate_limited' }, { status: 429, headers }),
      accepted,
    ];
    const device = new Device();
    const outbox = device.outbox();
    device.change({ isConfirmed: true });
    await outbox.add(DOG, picture('one'));
    await vi.waitFor(() => expect(uploads).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(100_000);
    device.change({});
    await vi.advanceTimersByTimeAsync(0);
    expect(uploads).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(21_000);
    await vi.waitFor(() => expect(stateOf(outbox)).toBe('sent'));
    expect(uploads).toHaveLength(2);
  });

  it.each([
    ['not found', 404],
    ['over a limit', 429],
  ])('uploads the others if one is %s', async (_, status) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    answers = [() => Response.json({ error: 'No', code: 'no' }, { status }), accepted];
    const device = new Device();
    device.dogs = { [DOG]: dog(null), 'dog-2': dog(null) };
    const outbox = device.outbox();
    await outbox.add(DOG, picture('one'));
    await outbox.add('dog-2', picture('two'));
    device.change({ isConfirmed: true });
    await vi.waitFor(() => expect(outbox.getPictures().get('dog-2')?.state).toBe('sent'));
    expect(uploads.map(({ text }) => text)).toEqual(['one', 'two']);
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(5_000);
      expect(stateOf(outbox)).toBe('sent');
    });
  });

  it('aborts and retries an upload on a stalled connection', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    answers = [
      (signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
      accepted,
    ];
    const device = new Device();
    const outbox = device.outbox();
    device.change({ isConfirmed: true });
    await outbox.add(DOG, picture('one'));
    await vi.waitFor(() => expect(uploads).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(stateOf(outbox)).toBe('waiting');
    expect(uploads).toHaveLength(1);
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(5_000);
      expect(stateOf(outbox)).toBe('sent');
    });
    expect(new Set(uploads.map(({ key }) => key)).size).toBe(1);
  });

  it('a newer picture replaces an older one of the same dog, even during its upload', async () => {
    const device = new Device();
    const outbox = device.outbox();
    device.change({ isConfirmed: true });
    let second: Promise<void> | undefined;
    answers = [
      () => {
        second = outbox.add(DOG, picture('two'));
        return accepted();
      },
      accepted,
    ];
    await outbox.add(DOG, picture('one'));
    await vi.waitFor(() => expect(second).toBeDefined());
    await second;
    device.change({});
    await vi.waitFor(() => expect(uploads.map(({ text }) => text)).toEqual(['one', 'two']));
    await vi.waitFor(() => expect(stateOf(outbox)).toBe('sent'));
    expect(uploads[0]?.key).not.toBe(uploads[1]?.key);
  });

  it('does not retry a refused picture, and shows the reason', async () => {
    answers = [refused];
    const device = new Device();
    const outbox = device.outbox();
    device.change({ isConfirmed: true });
    await outbox.add(DOG, picture('one'));
    await vi.waitFor(() => expect(stateOf(outbox)).toBe('refused'));
    expect(outbox.getPictures().get(DOG)?.problem).toBe('This is no picture');
    expect(console.error).toHaveBeenCalledWith(uploadDogImage.failure, expect.any(Error));
    device.change({});
    await device.outbox().add('dog-2', picture('other'));
    expect(uploads).toHaveLength(1);
  });

  it('removes a picture along with its dog', async () => {
    const device = new Device();
    const outbox = device.outbox();
    await outbox.add(DOG, picture('one'));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    device.change({ dogs: {}, isConfirmed: true });
    await vi.advanceTimersByTimeAsync(REMOVED_AFTER_MS);
    vi.useRealTimers();
    await vi.waitFor(() => expect(stateOf(outbox)).toBeUndefined());
    expect(uploads).toEqual([]);
    expect(await (await device.database).read('pictures', (rows) => rows.count())).toBe(0);
  });
});
