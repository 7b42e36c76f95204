import { randomUUID } from 'node:crypto';
import { next as A } from '@automerge/automerge';
import { Binary, ObjectId } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import type { AccountDocument } from '#shared/account/document.ts';
import type { CardDocument } from '#shared/profile/document.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import * as contract from '#shared/sync/contract.ts';
import { stateDigest, writeMarks } from '#shared/sync/state-digest.ts';
import type { LogRow, SyncNodeRow } from '../../sync-server/core/database.ts';
import type { TestSync, TestUser } from '../sync.ts';
import { RawDevice, type Answer } from './raw-device.ts';
import { startCluster, type Cluster } from './two-nodes.ts';

vi.setConfig({ testTimeout: 60_000 });

let cluster: Cluster;
let a: TestSync;
let b: TestSync;

beforeAll(async () => {
  cluster = await startCluster(inject('mongodbUri'));
  [a, b] = cluster.nodes as [TestSync, TestSync];
});
afterAll(() => cluster.close());

const deviceAt = (node: TestSync, user: TestUser) => new RawDevice(node.socket(user)).join();

/** Returns whether a message brings the device to these heads. */
const hasHeads = (heads: string[]) => (answer: { type: string; data?: Uint8Array }) =>
  answer.type === 'sync' &&
  heads.every((head) => A.decodeSyncMessage(answer.data!).heads.includes(head));

/** Two devices of one owner with one document, one at each node. */
async function pair() {
  const owner = await a.user();
  const id = await a.document(owner);
  const [one, two] = [await deviceAt(a, owner), await deviceAt(b, owner)];
  const doc = await one.read<AccountDocument>(id);
  await two.read<AccountDocument>(id);
  return { owner, id, one, two, doc };
}

const withSetting = (doc: A.Doc<AccountDocument>, name: string, value: number) =>
  A.change(doc, (draft) => void (draft.settings[name] = value));

/** Makes a change on one device and returns how long the other one waited for it, in ms. */
async function editArrives(
  from: RawDevice,
  to: RawDevice,
  id: string,
  doc: A.Doc<AccountDocument>,
  name: string,
): Promise<{ doc: A.Doc<AccountDocument>; ms: number }> {
  const after = withSetting(doc, name, 1);
  const startedAt = performance.now();
  const arrived = to.next(hasHeads(A.getHeads(after)));
  await from.keep(id, after);
  await arrived;
  return { doc: after, ms: performance.now() - startedAt };
}

test('an edit at one node appears at the other one, in both directions', async () => {
  const { id, one, two, doc } = await pair();
  const first = await editArrives(one, two, id, doc, 'volume');
  const second = await editArrives(two, one, id, first.doc, 'theme');
  expect(Math.max(first.ms, second.ms)).toBeLessThan(1_000);
  const values = await Promise.all(
    [a, b].map((node) => node.call(contract.readDocument, { params: { documentId: id } })),
  );
  for (const { value } of values)
    expect(value).toMatchObject({ settings: { volume: 1, theme: 1 } });
});

test('without NATS, an edit appears at the other node within about a second', async () => {
  const { id, one, two, doc } = await pair();
  await cluster.nats.stop();
  await vi.waitFor(() => expect(cluster.buses.some((bus) => bus.isConnected())).toBe(false));
  try {
    const first = await editArrives(one, two, id, doc, 'volume');
    const second = await editArrives(two, one, id, first.doc, 'theme');
    expect(Math.max(first.ms, second.ms)).toBeLessThan(2_500);
  } finally {
    await cluster.nats.start();
  }
  await vi.waitFor(() => expect(cluster.buses.every((bus) => bus.isConnected())).toBe(true));
});

test('a node that is cut off from NATS exchanges edits with one that is not', async () => {
  const { id, one, two, doc } = await pair();
  cluster.buses[0]!.cut();
  try {
    const first = await editArrives(one, two, id, doc, 'volume');
    const second = await editArrives(two, one, id, first.doc, 'theme');
    expect(Math.max(first.ms, second.ms)).toBeLessThan(2_500);
  } finally {
    cluster.buses[0]!.restore();
  }
});

