import { randomUUID } from 'node:crypto';
import { Binary, ObjectId } from 'mongodb';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { LogReader } from '../../../sync-server/bus/log-reader.ts';
import { openDatabase, type Database } from '../../../sync-server/core/database.ts';
import { explainAll, monitoredUri, recordQueries } from '../../query-plans/recorded-queries.ts';

const REMEMBERED_MS = 40_000;
const OLD_RECORDS = 2_000;

const recorder = recordQueries();
let database: Database;
let reader: LogReader;

beforeEach(async () => {
  database = await openDatabase(monitoredUri(inject('mongodbUri')), `log-reader-${randomUUID()}`);
  reader = new LogReader(database, REMEMBERED_MS);
});
afterEach(async () => {
  await database.client.db(database.log.dbName).dropDatabase();
  await database.client.close();
});

const register = (writer: string) =>
  database.syncNodes.insertOne({ _id: writer, seen_at: new Date(), done: [] });
const recordOf = (writer: string, _id: ObjectId) => ({
  _id,
  writer,
  entries: [{ document: 'document', chunks: new Binary(Buffer.from('chunks')) }],
});
const idAt = (seconds: number) => new ObjectId(ObjectId.generate(seconds));
/** Inserts a record that has the time of its writer's clock, in seconds. */
async function write(writer: string, seconds = Date.now() / 1000): Promise<string> {
  const record = recordOf(writer, idAt(Math.floor(seconds)));
  await database.log.insertOne(record);
  return record._id.toHexString();
}
const newIds = async () => (await reader.newRecords()).map(({ _id }) => _id.toHexString());

test('returns only what was added, also by writers whose clocks are wrong', async () => {
  await register('fast');
  await write('fast', Date.now() / 1000 + 3_600);
  await reader.skip();
  expect(await newIds()).toEqual([]);
  await register('slow');
  const added = [await write('slow', 1_000), await write('fast', Date.now() / 1000 + 3_600)];
  const records = await reader.newRecords();
  expect(records.map(({ _id }) => _id.toHexString()).toSorted()).toEqual(added.toSorted());
  // They are returned until they count as read.
  expect(await newIds()).toHaveLength(2);
  reader.advance(records);
  expect(await newIds()).toEqual([]);
  const next = await write('slow', 1_000);
  expect(await newIds()).toEqual([next]);
});

test('returns what a node writes that has no row any more because it ended', async () => {
  await write('ended');
  await reader.skip();
  const late = await write('ended');
  expect(await newIds()).toEqual([late]);
});

test('says how long ago a record was read', async () => {
  await register('writer');
  await write('writer');
  const [first] = await reader.newRecords();
  expect(reader.hasRead(first!)).toBe(false);
  reader.advance([first!]);
  await write('writer');
  const [second] = await reader.newRecords();
  expect([reader.hasRead(first!), reader.hasRead(second!)]).toEqual([true, false]);
  expect(reader.hadReadBefore(first!, -1)).toBe(true);
  expect(reader.hadReadBefore(first!, REMEMBERED_MS)).toBe(false);
  expect(reader.hadReadBefore(second!, -1)).toBe(false);
});

test('reads in proportion to what is new, not to the log', async () => {
  const writers = ['one', 'two', 'three'];
  for (const writer of writers) await register(writer);
  const now = Math.floor(Date.now() / 1000);
  const old = Array.from({ length: OLD_RECORDS }, (_, i) => recordOf(writers[i % 3]!, idAt(now)));
  await database.log.insertMany(old);
  await reader.skip();
  const added = [await write('one', now + 1), await write('two', now + 1)];
  recorder.take();
  expect((await newIds()).toSorted()).toEqual(added.toSorted());
  const db = database.client.db(database.log.dbName);
  const plans = await explainAll(db, recorder.take());
  const [plan] = plans.filter(({ collection }) => collection === 'document_log');
  expect(plan).toMatchObject({ isScan: false, examined: 2, returned: 2 });
});
