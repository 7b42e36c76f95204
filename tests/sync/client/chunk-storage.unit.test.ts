import { Repo, type AutomergeUrl, type DocHandle } from '@automerge/automerge-repo';
import { IDBDatabase, IDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChunkStorage } from '../../../client/platform/sync/storage/chunk-storage.ts';
import {
  deleteDatabase,
  openDatabase,
} from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';

type Notes = Record<string, string>;
const bytes = (...values: number[]) => new Uint8Array(values);

beforeEach(freshIndexedDb);
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const storageOf = async (user: string, onFailing: (failing: boolean) => void = () => {}) =>
  new ChunkStorage(await openDatabase(user), onFailing, new Set());

describe('storing chunks', () => {
  it('saves, lists by prefix, replaces and removes chunks', async () => {
    const storage = await storageOf('ann');
    await storage.save(['doc', 'incremental', 'a'], bytes(1));
    await storage.save(['doc', 'incremental', 'b'], bytes(2));
    await storage.save(['doc', 'snapshot', 'c'], bytes(3));
    await storage.save(['doc', 'incremental', 'a'], bytes(4));
    expect(await storage.load(['doc', 'incremental', 'a'])).toEqual(bytes(4));
    expect(await storage.load(['doc', 'nothing'])).toBeUndefined();
    const listed = await storage.loadRange(['doc', 'incremental']);
    expect(listed.map(({ key, data }) => [key[2], data])).toEqual([
      ['a', bytes(4)],
      ['b', bytes(2)],
    ]);
    await storage.removeRange(['doc', 'incremental']);
    expect(await storage.loadRange(['doc', 'incremental'])).toEqual([]);
    await storage.remove(['doc', 'snapshot', 'c']);
    expect(await storage.load(['doc', 'snapshot', 'c'])).toBeUndefined();
  });

  it('separates the chunks of users and deletes those of one user only', async () => {
    const ann = await storageOf('ann');
    const bob = await storageOf('bob');
    await ann.save(['doc'], bytes(1));
    await bob.save(['doc'], bytes(2));
    await deleteDatabase('ann');
    expect(await bob.load(['doc'])).toEqual(bytes(2));
    expect(await (await storageOf('ann')).load(['doc'])).toBeUndefined();
  });

  it('reports a rejected write and stores it in order once there is space', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(console, 'warn').mockReturnValue();
    const failures: boolean[] = [];
    const storage = await storageOf('ann', (failing) => failures.push(failing));
    await storage.save(['doc', 'incremental', 'old'], bytes(1));
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('No room left', 'QuotaExceededError');
    });
    await storage.save(['doc', 'snapshot', 'new'], bytes(2));
    await storage.remove(['doc', 'incremental', 'old']);
    expect(failures.at(-1)).toBe(true);
    expect(await storage.load(['doc', 'incremental', 'old'])).toEqual(bytes(1));
    full.mockRestore();
    await vi.advanceTimersByTimeAsync(6_000);
    await vi.waitFor(() => expect(failures.at(-1)).toBe(false));
    expect(await storage.load(['doc', 'snapshot', 'new'])).toEqual(bytes(2));
    expect(await storage.load(['doc', 'incremental', 'old'])).toBeUndefined();
  });

  it('reports a write that the browser aborts without an error event and retries it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(console, 'warn').mockReturnValue();
    const failing: boolean[] = [];
    const storage = await storageOf('ann', (isFailing) => failing.push(isFailing));
    // Like Chrome without space: the request has already succeeded.
    const { put } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(function (
      this: IDBObjectStore,
      ...values
    ) {
      const request = put.apply(this, values);
      request.addEventListener('success', () => this.transaction.abort());
      return request;
    });
    await storage.save(['doc', 'snapshot', 'a'], bytes(1));
    expect(failing).toEqual([true]);
    expect(await storage.load(['doc', 'snapshot', 'a'])).toBeUndefined();
    await vi.advanceTimersByTimeAsync(6_000);
    await vi.waitFor(() => expect(failing).toEqual([true, false]));
    expect(await storage.load(['doc', 'snapshot', 'a'])).toEqual(bytes(1));
  });
});

describe('a browser that closes the connection', () => {
  /** Makes transactions fail once or always, without a `close` event. */
  const lose = (once = true) => {
    const throwClosing = () => {
      throw new DOMException('The connection is closing', 'InvalidStateError');
    };
    const spy = vi.spyOn(IDBDatabase.prototype, 'transaction');
    if (once) spy.mockImplementationOnce(throwClosing);
    else spy.mockImplementation(throwClosing);
    return spy;
  };

  it('reopens a closed connection for writes and reads', async () => {
    const failures: boolean[] = [];
    const storage = await storageOf('ann', (failing) => failures.push(failing));
    lose();
    await storage.save(['doc', 'incremental', 'a'], bytes(1));
    expect(failures).toEqual([false]);
    lose();
    expect(await storage.loadRange(['doc'])).toMatchObject([{ data: bytes(1) }]);
    lose();
    expect(await storage.load(['doc', 'incremental', 'a'])).toEqual(bytes(1));
  });

  it('leaves loading to the server when the database can’t be opened', async () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const storage = await storageOf('ann');
    lose(false);
    const url = new Repo().create().url;
    const { handle } = new Repo({ storage }).findWithProgress(url);
    await vi.waitFor(() => expect(handle.state).toBe('unavailable'));
  });
});

describe('with the unmodified Repo', () => {
  const repoOf = async (user: string) =>
    new Repo({ storage: await storageOf(user), saveDebounceRate: 1 });
  const note = (handle: DocHandle<Notes>, name: string) =>
    handle.change((doc) => void (doc[name] = name.repeat(30)));

  it('opens a stored document', async () => {
    const first = await repoOf('ann');
    const handle = first.create<Notes>({});
    note(handle, 'x');
    await first.flush();
    const again = await (await repoOf('ann')).find<Notes>(handle.url);
    expect(Object.keys(again.doc())).toEqual(['x']);
  });

  it('loses nothing when two tabs write and compact the same document', async () => {
    const tab = await repoOf('ann');
    const url: AutomergeUrl = tab.create<Notes>({ start: 'here' }).url;
    await tab.flush();
    const tabs = [await repoOf('ann'), await repoOf('ann')];
    const handles = await Promise.all(tabs.map((repo) => repo.find<Notes>(url)));
    for (let round = 0; round < 25; round++)
      for (const [i, handle] of handles.entries()) {
        note(handle, `tab${i}-${round}`);
        await tabs[i]?.flush();
      }
    const after = (await (await repoOf('ann')).find<Notes>(url)).doc();
    expect(Object.keys(after)).toHaveLength(51);
  });
});
