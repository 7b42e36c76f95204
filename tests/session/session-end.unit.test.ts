// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { next as A } from '@automerge/automerge';
import { Repo, type DocHandle } from '@automerge/automerge-repo';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SegmentDocument } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { readCard, type CardDocument } from '#shared/profile/document.ts';
import type { CurrentUser } from '#shared/session/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import {
  storeDraft,
  emptyDraft,
  readDraft,
} from '../../client/features/advertisers/signup/draft.ts';
import '../../client/app/features.ts';
import { attachedOf } from '../../client/features/chat/composer/attached.ts';
import { walksOf } from '../../client/features/walks/walk-history.ts';
import { startWalk } from '../../client/features/walks/walk.ts';
import { writeCache } from '../../client/platform/local-cache.ts';
import {
  pendingEndedSessions,
  markEndedSessionPending,
  rememberUser,
} from '../../client/platform/session/remembered-user.ts';
import { waitingFor, waitingForSignIn } from '../../client/platform/session/unsent-summary.ts';
import { UNSENT_CHANGES } from '../../client/platform/storage-keys.ts';
import {
  documentsOf,
  forgetLocalData,
  retryPendingRemovals,
  removeEndedSession,
} from '../../client/platform/sync/documents/current-user-documents.ts';
import { readUnsent } from '../../client/platform/sync/documents/unsent-changes.ts';
import type { UserDocuments } from '../../client/platform/sync/documents/user-documents.ts';
import { CALLS } from '../../client/platform/sync/outbox/outbox-calls.ts';
import { outboxOf } from '../../client/platform/sync/outbox/outbox.ts';
import { ChunkStorage } from '../../client/platform/sync/storage/chunk-storage.ts';
import { openDatabase } from '../../client/platform/sync/storage/local-database.ts';
import { answerOf, freshIndexedDb, usedDatabases } from '../fresh-indexed-db.ts';

// Unit tests share the modules of their worker: those that another file loaded would not have these mocks.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

vi.mock('@automerge/automerge/automerge.wasm?url', () => ({
  default: readFileSync(
    createRequire(import.meta.url).resolve('@automerge/automerge/automerge.wasm'),
  ),
}));

const server = vi.hoisted(() => ({ hangUp: (_code: number) => {} }));
// A server that never responds.
vi.mock(import('../../client/platform/sync/connection/server-connection.ts'), async (original) => {
  const { ServerConnection } = await original();
  return {
    ServerConnection: class extends ServerConnection {
      readonly #notify: ConstructorParameters<typeof ServerConnection>[1]['onState'];
      constructor(...settings: ConstructorParameters<typeof ServerConnection>) {
        super(...settings);
        this.#notify = settings[1].onState;
        server.hangUp = settings[1].onRefused ?? server.hangUp;
      }
      override isReady = () => true;
      override whenReady = () => Promise.resolve();
      override connect = () => this.#notify('connected');
      override send() {}
      override disconnect() {}
    },
  };
});

interface Saved {
  user: CurrentUser;
  /** The server's documents by id. */
  documents: Map<string, Uint8Array>;
}

/** The server's documents of a user with one friend, one thread and one dog. */
function onServer(id: string): Saved {
  const repo = new Repo();
  const { card, account, contacts, segment } = documentKinds;
  const place = { friend_user_id: 'bo', thread_id: 't', number: 1, after: 0 };
  const mine = repo.create(segment.initial(id, '', place));
  const theirs = repo.create(segment.initial('bo', '', { ...place, friend_user_id: id }));
  const own = {
    card: repo.create(card.initial(id, '2026-11-21T12:00:00.000Z')),
    account: repo.create(account.initial(id)),
    contacts: repo.create(contacts.initial(id)),
  };
  own.card.change((doc) =>
    card.changes['dog.add'].apply(doc, {
      id: 'rex',
      name: 'Rex',
      sound_type: 'leash_on',
      created_at: '2026-11-21T12:00:00.000Z',
    }),
  );
  own.contacts.change((doc) =>
    contacts.changes['thread.set'].apply(doc, {
      friend_user_id: 'bo',
      version: 1,
      thread_id: 't',
      segments: { 1: { mine: mine.url, theirs: theirs.url } },
    }),
  );
  const handles = [mine, theirs, ...Object.values(own)] as DocHandle<unknown>[];
  const urls = { card: own.card.url, account: own.account.url, contacts: own.contacts.url };
  return {
    user: { id, documents: urls } as unknown as CurrentUser,
    documents: new Map(handles.map((handle) => [handle.documentId, A.save(handle.doc())])),
  };
}

