import { randomUUID } from 'node:crypto';
import { Binary, ObjectId } from 'mongodb';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { openDatabase, type Database, type LogRow } from '../../sync-server/database.ts';
import { LogLane } from '../../sync-server/log-lane.ts';
import { watchMongodb, type WatchedMongodb } from './watched-mongodb.ts';

const record = (document = 'somebody'): LogRow => ({
  _id: new ObjectId(),
  writer: 'a test',
  entries: [{ document, chunks: new Binary(Buffer.from(document)) }],
});

let mongodb: WatchedMongodb;
let database: Database;
let lane: LogLane;

beforeEach(async () => {
  mongodb = await watchMongodb(inject('mongodbUri'));
  database = await openDatabase(mongodb.uri, `lane-${randomUUID()}`);
  lane = new LogLane(database.client, database.log);
  await lane.insert([record('first')], 5);
  await vi.waitUntil(() => lane.isOpen);
});

afterEach(async () => {
  await database.client.db(database.log.dbName).dropDatabase();
  await database.client.close();
  mongodb.close();
});

const kept = async () =>
  (await database.log.find().toArray()).map(({ entries }) => entries[0]!.document).toSorted();

test('records go over a connection of the driver, asked for the same durability', async () => {
  await lane.insert([record('second'), record('third')], 11);
  expect(await kept()).toEqual(['first', 'second', 'third']);
  const inserts = mongodb.passages.filter(({ command }) => command['insert'] === 'document_log');
  expect(inserts.map(({ command }) => command['writeConcern'])).toEqual([
    inserts[0]!.command['writeConcern'],
    inserts[0]!.command['writeConcern'],
  ]);
  expect(inserts[0]!.command['writeConcern']).toMatchObject({ j: true });
});

test('what MongoDB refuses is refused, and the lane opens again', async () => {
  await database.log.createIndex({ writer: 1 }, { unique: true });
  await expect(lane.insert([record('second')], 6)).rejects.toMatchObject({ code: 11_000 });
  await database.log.dropIndex('writer_1');
  expect(lane.isOpen).toBe(false);
  await vi.waitFor(async () => {
    await lane.insert([record('more')], 4);
    expect(lane.isOpen).toBe(true);
  }, 5000);
  await lane.insert([record('last')], 4);
  expect(await kept()).toContain('last');
});

test('a connection that breaks loses nothing that was answered', async () => {
  const answered: string[] = [];
  for (let n = 0; n < 40; n++) {
    if (n % 10 === 5) mongodb.hangUp();
    await lane.insert([record(`record ${n}`)], 9).then(
      () => answered.push(`record ${n}`),
      // The driver's other connections are broken, too.
      () => {},
    );
  }
  expect(answered.length).toBeGreaterThan(20);
  expect(await kept()).toEqual(expect.arrayContaining(answered));
});

test('a closed client fails, and a client that is connected again is used', async () => {
  await database.client.close();
  await expect(lane.insert([record('second')], 6)).rejects.toThrow();
  await database.client.connect();
  await vi.waitFor(async () => {
    await lane.insert([record('more')], 4);
    expect(lane.isOpen).toBe(true);
  }, 5000);
  expect(await kept()).toContain('more');
});
