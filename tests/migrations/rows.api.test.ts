import { MongoClient, type Db } from 'mongodb';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { migrate } from '#shared/server/migrations/migrate.ts';
import type { Migration } from '#shared/server/migrations/migration.ts';
import { MIGRATIONS } from '#shared/server/migrations/migrations.ts';
import { updateInBatches } from '#shared/server/migrations/update-in-batches.ts';
import { startTestApi } from '../api.ts';
import { giveBackDatabase, takeDatabase } from '../databases.ts';

interface Row {
  _id: string;
  feet?: number;
  meters?: number;
}

const name = takeDatabase();
const log = pino({ level: 'silent' });
/** Long enough for a pause of a busy machine. */
const TIMES = { leaseMs: 2_500, checkMs: 50 };
let client: MongoClient;
let db: Db;

beforeAll(async () => {
  client = await MongoClient.connect(inject('mongodbUri'));
  db = client.db(name);
});
beforeEach(async () => {
  for (const collection of ['migrations', 'leases', 'rows'])
    await db.collection(collection).deleteMany({});
});
afterAll(async () => {
  await db.dropCollection('rows');
  await giveBackDatabase(client, name);
  await client.close();
});

const rows = () => db.collection<Row>('rows');
const done = async () =>
  (await db.collection('migrations').find().toArray()).map(({ _id }) => String(_id));

const toMeters = (onBatch: () => void | Promise<void> = () => {}): Migration => ({
  name: 'meters',
  async run(of, proceed) {
    await updateInBatches(
      of.collection<Row>('rows'),
      { meters: { $exists: false } },
      [{ $set: { meters: { $multiply: ['$feet', 0.3048] } } }],
      {
        proceed: () => {
          proceed();
          void onBatch();
        },
        batchRows: 10,
      },
    );
  },
});

const insertRows = (count: number) =>
  rows().insertMany(
    Array.from({ length: count }, (_, i) => ({ _id: String(i).padStart(4, '0'), feet: i })),
  );

test('runs each migration once, in order, and records its time and duration', async () => {
  const ran: string[] = [];
  const migrations = ['b', 'a', 'c'].map((each) => ({
    name: each,
    run: async () => void ran.push(each),
  }));
  await migrate(db, log, migrations.slice(0, 2));
  await migrate(db, log, migrations);
  await migrate(db, log, migrations);
  expect(ran).toEqual(['b', 'a', 'c']);
  expect(await db.collection('migrations').find().toArray()).toEqual(
    ['b', 'a', 'c'].map((_id) => ({
      _id,
      done_at: expect.any(Date),
      duration_ms: expect.any(Number),
    })),
  );
});

test('nodes that start at once run a migration once, and none starts before it is done', async () => {
  await insertRows(200);
  let runs = 0;
  const slow: Migration = {
    name: 'slow',
    async run(of, proceed) {
      runs++;
      await toMeters().run(of, proceed);
      // Longer than the lease, which is renewed.
      await new Promise((resolve) => setTimeout(resolve, TIMES.leaseMs + 500));
      proceed();
    },
  };
  const lacking = () => rows().countDocuments({ meters: { $exists: false } });
  const seen = await Promise.all(
    [1, 2, 3].map(() => migrate(db, log, [slow], TIMES).then(lacking)),
  );
  expect({ runs, seen }).toEqual({ runs: 1, seen: [0, 0, 0] });
});

test('a migration that was interrupted is repeated, and changes no row twice', async () => {
  await insertRows(95);
  let batches = 0;
  const interrupted = toMeters(() => {
    if (++batches === 4) throw new Error('killed');
  });
  await expect(migrate(db, log, [interrupted])).rejects.toThrow(
    'The migration meters failed: killed. It’s repeated at the next start.',
  );
  expect(await rows().countDocuments({ meters: { $exists: true } })).toBe(40);
  expect(await done()).toEqual([]);
  // A node of the previous version writes meanwhile.
  await rows().insertOne({ _id: '0005-new', feet: 100 });
  await rows().updateOne({ _id: '0001' }, { $set: { meters: 7 } });
  await migrate(db, log, [toMeters()], TIMES);
  expect(await rows().countDocuments({ meters: { $exists: false } })).toBe(0);
  expect(await rows().findOne({ _id: '0001' })).toMatchObject({ meters: 7 });
  expect((await rows().findOne({ _id: '0094' }))?.meters).toBeCloseTo(28.65);
  expect(await done()).toEqual(['meters']);
});