/** Stores the documents on this device as confirmed, as after a sync. */
async function synchronise({ user, documents }: Saved): Promise<void> {
  const database = await openDatabase(user.id);
  const storage = new ChunkStorage(database, () => {}, new Set());
  for (const [id, bytes] of documents) {
    await storage.save([id, 'snapshot', 'first'], bytes);
    const heads = A.getHeads(A.load(bytes));
    await database.commit('confirmed', [(store) => store.put(heads, id)]);
  }
  database.close();
}

const ready = (documents: UserDocuments) =>
  vi.waitFor(() => expect(documents.getDocument('card').status).toBe('ready'), 10_000);
const rename = (documents: UserDocuments, name: string) =>
  documents.change('card', 'profile.save', { display_name: name });
const nameOf = (documents: UserDocuments) =>
  readCard(documents.getDocument('card').doc).display_name;

const valuesStored = () => Object.keys(localStorage).map((key) => [key, localStorage.getItem(key)]);

/** Everything that this browser stores, as text. */
async function everythingStored(): Promise<string> {
  const all: unknown[] = [valuesStored()];
  for (const { name } of await indexedDB.databases()) {
    const database = await answerOf(indexedDB.open(name!));
    for (const store of database.objectStoreNames)
      all.push(
        name,
        store,
        await answerOf(database.transaction(store).objectStore(store).getAll()),
      );
    database.close();
  }
  const decoder = new TextDecoder('latin1');
  return JSON.stringify(all, (_, value: unknown) =>
    ArrayBuffer.isView(value) ? decoder.decode(value) : value,
  );
}

let open: UserDocuments[] = [];
const documentsFor = (user: CurrentUser) => {
  const documents = documentsOf({ ...user });
  documents.start();
  open.push(documents);
  return documents;
};
/** Ends a session like the page does: signs out at once, then removes the data. */
const end = ({ id, documents }: CurrentUser, at = Date.now()) => {
  rememberUser(null);
  return removeEndedSession({ user: { id, documents }, at });
};

