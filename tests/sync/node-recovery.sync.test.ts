import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { next as A } from '@automerge/automerge';
import { Binary } from 'mongodb';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import { createSingleNodeBus } from '#shared/bus/bus.ts';
import { readContacts } from '#shared/friends/document.ts';
import type { CardDocument } from '#shared/profile/document.ts';
import type { CardRow } from '#shared/server/collections.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import * as contract from '#shared/sync/contract.ts';
import { DocumentLocks } from '../../sync-server/bus/document-locks.ts';
import { NodeOrders } from '../../sync-server/bus/node-orders.ts';
import type { Verification } from '../../sync-server/bus/verification.ts';
import { Compaction } from '../../sync-server/core/compaction.ts';
import {
  openDatabase,
  type Database,
  type LogRow,
  type SyncNodeRow,
} from '../../sync-server/core/database.ts';
import { noOtherNodes } from '../../sync-server/core/documents/document-nodes.ts';
import { Documents } from '../../sync-server/core/documents/documents.ts';
import { loadDocument } from '../../sync-server/core/documents/load-document.ts';
import { LOG_MAX_BYTES } from '../../sync-server/core/limits.ts';
import { ChangeLog } from '../../sync-server/core/storage/change-log.ts';
import { FriendCards } from '../../sync-server/plugins/friend-cards.ts';
import { Projections } from '../../sync-server/plugins/projections.ts';
import type { TestSync, TestUser } from '../sync.ts';
import { RawDevice } from './raw-device.ts';
import { startCluster, type Cluster } from './two-nodes.ts';

vi.setConfig({ testTimeout: 20_000 });

let cluster: Cluster;
let a: TestSync;
let b: TestSync;
/** That of the nodes. */
let database: Database;

beforeAll(async () => {
  cluster = await startCluster(inject('mongodbUri'));
  [a, b] = cluster.nodes as [TestSync, TestSync];
  database = await openDatabase(inject('mongodbUri'), a.db.databaseName);
});
afterAll(async () => {
  await database.client.close();
  await cluster.close();
});

const deviceAt = (node: TestSync, user: TestUser) => new RawDevice(node.socket(user)).join();
const withSetting = (doc: A.Doc<AccountDocument>, name: string) =>
  A.change(doc, (draft) => void (draft.settings[name] = 1));

test('named changes of one contacts document at once on two nodes all count, and the highest version stands', async () => {
  const owner = await a.user();
  const id = await a.document(owner, 'contacts');
  const person = (user_id: string, version: number) => ({
    user_id,
    version,
    relationship: 'friends',
    name: `version ${version}`,
    at: new Date().toISOString(),
    request_id: null,
    message: null,
    card: null,
  });
  const set = (node: TestSync, user_id: string, version: number) =>
    node.call(contract.changeDocument, {
      params: { documentId: id },
      body: { name: 'person.set', input: person(user_id, version) },
    });
  // Older versions come last.
  await Promise.all(
    [8, 7, 6, 5, 4, 3, 2, 1].flatMap((version) => [
      set(version % 2 === 0 ? a : b, 'both', version),
      set(a, `a${version}`, 1),
      set(b, `b${version}`, 1),
    ]),
  );
  for (const node of [a, b]) {
    const { value } = await node.call(contract.readDocument, { params: { documentId: id } });
    const { friends } = readContacts(value);
    expect(friends).toHaveLength(17);
    expect(friends.find(({ user_id }) => user_id === 'both')?.name).toBe('version 8');
  }
});

test('changes that reach two nodes in the wrong order are complete at both', async () => {
  const owner = await a.user();
  const id = await a.document(owner);
  const [one, two] = [await deviceAt(a, owner), await deviceAt(b, owner)];
  const doc = await one.read<AccountDocument>(id);
  await two.read<AccountDocument>(id);
  const first = withSetting(doc, 'first');
  const [firstHeads, firstChange] = [A.getHeads(first), A.getLastLocalChange(first)!];
  const second = withSetting(first, 'second');
  const heads = A.getHeads(second);
  // The second change depends on the first, which a device sends to the other node later.
  one.push(id, heads, [A.getLastLocalChange(second)!], 'v1');
  await one.next(({ type, data }) => type === 'sync' && A.decodeSyncMessage(data!).need.length > 0);
  two.push(id, firstHeads, [firstChange], 'v1');
  const isComplete = (answer: { type: string; data?: Uint8Array }) =>
    answer.type === 'sync' && A.decodeSyncMessage(answer.data!).heads.join() === heads.join();
  await two.next(isComplete);
  const late = await deviceAt(a, owner);
  await late.read(id);
  await late.next(isComplete);
  const stored = await loadDocument(database, id);
  expect(stored!.core.getHeads()).toEqual(heads);
  stored!.core.free();
});

