// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Repo } from '@automerge/automerge-repo';
import * as A from '@automerge/automerge/slim';
import { decodeChange, getLastLocalChange, type Doc } from '@automerge/automerge/slim';
import { forceCloseDatabase } from 'fake-indexeddb';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { documentKinds } from '#shared/document-kinds.ts';
import { readCard } from '#shared/profile/document.ts';
import type { CurrentUser } from '#shared/session/contract.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import type { Refusals } from '../../../client/platform/sync/connection/uploads.ts';
import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';
import { answerOf, freshIndexedDb, usedDatabases } from '../../fresh-indexed-db.ts';

vi.mock('@automerge/automerge/automerge.wasm?url', () => ({
  default: readFileSync(
    createRequire(import.meta.url).resolve('@automerge/automerge/automerge.wasm'),
  ),
}));

/** What the last connection reports to. */
const reports = vi.hoisted(() => ({}) as { closed(code: number): void; refusals: Refusals });

// A server that never responds, on a connection that stays open until it is closed.
vi.mock(
  import('../../../client/platform/sync/connection/server-connection.ts'),
  async (original) => {
    const { ServerConnection } = await original();
    return {
      ServerConnection: class extends ServerConnection {
        readonly #notify: ConstructorParameters<typeof ServerConnection>[1]['onState'];
        constructor(...settings: ConstructorParameters<typeof ServerConnection>) {
          super(...settings);
          this.#notify = settings[1].onState;
          reports.closed = settings[1].onRefused!;
          reports.refusals = settings[1].refusals!;
        }
        override isReady = () => true;
        override whenReady = () => Promise.resolve();
        override connect = () => this.#notify('connected');
        override send() {}
        override disconnect() {}
      },
    };
  },
);

