import { once } from 'node:events';
import { Binary, ObjectId } from 'mongodb';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import * as contract from '#shared/sync/contract.ts';
import type { DocumentRow, LogRow, SyncNodeRow } from '../../../sync-server/core/database.ts';
import { recordFailures } from '../../../sync-server/core/quarantine/quarantine-rows.ts';
import { startNats } from '../../nats.ts';
import { startTestSync, type TestSync } from '../../sync.ts';
import { RawDevice, repeatedOperations } from '../raw-device.ts';

vi.setConfig({ testTimeout: 300_000 });

test('several nodes share the quarantine: one document ends two of them, and no third', async () => {
  const nats = await startNats();
  const env = { NATS_URL: nats.url };
  const nodes: TestSync[] = [];
  onTestFinished(async () => {
    for (const node of nodes.toReversed()) await node.close();
    await nats.stop();
  });
  for (let i = 0; i < 3; i++) {
    const database = nodes[0]?.db.databaseName;
    nodes.push(await startTestSync(inject('mongodbUri'), { child: true, database, env }));
  }
  const [first, second, third] = nodes as [TestSync, TestSync, TestSync];
  const owner = await first.user();
  const id = await first.document(owner);
  const entries = [{ document: id, chunks: new Binary(repeatedOperations(20_000_000)) }];
  const log = first.db.collection<LogRow>('document_log');
  await log.insertOne({ _id: new ObjectId(), writer: 'earlier', entries });
  const failures = async () => {
    const row = await first.db.collection<DocumentRow>('documents').findOne({ _id: id });
    return row?.quarantine?.failures;
  };
  const request = async (node: TestSync) => {
    const one = new RawDevice(node.socket(owner));
    one.closed.catch(() => {});
    (await one.join()).request(id);
    return one;
  };
  // A device connects to one node after the other.
  for (const [i, node] of [first, second].entries()) {
    const ended = once(node.child!, 'exit');
    await request(node);
    expect((await ended)[1]).toBe('SIGKILL');
    expect(await failures()).toBe(i + 1);
  }
  const one = await request(third);
  const answer = await one.next(({ documentId }) => documentId === id);
  expect(answer.type).toBe('sync');
  expect(await third.call(contract.ready)).toEqual({ ready: true });
  expect(await failures()).toBe(2);
});

test('a document that hangs a node has failed once, also if another node takes it for dead meanwhile', async () => {
  const node = await startTestSync(inject('mongodbUri'), { child: true });
  onTestFinished(() => node.close());
  const owner = await node.user();
  const id = await node.document(owner);
  const entries = [{ document: id, chunks: new Binary(repeatedOperations(20_000_000)) }];
  const log = node.db.collection<LogRow>('document_log');
  await log.insertOne({ _id: new ObjectId(), writer: 'earlier', entries });
  const ended = once(node.child!, 'exit');
  const one = new RawDevice(node.socket(owner));
  one.closed.catch(() => {});
  (await one.join()).request(id);
  // As `recordCrashes` does.
  const rows = node.db.collection<SyncNodeRow>('sync_nodes');
  const takeOver = () => rows.updateOne({ working_on: [id] }, { $set: { working_on: [] } });
  await vi.waitUntil(async () => (await takeOver()).matchedCount > 0, 60_000);
  const documents = node.db.collection<DocumentRow>('documents');
  await recordFailures(documents, [id]);
  expect((await ended)[1]).toBe('SIGKILL');
  expect((await documents.findOne({ _id: id }))?.quarantine?.failures).toBe(1);
});