test('another node continues after the one that migrated was killed', async () => {
  const held = { holder: 'killed', expires_at: new Date(Date.now() + 300) };
  await db.collection<Row & typeof held>('leases').insertOne({ _id: 'migrations', ...held });
  await migrate(db, log, [toMeters()], TIMES);
  expect(await done()).toEqual(['meters']);
});

test('a node that loses the lease stops before the next batch and records nothing', async () => {
  const stolen: Migration = {
    name: 'stolen',
    async run(of, proceed) {
      const taken = { holder: 'another', expires_at: new Date(Date.now() + 60_000) };
      await of.collection<Row>('leases').updateOne({ _id: 'migrations' }, { $set: taken });
      for (;;) {
        proceed();
        await new Promise((resolve) => setTimeout(resolve, TIMES.checkMs));
      }
    },
  };
  await expect(migrate(db, log, [stolen], TIMES)).rejects.toThrow('cut off from the database');
  expect(await done()).toEqual([]);
});

test('each migration of this release has a name of its own and does nothing in an empty database', async () => {
  const names = MIGRATIONS.map((each) => each.name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(names.toSorted());
  await migrate(db, log);
  expect(await done()).toEqual(names);
});

test('words for searches lose their accents, once, also after an interruption', async () => {
  const places = db.collection<{ _id: string; words: string[] }>('locations');
  onTestFinished(async () => void (await places.drop()));
  await places.insertMany([
    { _id: 'a', words: ['café', 'istanbul', 'i\u0307zmir', 'cafe\u0301,', 'cafe'] },
    { _id: 'b', words: ['park'] },
    { _id: 'c', words: ['公園', 'paw‑7k2m', 'paw', '7k2m'] },
  ]);
  const migration = MIGRATIONS.find((each) => each.name === '0002-search-words')!;
  let batches = 0;
  const stop = () => {
    if (++batches === 1) throw new Error('killed');
  };
  await expect(migration.run(db, stop)).rejects.toThrow('killed');
  for (const _ of [1, 2]) await migration.run(db, () => {});
  const words = (await places.find().sort({ _id: 1 }).toArray()).map((row) => row.words);
  expect(words).toEqual([
    ['cafe', 'istanbul', 'izmir', 'cafe,'],
    ['park'],
    ['公園', 'paw-7k2m', 'paw', '7k2m'],
  ]);
});

test('the API migrates before it serves, and refuses a database of a newer version', async () => {
  const api = await startTestApi(inject('mongodbUri'));
  onTestFinished(() => api.close());
  const documents = api.db.collection<{ _id: string; snapshot_at?: Date; created_at: Date }>(
    'documents',
  );
  await documents.insertOne({ _id: 'old', created_at: new Date('2026-01-01') });
  await api.db.collection('migrations').deleteMany({});
  await api.restartApi();
  expect((await documents.findOne({ _id: 'old' }))?.snapshot_at).toBeInstanceOf(Date);
  const newer = { _id: '9999-of-tomorrow' as never, done_at: new Date(), duration_ms: 1 };
  await api.db.collection('migrations').insertOne(newer);
  await expect(api.restartApi()).rejects.toThrow(
    'The database was changed by a newer version of Leashwise (9999-of-tomorrow)',
  );
  await api.db.collection('migrations').deleteOne({ _id: newer._id });
  await api.restartApi();
  expect((await fetch(`${api.origin}/api/health`)).status).toBe(200);
});
