import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { expect, inject, onTestFinished, test } from 'vitest';
import { declareIndexes } from '#shared/server/declare-indexes.ts';
import { startTestApi } from '../api.ts';

test('indexes that are no longer declared are dropped, and declared ones stay', async () => {
  const client = await MongoClient.connect(inject('mongodbUri'));
  const db = client.db(`indexes-${randomUUID()}`);
  onTestFinished(async () => {
    await db.dropDatabase();
    await client.close();
  });
  const rows = db.collection('rows');
  await rows.insertOne({ a: 1 });
  await rows.createIndex({ obsolete: 1 });
  await rows.createIndex({ shard: 'hashed' });
  await declareIndexes(rows, [{ key: { a: 1, b: -1 } }, { key: { c: '2dsphere' } }]);
  const names = (await rows.listIndexes().toArray()).map(({ name }) => String(name));
  expect(names.toSorted()).toEqual(['_id_', 'a_1_b_-1', 'c_2dsphere', 'shard_hashed']);
});

test('a restart drops no index that the servers declare or the driver needs', async () => {
  const api = await startTestApi(inject('mongodbUri'));
  onTestFinished(() => api.close());
  const all = async () => {
    const names: string[] = [];
    for (const { name } of await api.db.listCollections().toArray())
      for (const index of await api.db.collection(name).listIndexes().toArray())
        names.push(`${name} ${String(index['name'])}`);
    return names.toSorted();
  };
  const before = await all();
  expect(before.length).toBeGreaterThan(100);
  await api.restartApi();
  await api.stopSync();
  await api.startSync();
  expect(await all()).toEqual(before);
}, 120_000);
