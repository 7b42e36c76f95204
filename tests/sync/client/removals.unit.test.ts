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
import { ChunkStorage } from '../../../client/sync/storage/chunk-storage.ts';
import { Comparison } from '../../../client/sync/connection/state-comparison.ts';
import { openDatabase } from '../../../client/sync/storage/local-database.ts';
import { Removals } from '../../../client/sync/storage/document-removals.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';

const SERVER = 'server' as PeerId;
const url = generateAutomergeUrl();
const id = url.replace('automerge:', '') as DocumentId;

/** What the Repo would send, and how a message of the server comes to it. */
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
  const gone = new Set<string>();
  const storage = new ChunkStorage(database, () => {}, gone);
  const wire = new Wire();
  const { repo } = new Comparison(wire, { storage, saveDebounceRate: 1 }, gone);
  const removals = new Removals('ann', repo, storage, gone);
  return { database, storage, wire, repo, removals };
}

type Started = Awaited<ReturnType<typeof start>>;

/** Whether anything of the document is on the disk. */
const isKept = async ({ database }: Pick<Started, 'database'>) => {
  const chunks = await database.chunks.loadRange([]);
  // Beside it the Repo keeps a name for the storage.
  return chunks.some(({ key: [document] }) => document === id);
};

/** A message of the server with the document, as it was before the server removed it. */
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

const isNoted = () => Object.keys(localStorage).length > 0;
const soon = () => new Promise((resolve) => setTimeout(resolve, 50));

beforeEach(() => {
  freshIndexedDb();
  localStorage.clear();
});

test('what goes is off the disk, and a save that was under way does not bring it back', async () => {
  const app = await start();
  await app.storage.save([id, 'snapshot', 'a'], new Uint8Array([1]));
  app.removals.remove(url);
  expect(isNoted()).toBe(true);
  await app.storage.save([id, 'incremental', 'b'], new Uint8Array([2]));
  await vi.waitFor(() => expect(isNoted()).toBe(false));
  expect(await isKept(app)).toBe(false);
});

test('nor does a message that was on its way', async () => {
  const app = await start();
  const message = messageTo(app);
  app.wire.emit('message', message);
  await vi.waitFor(async () => expect(await isKept(app)).toBe(true));
  app.removals.remove(url);
  app.wire.emit('message', message);
  await soon();
  expect(await isKept(app)).toBe(false);
  expect(app.repo.handles[id]).toBeUndefined();
});

test('cut off in the midst of it, the next start removes it', async () => {
  const app = await start();
  await app.storage.save([id, 'snapshot', 'a'], new Uint8Array([1]));
  app.storage.close();
  app.removals.close();
  app.removals.remove(url);
  await soon();
  expect(await isKept({ database: await openDatabase('ann') })).toBe(true);
  const next = await start();
  await vi.waitFor(async () => expect(await isKept(next)).toBe(false));
  expect(isNoted()).toBe(false);
});

test('what is wanted again is kept again', async () => {
  const app = await start();
  app.removals.remove(url);
  app.removals.cancel(url);
  await app.storage.save([id, 'snapshot', 'a'], new Uint8Array([1]));
  expect(await isKept(app)).toBe(true);
  expect(isNoted()).toBe(false);
});

test('a save of another document at the same time does not keep the note', async () => {
  const { database } = await start();
  const write = vi.spyOn(database.chunks, 'write');
  const storage = new ChunkStorage(database, () => {}, new Set());
  write.mockImplementationOnce(() => {
    void storage.save(['another', 'snapshot', 'a'], new Uint8Array([1]));
    return Promise.resolve();
  });
  expect(await storage.forget(id)).toBe(true);
});
