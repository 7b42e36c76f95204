import { Binary } from 'mongodb';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { openDatabase, type Database } from '../../../sync-server/core/database.ts';
import { LoadMarks } from '../../../sync-server/core/documents/load-marks.ts';
import { recordCrashes } from '../../../sync-server/core/quarantine/crashed-nodes.ts';
import { ReadOnlyAccounts } from '../../../sync-server/core/quarantine/read-only-accounts.ts';

const IDS = ['innocent1', 'innocent2', 'innocent3', 'poison'];
const logger = pino({ level: 'silent' });
let database: Database;
let nodes = 0;

beforeEach(async () => {
  database = await openDatabase(inject('mongodbUri'), `crashes-${Math.random()}`.replace('.', ''));
  for (const _id of IDS)
    await database.documents.insertOne({
      _id,
      kind: 'account',
      owner_user_id: 'owner',
      reader_user_ids: [],
      snapshot: new Binary(),
      snapshot_version: 0,
      snapshot_at: new Date(),
      created_at: new Date(),
    });
});
afterEach(async () => {
  await database.client.db(database.documents.dbName).dropDatabase();
  await database.client.close();
});

const stateOf = async (_id: string) => (await database.documents.findOne({ _id }))?.quarantine;

/** Starts a node after another one has crashed. */
async function start(crashed: string | null): Promise<{ node: string; marks: LoadMarks }> {
  const node = `node${++nodes}`;
  const marks = new LoadMarks(database, node);
  await database.syncNodes.insertOne({ _id: node, seen_at: new Date(), done: [] });
  await recordCrashes(database, crashed === null ? [] : [crashed], marks, logger);
  return { node, marks };
}

/** Loads all documents at once, until the node crashes in one of them. */
async function loadUntilCrash(marks: LoadMarks, mayCrashIn: (id: string) => boolean) {
  let hasCrashed = false;
  const never = () => new Promise<void>(() => {});
  await new Promise<void>((crash) => {
    for (const id of IDS)
      void marks.during([id], async () => {
        if (hasCrashed) return never();
        if (mayCrashIn(id)) {
          hasCrashed = true;
          crash();
        }
        if (hasCrashed) return never();
      });
  });
}

test('the document that ends nodes is found among those that are loaded together, and no other is quarantined', async () => {
  let crashed: string | null = null;
  let crashes = 0;
  while (!(await stateOf('poison'))?.retry_at) {
    const { node, marks } = await start(crashed);
    if ((await stateOf('poison'))?.retry_at) break;
    await loadUntilCrash(marks, (id) => id === 'poison');
    crashed = node;
    crashes++;
  }
  // Unknown, together with others, and twice alone.
  expect(crashes).toBe(4);
  for (const id of IDS.slice(0, 3)) expect(await stateOf(id)).toBeUndefined();
});

test('power failures while several documents are loaded neither quarantine them nor restrict their owner', async () => {
  let crashed: string | null = null;
  for (let failures = 0; failures < 6; failures++) {
    const { node, marks } = await start(crashed);
    // Whichever is loaded then: another one each time.
    let loaded = 0;
    await loadUntilCrash(marks, () => loaded++ === failures % IDS.length);
    crashed = node;
  }
  await start(crashed);
  const quarantined = await database.documents.countDocuments({
    'quarantine.retry_at': { $exists: true },
  });
  expect(quarantined).toBeLessThanOrEqual(1);
  const accounts = new ReadOnlyAccounts(database);
  await accounts.refresh();
  expect(accounts.has('owner')).toBe(false);
});

test('documents in the same crashed batch are only suspected, however often that happens', async () => {
  for (let crash = 0; crash < 5; crash++) {
    const _id = `crashed${crash}`;
    await database.syncNodes.insertOne({ _id, seen_at: new Date(), done: [], loading: IDS });
    const marks = new LoadMarks(database, 'this');
    await recordCrashes(database, [_id], marks, logger);
    expect(IDS.every((id) => marks.isSuspect(id))).toBe(true);
  }
  for (const id of IDS) expect(await stateOf(id)).toBeUndefined();
  const accounts = new ReadOnlyAccounts(database);
  expect(await accounts.refresh()).toEqual([]);
});

test('a suspect is loaded when nothing else is, and is none once that worked', async () => {
  const _id = 'crashed';
  await database.syncNodes.insertOne({ _id, seen_at: new Date(), done: [], loading: IDS.slice(2) });
  const { node, marks } = await start(_id);
  const together: string[][] = [];
  const noted = async () => {
    const row = await database.syncNodes.findOne({ _id: node });
    together.push(row?.loading ?? []);
  };
  await Promise.all([...IDS, ...IDS].map((id) => marks.during([id], noted)));
  for (const suspect of IDS.slice(2)) {
    const with_ = together.filter((ids) => ids.includes(suspect));
    expect(with_).toContainEqual([suspect]);
    expect(marks.isSuspect(suspect)).toBe(false);
  }
  expect(await database.documents.countDocuments({ suspected_at: { $exists: true } })).toBe(0);
});
