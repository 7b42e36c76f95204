// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { decodeChange, getLastLocalChange, type Doc } from '@automerge/automerge/slim';
import { Repo } from '@automerge/automerge-repo';
import { forceCloseDatabase } from 'fake-indexeddb';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { documentKinds } from '#shared/document-kinds.ts';
import { readCard } from '#shared/profile/document.ts';
import type { CurrentUser } from '#shared/session/contract.ts';
import type { UserDocuments } from '../../../client/sync/documents/user-documents.ts';
import { answerOf, freshIndexedDb, usedDatabases } from '../../fresh-indexed-db.ts';

vi.mock('@automerge/automerge/automerge.wasm?url', () => ({
  default: readFileSync(
    createRequire(import.meta.url).resolve('@automerge/automerge/automerge.wasm'),
  ),
}));

// A server that says nothing, over a connection that is open until it is let go.
vi.mock(import('../../../client/sync/connection/server-connection.ts'), async (original) => {
  const { ServerConnection } = await original();
  return {
    ServerConnection: class extends ServerConnection {
      private readonly told: ConstructorParameters<typeof ServerConnection>[1];
      constructor(...settings: ConstructorParameters<typeof ServerConnection>) {
        super(...settings);
        [, this.told] = settings;
      }
      override isReady = () => true;
      override whenReady = () => Promise.resolve();
      override connect = () => this.told('connected');
      override send() {}
      override disconnect() {}
    },
  };
});

/** How many attempts to load Automerge fail, as when a file of the app does not come. */
let failures = 0;
vi.mock(import('../../../client/sync/documents/load-automerge.ts'), async (original) => {
  const { loadAutomerge } = await original();
  return {
    loadAutomerge: () => {
      failures -= 1;
      if (failures < 0) return loadAutomerge();
      return Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
    },
  };
});

// Unit tests share the modules of their worker: those that another file loaded would not have these mocks.
vi.resetModules();
const { markRemovalPending, pendingRemovals } =
  await import('../../../client/session/remembered-user.ts');
const { documentsOf, forgetLocalData, retryPendingRemovals } =
  await import('../../../client/sync/documents/current-user-documents.ts');
const { cachedCard } = await import('../../../client/profile/card-cache.ts');
const { updateReady } = await import('../../../client/install/register-service-worker.ts');
const { ChunkStorage } = await import('../../../client/sync/storage/chunk-storage.ts');
const { deleteDatabase, openDatabase } =
  await import('../../../client/sync/storage/local-database.ts');
afterAll(() => vi.resetModules());

/** Somebody whose documents are on this device, as an earlier visit left them. */
async function ann(): Promise<CurrentUser> {
  const database = await openDatabase('ann');
  const repo = new Repo({ storage: new ChunkStorage(database, () => {}, new Set()) });
  const { card, account, contacts } = documentKinds;
  const documents = {
    card: repo.create(card.initial('ann', '2026-11-21T12:00:00.000Z')).url,
    account: repo.create(account.initial('ann')).url,
    contacts: repo.create(contacts.initial('ann')).url,
  };
  await repo.flush();
  database.close();
  return { id: 'ann', documents } as unknown as CurrentUser;
}

/** As this device remembers whoever is signed in. */
const SIGNED_IN = {
  id: 'ann',
  email: 'ann@example.com',
  given_name: 'Ann',
  name: 'Ann',
  picture: null,
  is_admin: false,
  access_expires_at: null,
  has_access: true,
};

const ready = (documents: UserDocuments) =>
  vi.waitFor(() => expect(documents.getDocument('card').status).toBe('ready'), 10_000);
const save = (documents: UserDocuments, name: string) =>
  documents.change('card', 'profile.save', { display_name: name });

async function chunksKept(): Promise<string[][]> {
  const database = await openDatabase('ann');
  const chunks = await database.chunks.loadRange([]);
  database.close();
  return chunks.map(({ key }) => key);
}

let open: UserDocuments[] = [];
const documentsFor = (user: CurrentUser) => {
  const documents = documentsOf(user);
  documents.start();
  open.push(documents);
  return documents;
};