test('another node projects the changes of a node that crashed, and all nodes check their permissions', async () => {
  const [owner, friend] = [await a.user(), await a.user()];
  const id = await a.document(owner, 'card');
  const setReaders = (reader_user_ids: string[]) =>
    a.call(contract.setReaders, { params: { documentId: id }, body: { reader_user_ids } });
  await setReaders([friend.id]);
  const readers = [await deviceAt(a, friend), await deviceAt(b, friend)];
  const [doc] = await Promise.all(readers.map((reader) => reader.read<CardDocument>(id)));
  // The state after a node crashed before it projected a change and ordered the end of a permission.
  const changed = A.change(doc!, (draft) => {
    draft.display_name = new A.ImmutableString('Kim');
  });
  const writer = randomUUID();
  const chunks = new Binary(A.getLastLocalChange(changed));
  await a.db
    .collection<Omit<LogRow, '_id'>>('document_log')
    .insertOne({ writer, entries: [{ document: id, chunks }] });
  const documents = a.db.collection<{ _id: string; reader_user_ids: string[] }>('documents');
  await documents.updateOne({ _id: id }, { $set: { reader_user_ids: [] } });
  const nodes = a.db.collection<SyncNodeRow>('sync_nodes');
  await nodes.insertOne({ _id: writer, seen_at: new Date(Date.now() - 60_000), done: [] });
  for (const reader of readers) expect(await reader.closed).toBe(closeCodes.rightsChanged);
  await vi.waitFor(async () => expect(await nodes.findOne({ _id: writer })).toBeNull(), 5_000);
  const card = await a.db.collection<CardRow>('cards').findOne({ _id: owner.id });
  expect(card?.display_name).toBe('Kim');
});

test('the work of a crashed node is finished once, however long that takes', async () => {
  const logger = pino({ level: 'silent' });
  const own = await openDatabase(inject('mongodbUri'), `take-over-${randomUUID()}`);
  const bus = createSingleNodeBus();
  const locks = new DocumentLocks(own, bus);
  const takeOvers: string[] = [];
  const checks: string[] = [];
  const orders = ['one', 'two'].map((node) => {
    const verification = { require: (check: () => Promise<void>) => check() };
    return new NodeOrders({
      database: own,
      bus,
      verification: verification as Verification,
      logger,
      node,
      carryOut: async ({ is }) => void checks.push(`${node} ${is}`),
      async takeOver(crashed) {
        takeOvers.push(crashed);
        await wait(2_500);
      },
      alone: (work, run) => locks.runIfFree(work, run),
    });
  });
  try {
    for (const each of orders) await each.start();
    await own.syncNodes.insertOne({
      _id: 'crashed',
      seen_at: new Date(Date.now() - 60_000),
      done: [],
    });
    await vi.waitFor(
      async () => expect(await own.syncNodes.findOne({ _id: 'crashed' })).toBeNull(),
      10_000,
    );
    expect(takeOvers).toEqual(['crashed']);
    // This bus carries no order to the other node.
    expect(checks).toHaveLength(1);
  } finally {
    for (const each of orders) await each.stop(true);
    await own.client.db(own.documents.dbName).dropDatabase();
    await own.client.close();
  }
});

test('nodes that did not read the log for too long have all clients start over', async () => {
  const owner = await a.user();
  const devices = [await deviceAt(a, owner), await deviceAt(b, owner)];
  const now = performance.now.bind(performance);
  const late = vi.spyOn(performance, 'now').mockImplementation(() => now() + 31_000);
  try {
    for (const device of devices) expect(await device.closed).toBe(closeCodes.tryAgainLater);
  } finally {
    late.mockRestore();
  }
});

test('of two nodes that start a compaction at once, one compacts, and nothing is lost', async () => {
  const logger = pino({ level: 'silent' });
  const name = `compaction-${randomUUID()}`;
  const own = await openDatabase(inject('mongodbUri'), name);
  const id = 'DocumentDocumentDocument';
  let doc = A.from<{ list: string[] }>({ list: [] });
  await own.documents.insertOne({
    _id: id,
    kind: 'account',
    owner_user_id: 'owner',
    reader_user_ids: [],
    snapshot: new Binary(A.save(doc)),
    snapshot_version: 0,
    snapshot_at: new Date(),
    created_at: new Date(),
  });
  const runs: number[] = [];
  const attempted = new Set<number>();
  const nodes = [0, 1].map((number) => {
    const projections = new Projections(own, logger, () => {});
    projections.hasOtherNodes = true;
    const log = new ChangeLog(own, () => {});
    const documents = new Documents({
      database: own,
      log,
      projections,
      logger,
      onFailure() {},
      onProjected() {},
    });
    const locks = new DocumentLocks(own, createSingleNodeBus());
    documents.nodes = {
      ...noOtherNodes,
      hasOthers: true,
      async alone(work, run) {
        await locks.runIfFree(work, async () => {
          // The other one tries in the meantime.
          await vi.waitFor(() => expect(attempted.has(1 - number)).toBe(true), 10_000);
          await run();
        });
        attempted.add(number);
      },
    };
    const friendCards = new FriendCards({
      database: own,
      documents,
      charge() {},
      refused: projections.refused,
      logger,
    });
    const compaction = new Compaction({
      database: own,
      documents,
      projections,
      friendCards,
      writer: log.writer,
      logger,
    });
    compaction.onStep = (step) => {
      if (step === 'chosen') runs.push(number);
    };
    return { log, compaction };
  });
  try {
    for (let i = 0; i < 6; i++) {
      doc = A.change(doc, (draft) => void draft.list.push(String(i)));
      await nodes[i % 2]!.log.append(id, A.getLastLocalChange(doc)!);
    }
    for (const { compaction } of nodes) compaction.recordAdded(LOG_MAX_BYTES + 1);
    await vi.waitFor(async () => expect(await own.log.countDocuments()).toBeLessThan(6), 10_000);
    await Promise.all(nodes.map(({ compaction }) => compaction.stop()));
    expect(runs).toHaveLength(1);
    const loaded = await loadDocument(own, id);
    expect(loaded!.core.getHeads()).toEqual(A.getHeads(doc));
    loaded!.core.free();
    expect(await own.locks.countDocuments()).toBe(0);
  } finally {
    await own.client.db(name).dropDatabase();
    await own.client.close();
  }
});