test('a lost message is noticed with the next one', async () => {
  const { id, one, two, doc } = await pair();
  cluster.buses[0]!.isLost = (subject) => subject === `documents.${id}`;
  const lost = withSetting(doc, 'volume', 1);
  await one.keep(id, lost);
  cluster.buses[0]!.isLost = () => false;
  const { ms } = await editArrives(one, two, id, lost, 'theme');
  expect(ms).toBeLessThan(1_500);
});

test('a lost message without a next one is found in the log', async () => {
  const { id, one, two, doc } = await pair();
  cluster.buses[0]!.isLost = (subject) => subject === `documents.${id}`;
  try {
    const { ms } = await editArrives(one, two, id, doc, 'volume');
    expect(ms).toBeLessThan(8_000);
  } finally {
    cluster.buses[0]!.isLost = () => false;
  }
});

test('a lost change of a node whose clock is an hour slow is found in the log', async () => {
  const { id, one, two, doc } = await pair();
  // It has the id that such a node would give it.
  const hourAgo = Math.floor(Date.now() / 1000) - 3_600;
  const after = withSetting(doc, 'volume', 1);
  const chunks = new Binary(A.getLastLocalChange(after));
  const arrived = [one, two].map((device) => device.next(hasHeads(A.getHeads(after))));
  const writer = randomUUID();
  const nodes = a.db.collection<SyncNodeRow>('sync_nodes');
  await nodes.insertOne({ _id: writer, seen_at: new Date(), done: [] });
  const startedAt = performance.now();
  await a.db.collection<LogRow>('document_log').insertOne({
    _id: new ObjectId(ObjectId.generate(hourAgo)),
    writer,
    entries: [{ document: id, chunks }],
  });
  await Promise.all(arrived);
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  await nodes.deleteOne({ _id: writer });
});

test('a change that is too large for the bus is read from the log', async () => {
  const { id, one, two, doc } = await pair();
  const random = Array.from({ length: 60_000 }, () => Math.random().toString(36)).join('');
  const after = A.change(doc, (draft) => {
    (draft.settings as Record<string, unknown>)['large'] = new A.ImmutableString(random);
  });
  const heads = A.getHeads(after);
  const arrived = two.next(hasHeads(heads));
  await one.keep(id, after);
  expect((await arrived).documentId).toBe(id);
});

test('concurrent edits converge, and nothing acknowledged is lost after both nodes restart', async () => {
  const { owner, id, one, two, doc } = await pair();
  let lostCount = 0;
  cluster.buses[0]!.isLost = () => ++lostCount % 3 === 0;
  const write = async (device: RawDevice, name: string) => {
    let mine = A.clone(doc);
    for (let i = 0; i < 20; i++) {
      mine = withSetting(mine, `${name}${i}`, i);
      device.answers.length = 0;
      await device.keep(id, mine);
    }
    return A.getHeads(mine);
  };
  const heads = (await Promise.all([write(one, 'one'), write(two, 'two')])).flat();
  cluster.buses[0]!.isLost = () => false;
  await Promise.all(
    [one, two].map((device) =>
      vi.waitFor(() => expect(device.answers.some(hasHeads(heads.toSorted()))).toBe(true), 10_000),
    ),
  );
  for (const node of [a, b]) await node.restart();
  for (const node of [a, b]) {
    const device = await deviceAt(node, owner);
    const { settings } = await device.read<AccountDocument>(id);
    expect(Object.keys(settings)).toHaveLength(40);
    device.close();
  }
});

test('a device that only compared its documents gets a change from the other node on its socket', async () => {
  const owner = await a.user();
  const id = await a.document(owner);
  const one = await deviceAt(a, owner);
  const doc = await one.read<AccountDocument>(id);
  const two = await deviceAt(b, owner);
  two.send({ type: 'compare', data: writeMarks([stateDigest(id, A.getHeads(doc))!]) });
  const { data } = await two.next(({ type }) => type === 'compared');
  expect(data![0]! & 1).toBe(1);
  const { ms } = await editArrives(one, two, id, doc, 'volume');
  expect(ms).toBeLessThan(2_000);
});