/** The next version of the app, which has another store. */
async function openNewer(): Promise<void> {
  const request = indexedDB.open('leashwise-ann', 1_000);
  request.onupgradeneeded = () => void request.result.createObjectStore('newer');
  (await answerOf(request)).close();
}

/** Every connection to the database, to be taken away as a browser does it. */
let connections: IDBDatabase[] = [];
const takeAway = () => {
  for (const connection of connections.splice(0)) forceCloseDatabase(connection as never);
};

beforeEach(() => {
  freshIndexedDb();
  const factory = globalThis.indexedDB;
  const openIt = factory.open.bind(factory);
  vi.spyOn(factory, 'open').mockImplementation((...asked) => {
    const request = openIt(...asked);
    request.addEventListener('success', () => connections.push(request.result));
    return request;
  });
  localStorage.clear();
  failures = 0;
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  for (const documents of open) documents.close();
  open = [];
  connections = [];
  vi.restoreAllMocks();
});

test('once closed it takes no change, sends nothing, and no longer says that it would', async () => {
  const documents = documentsFor(await ann());
  await ready(documents);
  save(documents, 'Ann');
  await vi.waitFor(() =>
    expect(readCard(documents.getDocument('card').doc).display_name).toBe('Ann'),
  );
  expect(documents.getSyncState().connection).toBe('connected');
  documents.close();
  expect(() => save(documents, 'Bea')).toThrow('The card document is not loaded');
  expect(readCard(documents.getDocument('card').doc).display_name).toBe('Ann');
  await vi.waitFor(() => expect(documents.getSyncState().connection).toBe('offline'));
});

test('a change of a document does not say when it was made', async () => {
  const documents = documentsFor(await ann());
  await ready(documents);
  save(documents, 'Ann');
  await vi.waitFor(() =>
    expect(readCard(documents.getDocument('card').doc).display_name).toBe('Ann'),
  );
  const made = getLastLocalChange(documents.getDocument('card').doc as Doc<unknown>);
  expect(made && decodeChange(made).time).toBe(0);
});

test('closed ones stay for whom they were closed; whoever signs in again gets fresh ones', async () => {
  const user = await ann();
  const first = documentsFor(user);
  const fetchedAgain = { ...user };
  expect(documentsFor(fetchedAgain)).toBe(first);
  await ready(first);
  first.close();
  expect(documentsFor(fetchedAgain)).toBe(first);
  const second = documentsFor({ ...user });
  expect(second).not.toBe(first);
  await ready(second);
  const before = await chunksKept();
  save(second, 'Ann');
  await vi.waitFor(async () => expect(await chunksKept()).not.toEqual(before));
  second.close();
  const third = documentsFor({ ...user });
  await ready(third);
  expect(readCard(third.getDocument('card').doc).display_name).toBe('Ann');
});

test("another tab's logout closes them, even before they are open", async () => {
  const user = await ann();
  const documents = documentsFor(user);
  await documents.database;
  await deleteDatabase('ann');
  await vi.waitFor(() => expect(documents.isClosed).toBe(true));
});

test('logging out here closes and removes them, and leaves those of others', async () => {
  const documents = documentsFor(await ann());
  await ready(documents);
  await forgetLocalData('bob');
  expect(documents.isClosed).toBe(false);
  await forgetLocalData('ann');
  expect(documents.isClosed).toBe(true);
  expect(await usedDatabases()).toEqual([]);
});

test('a change made while the document is still opening is applied when it is open, in its order', async () => {
  const documents = documentsFor(await ann());
  expect(documents.getDocument('card').status).toBe('loading');
  save(documents, 'Ann');
  save(documents, 'Anna');
  expect(() => save(documents, '')).toThrow();
  await vi.waitFor(() =>
    expect(readCard(documents.getDocument('card').doc).display_name).toBe('Anna'),
  );
});

test('what did not load is loaded again by itself, though nobody was ever offline, and edits go on', async () => {
  const failed = vi.spyOn(console, 'error').mockReturnValue();
  failures = 2;
  const documents = documentsFor(await ann());
  await vi.waitFor(() => expect(documents.getDocument('card').status).toBe('unavailable'));
  await ready(documents);
  expect(failed).toHaveBeenCalledTimes(2);
  expect(documents.getSyncState().connection).toBe('connected');
  save(documents, 'Ann');
  await vi.waitFor(() =>
    expect(readCard(documents.getDocument('card').doc).display_name).toBe('Ann'),
  );
});