/** The number of attempts to load Automerge that fail, as when a chunk doesn't load. */
let failures = 0;
vi.mock(import('../../../client/platform/sync/documents/load-automerge.ts'), async (original) => {
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
await import('../../../client/app/features.ts');
const { markRemovalPending, pendingRemovals } =
  await import('../../../client/platform/session/remembered-user.ts');
const { documentsOf, forgetLocalData, retryPendingRemovals } =
  await import('../../../client/platform/sync/documents/current-user-documents.ts');
const { cachedCard } = await import('../../../client/platform/sync/documents/card-cache.ts');
const { documentLimits } = await import('#shared/sync/limits.ts');
const { readSharing } = await import('#shared/account/sharing.ts');
const { syncWords } = await import('../../../client/platform/sync/state/sync-status-text.ts');
const { updateReady } = await import('../../../client/platform/install/register-service-worker.ts');
const { ChunkStorage } = await import('../../../client/platform/sync/storage/chunk-storage.ts');
const { deleteDatabase, openDatabase } =
  await import('../../../client/platform/sync/storage/local-database.ts');
afterAll(() => vi.resetModules());

/** A user whose documents are stored on this device from an earlier visit. */
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

/** The signed-in user as stored on this device. */
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

async function storedChunks(): Promise<string[][]> {
  const database = await openDatabase('ann');
  const chunks = await database.chunks.loadRange([]);
  database.close();
  return chunks.map(({ key }) => key);
}

const { changes } = documentLimits.account;
let open: UserDocuments[] = [];
const documentsFor = (user: CurrentUser) => {
  const documents = documentsOf(user);
  documents.start();
  open.push(documents);
  return documents;
};

/** Opens the database like a newer version of the app with another store. */
async function openNewer(): Promise<void> {
  const request = indexedDB.open('leashwise-ann', 1_000);
  request.onupgradeneeded = () => void request.result.createObjectStore('newer');
  (await answerOf(request)).close();
}

/** All connections to the database, to be closed like a browser does. */
let connections: IDBDatabase[] = [];
const closeConnections = () => {
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
  Object.assign(documentLimits.account, { changes });
  for (const documents of open) documents.close();
  open = [];
  connections = [];
  vi.restoreAllMocks();
});

test('after closing, accepts no changes, sends nothing and is offline', async () => {
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

test('changes that the server refused are known at the next start, too', async () => {
  const user = await ann();
  const first = documentsFor(user);
  await ready(first);
  save(first, 'Ann');
  reports.refusals.add(user.documents.card.replace('automerge:', ''), 'full');
  await vi.waitFor(() => expect(first.getSyncState().refusal).toBe('full'));
  first.close();
  const next = documentsFor({ ...user });
  await ready(next);
  await vi.waitFor(() => expect(next.getSyncState().refusal).toBe('full'));
  expect(readCard(next.getDocument('card').doc).display_name).toBe('Ann');
});

/** No account has room for another change. */
const fillAccounts = () => Object.assign(documentLimits.account, { changes: 1 });
const wordsOf = (documents: UserDocuments) =>
  syncWords(documents.getSyncState(), { pictures: 0, sounds: 0, actions: 0 });

test('what our server would refuse is refused at once, with words, and is in no journal', async () => {
  fillAccounts();
  const documents = documentsFor(await ann());
  await vi.waitFor(() => expect(documents.getDocument('account').status).toBe('ready'), 10_000);
  expect(() => documents.change('account', 'settings.save', { speech: false })).toThrow(
    'There’s no space left for this',
  );
  expect(wordsOf(documents).explanation).toContain('Your last change wasn’t saved');
  expect(documents.getSyncState().unconfirmed).toBe(0);
  // Other documents have room, and whoever wants to stop sharing their location can.
  save(documents, 'Ann');
  expect(wordsOf(documents).explanation).not.toContain('wasn’t saved');
  documents.change('account', 'sharing.save', { is_location_sharing_enabled: false });
  await vi.waitFor(() => expect(readSharing(documents.getDocument('account').doc)).toBe(false));
});

test('what there is no room for when its document opens stays on this device, with words', async () => {
  fillAccounts();
  const documents = documentsFor(await ann());
  // Before it is open.
  documents.change('account', 'settings.save', { speech: false });
  await ready(documents);
  await vi.waitFor(() =>
    expect(documents.getSyncState()).toMatchObject({ refused: 1, refusal: 'full' }),
  );
  await documents.flush();
  const database = await openDatabase('ann');
  const stored: { input: unknown }[] = await database.read('journal', (store) => store.getAll());
  expect(stored).toMatchObject([{ input: { speech: false } }]);
  database.close();
});

test('tells a server that does not understand the app from one that is restarting', async () => {
  const documents = documentsFor(await ann());
  await ready(documents);
  reports.closed(closeCodes.policy);
  expect(documents.getSyncState().isRejected).toBe(true);
  reports.closed(closeCodes.goingAway);
  expect(documents.getSyncState().isRejected).toBe(false);
});

test('a document change has no timestamp', async () => {
  const documents = documentsFor(await ann());
  await ready(documents);
  save(documents, 'Ann');
  await vi.waitFor(() =>
    expect(readCard(documents.getDocument('card').doc).display_name).toBe('Ann'),
  );
  const made = getLastLocalChange(documents.getDocument('card').doc as Doc<unknown>);
  expect(made && decodeChange(made).time).toBe(0);
});

test('closed documents stay closed, and signing in again opens new ones', async () => {
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
  const before = await storedChunks();
  save(second, 'Ann');
  await vi.waitFor(async () => expect(await storedChunks()).not.toEqual(before));
  second.close();
  const third = documentsFor({ ...user });
  await ready(third);
  expect(readCard(third.getDocument('card').doc).display_name).toBe('Ann');
});

test('a logout in another tab closes the documents, even while they are opening', async () => {
  const user = await ann();
  const documents = documentsFor(user);
  await documents.database;
  await deleteDatabase('ann');
  await vi.waitFor(() => expect(documents.isClosed).toBe(true));
});

test('a logout closes and removes the documents of its user only', async () => {
  const documents = documentsFor(await ann());
  await ready(documents);
  await forgetLocalData('bob');
  expect(documents.isClosed).toBe(false);
  await forgetLocalData('ann');
  expect(documents.isClosed).toBe(true);
  expect(await usedDatabases()).toEqual([]);
});

test('applies changes made while a document is opening, in order', async () => {
  const documents = documentsFor(await ann());
  expect(documents.getDocument('card').status).toBe('loading');
  save(documents, 'Ann');
  save(documents, 'Anna');
  expect(() => save(documents, '')).toThrow();
  await vi.waitFor(() =>
    expect(readCard(documents.getDocument('card').doc).display_name).toBe('Anna'),
  );
});

test('retries loading by itself without an offline phase, and edits work', async () => {
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

test('a document that is damaged on this device is replaced by the server’s, and keeps no others from opening', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const user = await ann();
  const id = user.documents.card.replace('automerge:', '');
  const database = await openDatabase('ann');
  for (const { key, data } of await database.chunks.loadRange([id]))
    await database.chunks.write({
      save: key,
      data: data!.map((byte, i) => (i === 60 ? ~byte : byte)),
    });
  const documents = documentsFor(user);
  await vi.waitFor(() => expect(documents.getDocument('account').status).toBe('ready'), 10_000);
  const handle = documents.repo!.handles[id as never]!;
  await vi.waitFor(() => expect(handle.state).toBe('unavailable'));
  // What was made meanwhile waits in the journal.
  save(documents, 'Ann');
  await vi.waitFor(() =>
    expect(documents.getSyncState()).toMatchObject({ isConfirmed: false, unconfirmed: 1 }),
  );
  const sent = await database.read('journal', (store) => store.getAll());
  expect(sent).toHaveLength(1);
  // The server sends it.
  const repo = new Repo();
  const { card } = documentKinds;
  const server = repo.create(card.initial('ann', '2026-11-21T12:00:00.000Z'));
  handle.update((doc) => A.merge(doc, server.doc() as never));
  await ready(documents);
  expect(readCard(documents.getDocument('card').doc).display_name).toBe('Ann');
  await documents.flush();
  documents.close();
  // The damaged parts were replaced.
  const next = documentsFor({ ...user });
  await ready(next);
  expect(readCard(next.getDocument('card').doc).display_name).toBe('Ann');
  expect(console.error).toHaveBeenCalledOnce();
  database.close();
});

test('of a document of which a part is damaged, the rest is shown', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const user = await ann();
  const first = documentsFor(user);
  await ready(first);
  save(first, 'Ann');
  await first.flush();
  first.close();
  const id = user.documents.card.replace('automerge:', '');
  const database = await openDatabase('ann');
  await database.chunks.write({
    save: [id, 'incremental', 'damaged'],
    data: new Uint8Array([0x85, 0x6f, 0x4a, 0x83, 1, 2, 3, 4, 1, 2, 3]),
  });
  const next = documentsFor({ ...user });
  await ready(next);
  expect(readCard(next.getDocument('card').doc).display_name).toBe('Ann');
  expect(next.getSyncState().isConfirmed).toBe(false);
  database.close();
});

test('does not retry loading after closing', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  failures = 1;
  const documents = documentsFor(await ann());
  await vi.waitFor(() => expect(documents.getDocument('card').status).toBe('unavailable'));
  documents.close();
  const left = failures;
  window.dispatchEvent(new Event('online'));
  expect(failures).toBe(left);
});

test('the card of the last visit is available before documents open, until it is removed', async () => {
  const user = await ann();
  const documents = documentsFor(user);
  await ready(documents);
  save(documents, 'Ann');
  await vi.waitFor(() => expect(cachedCard('ann')?.display_name).toBe('Ann'));
  await forgetLocalData('ann');
  expect(cachedCard('ann')).toBe(null);
});

test('reopens a database that the browser closed, as phones do for suspended pages', async () => {
  const user = await ann();
  const documents = documentsFor(user);
  await ready(documents);
  closeConnections();
  const before = await storedChunks();
  save(documents, 'Ann');
  await vi.waitFor(async () => expect(await storedChunks()).not.toEqual(before));
  expect(documents.getSyncState().storage).toBe('device');
  documents.close();
  const next = documentsFor({ ...user });
  await ready(next);
  expect(readCard(next.getDocument('card').doc).display_name).toBe('Ann');
});

test('a tab that was suspended during a logout does not restore removed data', async () => {
  const user = await ann();
  localStorage.setItem('current_user', JSON.stringify({ ...SIGNED_IN, documents: user.documents }));
  const documents = documentsFor(user);
  await ready(documents);
  closeConnections();
  localStorage.clear();
  await deleteDatabase('ann');
  // It notices at the next write, of this change or one from the server.
  if (!documents.isClosed) save(documents, 'Ann');
  await vi.waitFor(() => expect(documents.isClosed).toBe(true));
  expect(await usedDatabases()).toEqual([]);
});

test('a newer version of the app in another tab closes nothing and offers an update', async () => {
  const documents = documentsFor(await ann());
  await ready(documents);
  expect(updateReady.get()).toBe(false);
  await openNewer();
  await vi.waitFor(() => expect(updateReady.get()).toBe(true));
  const before = await storedChunks();
  save(documents, 'Ann');
  await vi.waitFor(async () => expect(await storedChunks()).not.toEqual(before));
  expect(documents.getSyncState()).toMatchObject({ connection: 'connected', storage: 'device' });
});

test('an older version of the app continues with the data of a newer one', async () => {
  const user = await ann();
  await openNewer();
  const documents = documentsFor(user);
  await ready(documents);
  expect(await documents.database).not.toBeNull();
  const before = await storedChunks();
  save(documents, 'Ann');
  await vi.waitFor(async () => expect(await storedChunks()).not.toEqual(before));
});

test('a removal at logout that a suspended tab blocked is completed at a later start', async () => {
  const user = await ann();
  const asleep = await answerOf(indexedDB.open('leashwise-ann'));
  const documents = documentsFor(user);
  await ready(documents);
  const removal = forgetLocalData('ann');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(pendingRemovals()).toEqual(['ann']);
  asleep.close();
  await removal;
  expect(pendingRemovals()).toEqual([]);

  // The app was closed before the removal was done.
  await ann();
  markRemovalPending('ann', true);
  await retryPendingRemovals();
  expect(pendingRemovals()).toEqual([]);
  expect(await usedDatabases()).toEqual([]);
});

test('a pending removal does not delete data of a user who signed in again', async () => {
  const user = await ann();
  markRemovalPending('ann', true);
  localStorage.setItem('current_user', JSON.stringify({ ...SIGNED_IN, documents: user.documents }));
  await retryPendingRemovals();
  expect(pendingRemovals()).toEqual([]);
  expect(await storedChunks()).not.toEqual([]);
});