test('a permission that ends at one node ends on open sockets of the other one', async () => {
  const [owner, friend] = [await a.user(), await a.user()];
  const id = await a.document(owner, 'card');
  const call = (reader_user_ids: string[]) =>
    a.call(contract.setReaders, { params: { documentId: id }, body: { reader_user_ids } });
  await call([friend.id]);
  const reader = await deviceAt(b, friend);
  await reader.read<CardDocument>(id);
  const startedAt = performance.now();
  await call([]);
  expect(await reader.closed).toBe(closeCodes.rightsChanged);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  const again = await deviceAt(b, friend);
  again.request(id);
  expect((await again.next(({ documentId }) => documentId === id)).type).toBe('doc-unavailable');
  await call([friend.id]);
  expect(await again.closed).toBe(closeCodes.rightsChanged);
});

test('a permission ends within a second at a node without the bus', async () => {
  const [owner, friend] = [await a.user(), await a.user()];
  const id = await a.document(owner, 'card');
  const call = (reader_user_ids: string[]) =>
    a.call(contract.setReaders, { params: { documentId: id }, body: { reader_user_ids } });
  await call([friend.id]);
  const reader = await deviceAt(b, friend);
  await reader.read<CardDocument>(id);
  cluster.buses[1]!.cut();
  try {
    const startedAt = performance.now();
    await call([]);
    expect(await reader.closed).toBe(closeCodes.rightsChanged);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  } finally {
    cluster.buses[1]!.restore();
  }
});

test('a document is removed, a session ends and a user is disconnected on both nodes', async () => {
  const owner = await a.user();
  const id = await a.document(owner, 'card');
  const device = await deviceAt(b, owner);
  const doc = await device.read<CardDocument>(id);
  await a.call(contract.removeDocument, { params: { documentId: id } });
  expect(await device.closed).toBe(closeCodes.rightsChanged);
  const back = await deviceAt(b, owner);
  back.push(id, A.getHeads(doc), [A.save(doc)], 'v2');
  expect((await back.next(({ documentId }) => documentId === id)).type).toBe('doc-unavailable');
  await a.call(contract.disconnect, { body: { session_id: owner.sessionId } });
  expect(await back.closed).toBe(closeCodes.rightsChanged);
  const last = await deviceAt(b, owner);
  await a.call(contract.disconnect, { body: { user_id: owner.id } });
  expect(await last.closed).toBe(closeCodes.rightsChanged);
});

test('everything acknowledged before a document is retired is in it for every node', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, one, two, doc } = await pair();
    one.close();
    // Half of the time, the order reaches the other node by the database only.
    if (round % 2 === 1) cluster.buses[1]!.cut();
    let acknowledged = 0;
    const writing = (async () => {
      let mine = doc;
      for (let i = 0; ; i++) {
        mine = withSetting(mine, `n${i}`, i);
        two.answers.length = 0;
        await two.keep(id, mine);
        acknowledged = i + 1;
      }
    })().catch(() => {});
    await vi.waitFor(() => expect(acknowledged).toBeGreaterThan(2));
    await a.call(contract.retireDocument, { params: { documentId: id } });
    const { value } = await a.call(contract.readDocument, { params: { documentId: id } });
    await writing;
    cluster.buses[1]!.restore();
    const { settings } = value as { settings: Record<string, number> };
    expect(Object.keys(settings).length).toBeGreaterThanOrEqual(acknowledged);
  }
});

test('typing reaches devices at the other node, and named changes devices at both', async () => {
  const { id, one, two } = await pair();
  const message = { type: 'ephemeral', documentId: id, count: 1, sessionId: 's' };
  await vi.waitFor(async () => {
    one.send({ ...message, count: message.count++, data: new Uint8Array([7]) });
    expect(two.answers.some(({ type }) => type === 'ephemeral')).toBe(true);
  });
  const got = await two.next(({ type }) => type === 'ephemeral');
  expect(got).toMatchObject({ senderId: one.peerId, documentId: id, sessionId: 's' });
  for (const [i, node] of [a, b].entries()) {
    const body = { name: 'settings.save', input: { speech: i === 0 } };
    const isChanged = (answer: Answer) =>
      answer.type === 'sync' && A.decodeSyncMessage(answer.data!).changes.length > 0;
    for (const device of [one, two]) device.answers.length = 0;
    await node.call(contract.changeDocument, { params: { documentId: id }, body });
    for (const device of [one, two]) await device.next(isChanged);
  }
});