let ann: Saved;
beforeEach(async () => {
  freshIndexedDb();
  localStorage.clear();
  sessionStorage.clear();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  ann = onServer('ann');
  await synchronise(ann);
});
afterEach(() => {
  for (const documents of open) documents.close();
  open = [];
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const block = { body: { blocked_user_id: 'mallory' } };

test('a refusal that may not be the end of the session does not stop edits from being stored', async () => {
  const documents = documentsFor(ann.user);
  await ready(documents);
  // Another tab signs in, or a proxy answers.
  const asked = vi.fn<typeof fetch>(async () => new Response('', { status: 401 }));
  vi.stubGlobal('fetch', asked);
  server.hangUp(4001);
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(documents.isClosed).toBe(false);
  rename(documents, 'Ann the walker');
  await end(ann.user);
  expect(waitingFor('ann')).toMatchObject({ changes: 1 });
});

describe('a session that ended without a logout', () => {
  test('removes everything from the device when nothing is unsent', async () => {
    writeCache('ann', 'conversations', [{ preview: 'a secret' }]);
    storeDraft({ ...emptyDraft, company: { ...emptyDraft.company, email: 'ann@example.com' } });
    await end(ann.user);
    expect(await usedDatabases()).toEqual([]);
    expect(valuesStored()).toEqual([]);
    expect(waitingForSignIn()).toBeNull();
  });

  test('keeps only unsent changes', async () => {
    const documents = documentsFor(ann.user);
    await ready(documents);
    rename(documents, 'Ann the walker');
    await outboxOf(documents).add('blocks.create', block, 'Mallory');
    writeCache('ann', 'conversations', [{ preview: 'a secret' }]);
    const before = await everythingStored();
    expect(before).toContain('a secret');
    expect(before).toContain('Rex');

    await end(ann.user);

    expect(documents.isClosed).toBe(true);
    const after = await everythingStored();
    expect(after).not.toContain('a secret');
    expect(after).not.toContain('Rex');
    expect(await usedDatabases()).toEqual(['leashwise-unsent']);
    expect(waitingForSignIn()).toEqual({ changes: 1, pictures: 0, sounds: 0, actions: 1 });
    const [unsent] = await readUnsent('ann');
    expect(Object.keys(unsent!.documents)).toEqual([ann.user.documents.card.split(':')[1]]);
    expect(pendingEndedSessions()).toEqual([]);
  });

  test('merges unsent changes into the server’s documents when the same user signs in again', async () => {
    const first = documentsFor(ann.user);
    await ready(first);
    rename(first, 'Ann the walker');
    await outboxOf(first).add('blocks.create', block, 'Mallory');
    await end(ann.user);

    // Another device has added a dog meanwhile.
    const cardId = ann.user.documents.card.replace('automerge:', '');
    const { card } = documentKinds;
    const later = A.change(A.load<CardDocument>(ann.documents.get(cardId)!), (doc) =>
      card.changes['dog.add'].apply(doc, {
        id: 'bella',
        name: 'Bella',
        sound_type: 'leash_off',
        created_at: '2026-11-22T12:00:00.000Z',
      }),
    );
    ann.documents.set(cardId, A.save(later));
    await synchronise(ann);
    const again = documentsFor(ann.user);
    await ready(again);
    expect(nameOf(again)).toBe('Ann the walker');
    expect(readCard(again.getDocument('card').doc).dogs.map(({ name }) => name)).toEqual([
      'Rex',
      'Bella',
    ]);
    // It is unsent until the server confirms it.
    await vi.waitFor(() => expect(again.getSyncState().unconfirmed).toBe(1));
    await vi.waitFor(() =>
      expect(outboxOf(again).getWaiting()).toMatchObject([{ name: 'blocks.create', input: block }]),
    );
    await vi.waitFor(async () => expect(await readUnsent('ann')).toEqual([]));
    expect(waitingFor('ann')).toBeNull();
  });

  test('keeps unsent changes across restarts until their document arrives', async () => {
    const first = documentsFor(ann.user);
    await ready(first);
    rename(first, 'Ann the walker');
    await end(ann.user);

    const early = documentsFor(ann.user);
    await early.database;
    early.close();
    expect(waitingFor('ann')).toMatchObject({ changes: 1 });
    await synchronise(ann);
    const again = documentsFor(ann.user);
    await ready(again);
    expect(nameOf(again)).toBe('Ann the walker');
  });

  test('keeps unsent messages of a thread segment', async () => {
    const mine = [...ann.documents.keys()][0]!;
    const database = await openDatabase('ann');
    const doc = A.load<SegmentDocument>(ann.documents.get(mine)!);
    const { segment } = documentKinds;
    const message = {
      key: 'abc',
      seq: 1,
      device: 'd',
      at: '2026-11-22T12:00:00.000Z',
      text: 'Hello Bo',
    };
    const changed = A.change(doc, (own) => segment.changes['message.add'].apply(own, message));
    const storage = new ChunkStorage(database, () => {}, new Set());
    await storage.save([mine, 'incremental', 'x'], A.saveSince(changed, A.getHeads(doc)));
    database.close();
    await end(ann.user);
    const [unsent] = await readUnsent('ann');
    expect(Object.keys(unsent!.documents)).toEqual([mine]);
    const back = A.loadIncremental(
      A.load<SegmentDocument>(ann.documents.get(mine)!),
      unsent!.documents[mine]!,
    );
    expect(JSON.stringify(back)).toContain('Hello Bo');
  });

  describe('when the server has lost what the changes depend on, as after a restored backup', () => {
    /** The server has only the first change of a document, and so has this device after the next sign-in. */
    const loseAllButFirst = async (id: string) => {
      const [first] = A.getAllChanges(A.load(ann.documents.get(id)!));
      ann.documents.set(id, A.save(A.applyChanges(A.init(), [first!])[0]));
      await synchronise(ann);
    };

    test('makes again what the journal has, and keeps nothing that waits for ever', async () => {
      const first = documentsFor(ann.user);
      await ready(first);
      rename(first, 'Ann the walker');
      await end(ann.user);
      await loseAllButFirst(ann.user.documents.card.replace('automerge:', ''));
      rememberUser(ann.user);
      const again = documentsFor(ann.user);
      await ready(again);
      await vi.waitFor(() => expect(nameOf(again)).toBe('Ann the walker'));
      await vi.waitFor(() => expect(waitingFor('ann')).toBeNull());
      expect(again.getSyncState().refusal).toBeNull();
    });

    test('says so of what only an older app has written, and keeps it', async () => {
      const card = ann.user.documents.card.replace('automerge:', '');
      const doc = A.load<CardDocument>(ann.documents.get(card)!);
      const renamed = A.change(doc, (own) =>
        documentKinds.card.changes['profile.save'].apply(own, { display_name: 'Ann the walker' }),
      );
      const database = await openDatabase('ann');
      const storage = new ChunkStorage(database, () => {}, new Set());
      await storage.save([card, 'incremental', 'x'], A.saveSince(renamed, A.getHeads(doc)));
      database.close();
      await end(ann.user);
      await loseAllButFirst(card);
      rememberUser(ann.user);
      const again = documentsFor(ann.user);
      await ready(again);
      await vi.waitFor(() => expect(again.getSyncState().refusal).toBe('incomplete'));
      expect(waitingFor('ann')).toMatchObject({ changes: 1 });
    });
  });

  test('keeps the photo of an unsent message until the same user signs in again', async () => {
    const photo = { bytes: new ArrayBuffer(4), type: 'image/jpeg', idempotencyKey: 'a', number: 1 };
    const database = await openDatabase('ann');
    await database.commit('photos', [(store) => store.put(photo, 'the message')]);
    database.close();
    await end(ann.user);
    expect(waitingFor('ann')).toMatchObject({ pictures: 1 });

    rememberUser(ann.user);
    const again = await documentsFor(ann.user).database;
    const photos = await again?.read('photos', (store) => store.getAllKeys());
    expect(photos).toEqual(['the message']);
  });

  test('keeps what the server refused, and offers it again after the next sign-in', async () => {
    const refused = { bytes: new ArrayBuffer(4), idempotencyKey: 'a', problem: 'Not a picture' };
    const database = await openDatabase('ann');
    await database.commit('pictures', [(store) => store.put({ ...refused, type: '' }, 'rex')]);
    await database.commit('sounds', [(store) => store.put({ ...refused, image_key: null }, 's')]);
    database.close();
    await end(ann.user);
    expect(waitingFor('ann')).toMatchObject({ pictures: 1, sounds: 1 });

    rememberUser(ann.user);
    const again = await documentsFor(ann.user).database;
    for (const store of ['pictures', 'sounds'] as const) {
      const [row] = (await again!.read(store, (rows) => rows.getAll())) as (typeof refused)[];
      expect(row).toMatchObject({ idempotencyKey: 'a' });
      expect(row).not.toHaveProperty('problem');
    }
  });

  test('keeps walks, which are stored nowhere else, until the same user signs in again', async () => {
    const first = documentsFor(ann.user);
    const walk = { ...startWalk(Date.now()), endedAt: Date.now(), distanceMeters: 900 };
    await walksOf(first).save(walk);
    await end(ann.user);
    expect(await usedDatabases()).toEqual(['leashwise-unsent']);

    rememberUser(ann.user);
    const history = walksOf(documentsFor(ann.user));
    await history.loaded;
    expect(history.getAll()).toEqual([walk]);
  });

  test('keeps what is attached to no message yet, until the same user signs in again', async () => {
    const note = { friend: 'bo', bytes: new ArrayBuffer(4), type: 'audio/mp4', of: { seconds: 7 } };
    const database = await openDatabase('ann');
    await database.commit('attached', [(store) => store.put({ ...note, order: 1 }, 'the note')]);
    database.close();
    await end(ann.user);
    expect(await usedDatabases()).toEqual(['leashwise-unsent']);

    rememberUser(ann.user);
    const again = documentsFor(ann.user);
    await again.database;
    const files = attachedOf(again);
    await vi.waitFor(() => expect(files.of('bo').voice).toMatchObject({ seconds: 7 }));
  });

  test('hides unsent changes from another user of the device, whose sessions may end too', async () => {
    const first = documentsFor(ann.user);
    await ready(first);
    rename(first, 'Ann the walker');
    await outboxOf(first).add('blocks.create', block, 'Mallory');
    await end(ann.user);

    const kim = onServer('kim');
    await synchronise(kim);
    rememberUser(null);
    const theirs = documentsFor(kim.user);
    await ready(theirs);
    expect(nameOf(theirs)).toBe('');
    expect(outboxOf(theirs).getWaiting()).toEqual([]);
    expect(waitingFor('kim')).toBeNull();
    rename(theirs, 'Kim');
    await end(kim.user, Date.now() + 1);
    // A logout removes nothing of other users.
    await forgetLocalData('kim');
    expect(await readUnsent('kim')).toEqual([]);
    expect(await readUnsent('ann')).toHaveLength(1);
  });

  test('keeps unsent changes for seven days', async () => {
    const first = documentsFor(ann.user);
    await ready(first);
    rename(first, 'Ann the walker');
    const at = Date.now() - 7 * DAY_MS + 60_000;
    await end(ann.user, at);
    await retryPendingRemovals();
    expect(await readUnsent('ann')).toHaveLength(1);
    vi.setSystemTime(Date.now() + 120_000);
    try {
      expect(waitingForSignIn()).toBeNull();
      expect(await readUnsent('ann')).toEqual([]);
      await retryPendingRemovals();
      expect(await everythingStored()).not.toContain('Ann the walker');
    } finally {
      vi.useRealTimers();
    }
  });

  test('finishes an interrupted removal at the next start', async () => {
    const first = documentsFor(ann.user);
    await ready(first);
    rename(first, 'Ann the walker');
    await first.flush();
    first.close();
    markEndedSessionPending({ user: ann.user, at: Date.now() });
    await retryPendingRemovals();
    expect(await usedDatabases()).toEqual(['leashwise-unsent']);
    expect(waitingFor('ann')).toMatchObject({ changes: 1 });
  });

  test('removes nothing of a user who has signed in again', async () => {
    markEndedSessionPending({ user: ann.user, at: Date.now() });
    rememberUser({
      ...ann.user,
      email: 'ann@example.com',
      given_name: 'Ann',
      name: 'Ann',
      picture: null,
      is_admin: false,
      access_expires_at: null,
      has_access: true,
    });
    await retryPendingRemovals();
    expect(pendingEndedSessions()).toEqual([]);
    const documents = documentsFor(ann.user);
    await ready(documents);
  });

  test('removes nothing while it can’t read the unsent changes', async () => {
    const factory = globalThis.indexedDB;
    vi.spyOn(factory, 'open').mockImplementation(() => {
      throw new Error('no');
    });
    await expect(end(ann.user)).rejects.toThrow('no');
    expect(pendingEndedSessions()).toHaveLength(1);
    vi.mocked(factory.open).mockRestore();
    await retryPendingRemovals();
    expect(await usedDatabases()).toEqual([]);
  });

  test('removes nothing while the browser has no room for what announces the unsent changes', async () => {
    const documents = documentsFor(ann.user);
    await ready(documents);
    rename(documents, 'Ann the walker');
    const write = Storage.prototype.setItem;
    const set = vi.spyOn(Storage.prototype, 'setItem');
    set.mockImplementation(function (this: Storage, key: string, value: string) {
      if (key === UNSENT_CHANGES) throw new DOMException('full', 'QuotaExceededError');
      write.call(this, key, value);
    });
    await expect(end(ann.user)).rejects.toThrow('announces unsent changes');
    expect(pendingEndedSessions()).toHaveLength(1);
    set.mockRestore();
    await retryPendingRemovals();
    expect(waitingFor('ann')).toMatchObject({ changes: 1 });
  });

  test('keeps a payment with an unknown outcome', async () => {
    storeDraft({ ...emptyDraft, isSent: true });
    await end(ann.user);
    expect(readDraft().isSent).toBe(true);
  });
});

test('a logout removes unsent changes of an earlier session', async () => {
  const first = documentsFor(ann.user);
  await ready(first);
  rename(first, 'Ann the walker');
  await end(ann.user);
  await forgetLocalData('ann');
  expect(waitingFor('ann')).toBeNull();
  expect(await everythingStored()).not.toContain('Ann the walker');
});

test('no call that can be queued requires a recent sign-in', () => {
  for (const [name, endpoint] of Object.entries(CALLS))
    expect([name, 'requiresRecentSignIn' in endpoint]).toEqual([name, false]);
});
