import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { expect, onTestFinished, test } from 'vitest';
import { startMongodb } from '../../scripts/stack/mongodb.ts';

async function dataDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'leashwise-mongodb-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

test('a database killed with -9 keeps each acknowledged write, at the same address', async () => {
  const dir = await dataDir();
  const acknowledged: number[] = [];
  let next = 0;
  let address = '';
  for (let round = 0; round < 3; round++) {
    const mongodb = await startMongodb({ dataDir: dir, env: withoutUri() });
    address ||= mongodb.uri;
    expect(mongodb.uri).toBe(address);
    const client = new MongoClient(mongodb.uri, { serverSelectionTimeoutMS: 500 });
    const rows = client.db('killed').collection<{ _id: number }>('rows');
    let writing = true;
    const writers = Array.from({ length: 8 }, async () => {
      while (writing) {
        const _id = next++;
        await rows.insertOne({ _id }, { writeConcern: { w: 1, j: true } }).then(
          () => acknowledged.push(_id),
          () => (writing = false),
        );
      }
    });
    const before = acknowledged.length;
    while (acknowledged.length < before + 200) await new Promise((done) => setTimeout(done, 5));
    mongodb.child?.kill('SIGKILL');
    await Promise.all(writers);
    await client.close();
  }
  const mongodb = await startMongodb({ dataDir: dir, env: withoutUri() });
  onTestFinished(() => mongodb.close());
  const client = new MongoClient(mongodb.uri);
  onTestFinished(() => client.close());
  const rows = client.db('killed').collection<{ _id: number }>('rows');
  const storedIds = new Set((await rows.find().toArray()).map((row) => row._id));
  expect(acknowledged.filter((id) => !storedIds.has(id))).toEqual([]);
});

test('a slow query without a suitable index finds nothing and does not fail', async () => {
  const mongodb = await startMongodb({ dataDir: await dataDir(), env: withoutUri() });
  onTestFinished(() => mongodb.close());
  const client = new MongoClient(mongodb.uri);
  onTestFinished(() => client.close());
  const rows = client.db('many').collection('rows');
  await rows.createIndexes([{ key: { is_on: 1, at: -1 } }, { key: { is_on: 1, name: 1 } }]);
  await rows.insertMany(
    Array.from({ length: 20_000 }, (_, at) => ({ is_on: true, at, name: `${at}`, of: null })),
  );
  const none = rows.find({ is_on: true, of: { $ne: null } }, { sort: { at: -1 }, limit: 5 });
  expect(await none.toArray()).toEqual([]);
});

test('uses MONGODB_URI as is and starts nothing', async () => {
  const uri = 'mongodb://db.example:27017/?replicaSet=rs0';
  const mongodb = await startMongodb({ dataDir: await dataDir(), env: { MONGODB_URI: uri } });
  expect(mongodb).toMatchObject({ uri, kind: 'configured', child: null });
});

test('prefers mongod on PATH, and names all three options when it fails', async () => {
  const path = await dataDir();
  const script = '#!/bin/sh\necho "cannot do $*"\nexit 3\n';
  await writeFile(join(path, 'mongod'), script, { mode: 0o755 });
  const env = { ...withoutUri(), PATH: `${path}:${process.env['PATH']}` };
  const failing = startMongodb({ dataDir: path, env });
  await expect(failing).rejects.toThrow(
    'Set MONGODB_URI to a running server, or install mongod on PATH.',
  );
  await expect(failing).rejects.toThrow(`cannot do --dbpath ${join(path, 'mongodb', 'mongod')}`);
});

function withoutUri(): NodeJS.ProcessEnv {
  const { MONGODB_URI: _, ...env } = process.env;
  return env;
}
