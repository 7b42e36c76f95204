import { Binary, MongoClient, type Db } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { DocumentRow } from '../../../sync-server/core/database.ts';
import { snapshotWriter } from '../../../sync-server/core/storage/snapshots.ts';

let client: MongoClient;
let db: Db;
beforeAll(async () => {
  client = await MongoClient.connect(inject('mongodbUri'));
  db = client.db(`snapshots-${Math.random().toString(36).slice(2)}`);
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
});

const rows = () => db.collection<DocumentRow>('documents');
const stored = async () =>
  (await rows().find().sort({ _id: 1 }).toArray()).map(({ _id, snapshot, snapshot_version }) => [
    _id,
    Buffer.from(snapshot.buffer).toString(),
    snapshot_version,
  ]);
const snapshotOf = (documentId: string, version: number, heads = ['ab'.repeat(32)]) => ({
  documentId,
  version,
  saved: Buffer.from(`new ${documentId}`),
  heads,
});

test('snapshots that are ready together are written with one command, and those that can’t be keep no other', async () => {
  await db.createCollection('documents', {
    validator: { $or: [{ _id: { $ne: 'refused' } }, { snapshot_version: { $ne: 2 } }] },
  });
  const row = (_id: string) => ({
    _id,
    snapshot: new Binary(Buffer.from('old')),
    snapshot_version: 1,
  });
  await rows().insertMany(['a', 'b', 'outdated', 'refused'].map(row) as never);
  const commands: string[] = [];
  const counting = new Proxy(rows(), {
    get(target, name) {
      const value = target[name as 'updateOne'];
      if (typeof value !== 'function') return value;
      return (...given: Parameters<typeof value>) => {
        commands.push(String(name));
        return value.apply(target, given);
      };
    },
  });
  const write = snapshotWriter(counting);
  expect(await Promise.all([write(snapshotOf('a', 1)), write(snapshotOf('b', 1))])).toEqual([
    true,
    true,
  ]);
  expect(commands).toEqual(['bulkWrite']);
  const outcomes = await Promise.allSettled([
    write(snapshotOf('a', 2)),
    write(snapshotOf('outdated', 0)),
    write(snapshotOf('removed', 1)),
    write(snapshotOf('refused', 1)),
    // Another process wrote the same state, and another one.
    write(snapshotOf('b', 1)),
    write(snapshotOf('b', 1, ['cd'.repeat(32)])),
  ]);
  expect(outcomes).toMatchObject([
    { value: true },
    { value: false },
    { value: false },
    { reason: { code: 121 } },
    { value: true },
    { value: false },
  ]);
  expect(await stored()).toEqual([
    ['a', 'new a', 3],
    ['b', 'new b', 2],
    ['outdated', 'old', 1],
    ['refused', 'old', 1],
  ]);
});
