// @vitest-environment jsdom
import * as A from '@automerge/automerge';
import {
  generateAutomergeUrl,
  NetworkAdapter,
  type DocumentId,
  type Message,
  type PeerId,
} from '@automerge/automerge-repo';
import { beforeEach, expect, test, vi } from 'vitest';
import { StateComparison } from '../../../client/platform/sync/connection/state-comparison.ts';
import { ChunkStorage } from '../../../client/platform/sync/storage/chunk-storage.ts';
import { DocumentRemovals } from '../../../client/platform/sync/storage/document-removals.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';

const SERVER = 'server' as PeerId;
const url = generateAutomergeUrl();
const id = url.replace('automerge:', '') as DocumentId;

/** A network adapter that records what the Repo sends. */
class Wire extends NetworkAdapter {
  readonly sent: Message[] = [];
  override isReady = () => true;
  override whenReady = () => Promise.resolve();
  override connect = (peerId: PeerId) => {
    this.peerId = peerId;
    this.emit('peer-candidate', { peerId: SERVER, peerMetadata: {} });
  };
  override send = (message: Message) => void this.sent.push(message);
  override disconnect() {}
}

/** A start of the app. */
async function start() {
  const database = await openDatabase('ann');
  const removed = new Set<string>();
  const storage = new ChunkStorage(database, () => {}, removed);
  const wire = new Wire();
  const { repo } = new StateComparison(wire, { storage, saveDebounceRate: 1 }, removed);
  const removals = new DocumentRemovals('ann', repo, storage, removed);
  return { database, storage, wire, repo, removals };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Returns whether chunks of the document are in storage. */
const isStored = async ({ database }: Pick<Started, 'database'>) => {
  const chunks = await database.chunks.loadRange([]);
  // The Repo also stores an id of the storage.
  return chunks.some(({ key: [document] }) => document === id);
};

/** A message of the server with the document, from before its removal. */
function messageTo(app: Started): Message {
  const doc = A.from({ text: 'said before the block' });
  const [, asked] = A.generateSyncMessage(A.init(), A.initSyncState());
  const [, state] = A.receiveSyncMessage(doc, A.initSyncState(), asked!);
  const [, data] = A.generateSyncMessage(doc, state);
  return {
    type: 'sync',
    senderId: SERVER,
    targetId: app.wire.peerId!,
    documentId: id,
    data: data!,
  };
}

const isRemovalPending = () =>
  Object.keys(localStorage).some((key) => key.endsWith('removed-documents'));
const soon = () => new Promise((resolve) => setTimeout(resolve, 50));

beforeEach(() => {
  freshIndexedDb();
  localStorage.clear();
});

test('removes a document from storage, and a save in progress does not restore it', async () => {
  const app = await start();
  await app.storage.save([id, 'snapshot', 'a'], new Uint8Array([1]));
  app.removals.remove(url);
  expect(isRemovalPending()).toBe(true);
  await app.storage.save([id, 'incremental', 'b'], new Uint8Array([2]));
  await vi.waitFor(() => expect(isRemovalPending()).toBe(false));
  expect(await isStored(app)).toBe(false);
});

test('a sync message in progress does not restore a removed document', async () => {
  const app = await start();
  const message = messageTo(app);
  app.wire.emit('message', message);
  await vi.waitFor(async () => expect(await isStored(app)).toBe(true));
  app.removals.remove(url);
  app.wire.emit('message', message);
  await soon();
  expect(await isStored(app)).toBe(false);
  expect(app.repo.handles[id]).toBeUndefined();
});

test('the next start completes an interrupted removal', async () => {
  const app = await start();
  await app.storage.save([id, 'snapshot', 'a'], new Uint8Array([1]));
  app.storage.close();
  app.removals.close();
  app.removals.remove(url);
  await soon();
  expect(await isStored({ database: await openDatabase('ann') })).toBe(true);
  const next = await start();
  await vi.waitFor(async () => expect(await isStored(next)).toBe(false));
  expect(isRemovalPending()).toBe(false);
});

test('stores a document again after its removal was canceled', async () => {
  const app = await start();
  app.removals.remove(url);
  app.removals.cancel(url);
  await app.storage.save([id, 'snapshot', 'a'], new Uint8Array([1]));
  expect(await isStored(app)).toBe(true);
  expect(isRemovalPending()).toBe(false);
});

test('a save of another document at the same time does not block a removal', async () => {
  const { database } = await start();
  const write = vi.spyOn(database.chunks, 'write');
  const storage = new ChunkStorage(database, () => {}, new Set());
  write.mockImplementationOnce(() => {
    void storage.save(['another', 'snapshot', 'a'], new Uint8Array([1]));
    return Promise.resolve();
  });
  expect(await storage.forget(id)).toBe(true);
});
