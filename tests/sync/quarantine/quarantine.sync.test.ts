import { once } from 'node:events';
import { next as A } from '@automerge/automerge';
import { Binary, ObjectId } from 'mongodb';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import * as contract from '#shared/sync/contract.ts';
import type {
  DocumentRow,
  LogRow,
  QuarantineRow,
  SyncNodeRow,
} from '../../../sync-server/core/database.ts';
import { startTestSync, type TestSync, type TestUser } from '../../sync.ts';
import { RawDevice, repeatedOperations } from '../raw-device.ts';

vi.setConfig({ testTimeout: 500_000, hookTimeout: 300_000 });

/** Of 70 bytes, whose loading takes far longer than the watchdog waits. */
const HANGS = repeatedOperations(20_000_000);

let sync: TestSync;
let owner: TestUser;

beforeEach(async () => {
  sync = await startTestSync(inject('mongodbUri'), { child: true });
  owner = await sync.user();
});
afterEach(() => sync.close());

const documents = () => sync.db.collection<DocumentRow>('documents');
const nodes = () => sync.db.collection<SyncNodeRow>('sync_nodes');
const log = () => sync.db.collection<LogRow>('document_log');
const quarantine = () => sync.db.collection<QuarantineRow>('document_quarantine');
const stateOf = async (id: string) => (await documents().findOne({ _id: id }))?.quarantine;

/** Stores a chunk of a document as another version might have. */
async function store(documentId: string, chunk: Uint8Array): Promise<ObjectId> {
  const _id = new ObjectId();
  const entries = [{ document: documentId, chunks: new Binary(chunk) }];
  await log().insertOne({ _id, writer: 'earlier', entries });
  return _id;
}

async function device(): Promise<RawDevice> {
  const one = new RawDevice(sync.socket(owner));
  one.closed.catch(() => {});
  return one.join();
}

/** Restarts the process until something is true, as its supervisor does. */
async function restartUntil(check: () => Promise<unknown>): Promise<void> {
  const restarted = async () => {
    await sync.restart('SIGKILL').catch(() => {});
    await check();
  };
  await vi.waitFor(restarted, { timeout: 300_000, interval: 100 });
}

test('a document that hangs the server is quarantined and released, and stops neither others nor a start', async () => {
  const [good, bad] = [await sync.document(owner), await sync.document(owner)];
  await sync.call(contract.changeDocument, {
    params: { documentId: bad },
    body: { name: 'sharing.save', input: { is_location_sharing_enabled: true } },
  });
  const record = await store(bad, HANGS);
  const ended = once(sync.child!, 'exit');
  const first = await device();
  first.request(bad);
  expect((await ended)[1]).toBe('SIGKILL');
  expect(await stateOf(bad)).toMatchObject({ failures: 1 });
  // The next start finishes the work of the process that was killed.
  const [crashed] = await nodes().find().toArray();
  await log().updateOne({ _id: record }, { $set: { writer: crashed!._id } });
  await restartUntil(async () =>
    expect(await stateOf(bad)).toMatchObject({ failures: 2, retry_at: expect.any(Date) as Date }),
  );
  await restartUntil(() => sync.call(contract.ready));

  // What is stored is sent without loading it, but for the poison.
  const one = await device();
  one.request(bad);
  const answer = await one.next(({ documentId }) => documentId === bad);
  expect(answer.type).toBe('sync');
  expect(Buffer.from(answer.data!).includes(HANGS)).toBe(false);
  const [received] = A.receiveSyncMessage(
    A.init<AccountDocument>(),
    A.initSyncState(),
    answer.data!,
  );
  expect(received).toMatchObject({ is_location_sharing_enabled: true });
  // Changes are refused, and those of another document are not.
  const doc = await one.read<AccountDocument>(good);
  const edited = A.change(doc, { time: 0 }, (draft) => void (draft.settings['n'] = 1));
  one.push(bad, A.getHeads(edited), [A.getLastLocalChange(edited)!], 'v1');
  expect(await one.refusal(bad)).toBe('unavailable');
  one.answers.length = 0;
  await one.keep(good, edited);
  expect(one.socket.readyState).toBe(one.socket.OPEN);

  // The first trial fails.
  await vi.waitFor(async () => expect(await stateOf(bad)).toMatchObject({ trials: 1 }), 120_000);
  // Without the poison, it is released by itself, with the changes that compaction moved meanwhile.
  await log().deleteOne({ _id: record });
  for (const { _id, entries } of await log().find({ 'entries.document': bad }).toArray()) {
    const { chunks } = entries[0]!;
    await quarantine().insertOne({ _id: { record: _id, document: bad }, chunks, is_pending: true });
    await log().deleteOne({ _id });
  }
  await documents().updateOne({ _id: bad }, { $set: { 'quarantine.retry_at': new Date() } });
  expect(await one.closed).toBe(closeCodes.tryAgainLater);
  const { value } = await sync.call(contract.readDocument, { params: { documentId: bad } });
  expect(value).toMatchObject({ is_location_sharing_enabled: true });
  expect(await quarantine().countDocuments()).toBe(0);
  expect(await stateOf(bad)).not.toHaveProperty('retry_at');
});

test('a document that a process was working on when it was killed is suspected', async () => {
  const id = await sync.document(owner);
  await store(id, HANGS);
  const one = await device();
  one.request(id);
  await vi.waitUntil(() => nodes().findOne({ working_on: id }), { timeout: 120_000, interval: 20 });
  await restartUntil(async () => expect(await stateOf(id)).toMatchObject({ failures: 1 }));
});