test('what did not load is not loaded again once they are closed', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  failures = 1;
  const documents = documentsFor(await ann());
  await vi.waitFor(() => expect(documents.getDocument('card').status).toBe('unavailable'));
  documents.close();
  const left = failures;
  window.dispatchEvent(new Event('online'));
  expect(failures).toBe(left);
});

test('the card of the last visit is at hand before any document is open, until it is forgotten', async () => {
  const user = await ann();
  const documents = documentsFor(user);
  await ready(documents);
  save(documents, 'Ann');
  await vi.waitFor(() => expect(cachedCard('ann')?.display_name).toBe('Ann'));
  await forgetLocalData('ann');
  expect(cachedCard('ann')).toBe(null);
});

test('a database that the browser takes away, as phones do from what they put to sleep, is opened anew', async () => {
  const user = await ann();
  const documents = documentsFor(user);
  await ready(documents);
  takeAway();
  const before = await chunksKept();
  save(documents, 'Ann');
  await vi.waitFor(async () => expect(await chunksKept()).not.toEqual(before));
  expect(documents.getSyncState().storage).toBe('device');
  documents.close();
  const next = documentsFor({ ...user });
  await ready(next);
  expect(readCard(next.getDocument('card').doc).display_name).toBe('Ann');
});

test('but a tab that slept through a logout does not bring back what that removed', async () => {
  const user = await ann();
  localStorage.setItem('current_user', JSON.stringify({ ...SIGNED_IN, documents: user.documents }));
  const documents = documentsFor(user);
  await ready(documents);
  takeAway();
  localStorage.clear();
  await deleteDatabase('ann');
  // Whatever it keeps next, this or what came from the server, has it notice.
  if (!documents.isClosed) save(documents, 'Ann');
  await vi.waitFor(() => expect(documents.isClosed).toBe(true));
  expect(await usedDatabases()).toEqual([]);
});

test('a newer version of the app in another tab ends nothing here, and this one is offered it', async () => {
  const documents = documentsFor(await ann());
  await ready(documents);
  expect(updateReady.get()).toBe(false);
  await openNewer();
  await vi.waitFor(() => expect(updateReady.get()).toBe(true));
  const before = await chunksKept();
  save(documents, 'Ann');
  await vi.waitFor(async () => expect(await chunksKept()).not.toEqual(before));
  expect(documents.getSyncState()).toMatchObject({ connection: 'connected', storage: 'device' });
});

test('a version of the app that was gone back to goes on with what a newer one kept', async () => {
  const user = await ann();
  await openNewer();
  const documents = documentsFor(user);
  await ready(documents);
  expect(await documents.database).not.toBeNull();
  const before = await chunksKept();
  save(documents, 'Ann');
  await vi.waitFor(async () => expect(await chunksKept()).not.toEqual(before));
});

test('what a tab that is asleep keeps from being removed at logout is removed at a later start', async () => {
  const user = await ann();
  const asleep = await answerOf(indexedDB.open('leashwise-ann'));
  const documents = documentsFor(user);
  await ready(documents);
  const held = forgetLocalData('ann');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(pendingRemovals()).toEqual(['ann']);
  asleep.close();
  await held;
  expect(pendingRemovals()).toEqual([]);

  // The app was closed before it was done.
  await ann();
  markRemovalPending('ann', true);
  await retryPendingRemovals();
  expect(pendingRemovals()).toEqual([]);
  expect(await usedDatabases()).toEqual([]);
});

test('but not from under whoever signed in again since', async () => {
  const user = await ann();
  markRemovalPending('ann', true);
  localStorage.setItem('current_user', JSON.stringify({ ...SIGNED_IN, documents: user.documents }));
  await retryPendingRemovals();
  expect(pendingRemovals()).toEqual([]);
  expect(await chunksKept()).not.toEqual([]);
});
