import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { openDatabase, type Database } from '../../sync-server/core/database.ts';
import { BATCH_MAX_BYTES } from '../../sync-server/core/limits.ts';
import { ChangeLog } from '../../sync-server/core/storage/change-log.ts';
import { watchMongodb, type WatchedMongodb } from './watched-mongodb.ts';

let mongodb: WatchedMongodb;
let database: Database;
let log: ChangeLog;

beforeEach(async () => {
  mongodb = await watchMongodb(inject('mongodbUri'));
  database = await openDatabase(mongodb.uri, `change-log-${randomUUID()}`);
  log = new ChangeLog(database, () => {});
});

afterEach(async () => {
  await database.client.db(database.log.dbName).dropDatabase();
  await database.client.close();
  mongodb.close();
});

const append = (documentId: string, chunks = documentId) =>
  log.append(documentId, Buffer.from(chunks));

/** The entries of each record, oldest first. */
async function stored(): Promise<string[][]> {
  const records = await database.log.find({}, { sort: { _id: 1 } }).toArray();
  return records.map(({ entries }) =>
    entries.map(({ document, chunks }) => `${document}: ${Buffer.from(chunks.buffer).toString()}`),
  );
}

test('writes simultaneous changes as one durable record', async () => {
  await Promise.all([append('first'), append('second'), append('first', ' again')]);
  expect(await stored()).toEqual([['first: first again', 'second: second']]);
  const inserts = mongodb.passages.filter(({ command }) => command['insert'] === 'document_log');
  expect(inserts.map(({ command }) => command['writeConcern'])).toMatchObject([{ j: true }]);
});

test('writes changes that arrive during a write in the next batch', async () => {
  const first = append('first');
  await new Promise(setImmediate);
  const later = ['second', 'third', 'fourth'].map((id) => append(id));
  await Promise.all([first, ...later]);
  expect(await stored()).toEqual([
    ['first: first'],
    ['second: second', 'third: third', 'fourth: fourth'],
  ]);
});

test('splits a batch larger than a record in order', async () => {
  const large = 'x'.repeat(BATCH_MAX_BYTES);
  await Promise.all([append('first'), append('second', large), append('third'), append('fourth')]);
  const documents = (await stored()).map((entries) => entries.map((entry) => entry.split(':')[0]));
  expect(documents).toEqual([['first'], ['second'], ['third', 'fourth']]);
});

test('rejects a batch that MongoDB rejects and writes the next one', async () => {
  await append('first');
  await database.log.createIndex({ writer: 1 }, { unique: true });
  const refused = await Promise.allSettled([append('second'), append('third')]);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await database.log.dropIndex('writer_1');
  await append('last');
  expect(await stored()).toEqual([['first: first'], ['last: last']]);
});

test('loses no acknowledged change when a connection breaks', async () => {
  const acknowledged: string[] = [];
  for (let n = 0; n < 40; n++) {
    if (n % 10 === 5) mongodb.hangUp();
    await append(`document ${n}`).then(
      () => acknowledged.push(`document ${n}: document ${n}`),
      () => {},
    );
  }
  expect(acknowledged.length).toBeGreaterThan(20);
  expect((await stored()).flat()).toEqual(expect.arrayContaining(acknowledged));
});

test('appending fails while the client is closed and works after it has reconnected', async () => {
  await database.client.close();
  await expect(append('second')).rejects.toThrow();
  await database.client.connect();
  await append('third');
  expect(await stored()).toEqual([['third: third']]);
});

const ids = async () =>
  (await database.log.find({}, { sort: { $natural: 1 } }).toArray()).map(({ _id }) => String(_id));

test('gives later records larger ids, also after the clock was set back', async () => {
  await append('first');
  const now = Date.now.bind(Date);
  const setBack = vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
  try {
    await append('second');
    await append('third');
  } finally {
    setBack.mockRestore();
  }
  const written = await ids();
  expect(written).toHaveLength(3);
  expect(written.toSorted()).toEqual(written);
});

test.each([
  ['was carried out', true],
  ['will be carried out later', false],
])('a write that failed and %s comes before all later ones or never', async (_, isCarriedOut) => {
  await append('first');
  const insertOne = database.log.insertOne.bind(database.log);
  let late: Parameters<typeof insertOne>[0] | undefined;
  const failing = vi.spyOn(database.log, 'insertOne').mockImplementationOnce(async (record) => {
    late = record;
    if (isCarriedOut) await insertOne(record);
    throw new Error('no answer');
  });
  try {
    await expect(append('second')).rejects.toThrow('no answer');
  } finally {
    failing.mockRestore();
  }
  await append('third');
  await expect(insertOne(late!)).rejects.toThrow('duplicate');
  const expected = isCarriedOut ? ['first', 'second', 'third'] : ['first', 'third'];
  expect((await stored()).flat()).toEqual(expected.map((id) => `${id}: ${id}`));
  const written = await ids();
  expect(written.toSorted()).toEqual(written);
});
