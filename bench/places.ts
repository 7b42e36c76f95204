import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient, type Db } from 'mongodb';
import { startMongodb } from '../scripts/stack/mongodb.ts';
import { rate, rateAt } from './http-load.ts';
import { endWithBench, scratchDirectory } from './location/cleanup.ts';
import { bareSearch, seedBarePlaces } from './places/bare.ts';
import { someSearch, PLACES } from './places/dataset.ts';
import { seedPlaces, startSearches, type Searches } from './places/ours.ts';
import type { BenchRow } from './result-row.ts';
import { randomFrom } from './simulation.ts';
import { cpuMs } from './sync/processes.ts';

const IN_FLIGHT = 32;
const WINDOW_MS = 4_000;
const ROUNDS = 3;
const TARGET = 0.7;

/**
 * The table's group: a search of places among a million, the nearest twenty with their tips, through the whole stack,
 * against the bare aggregation ($geoNear, then $lookup of the tips) by the driver on the same engine.
 */
export async function placesBench(): Promise<BenchRow[]> {
  const dataDir = scratchDirectory('bench-places');
  const mongodb = await startMongodb({ dataDir, env: process.env, log: () => {} });
  if (mongodb.child) endWithBench(mongodb.child);
  const client = await MongoClient.connect(mongodb.uri, {
    writeConcern: { w: 1, journal: false },
  });
  const db = client.db('bench-places');
  let ours: Searches | null = null;
  try {
    await db.dropDatabase();
    await seedBarePlaces(db);
    ours = await startSearches(mongodb.uri, db.databaseName, () => seedPlaces(db));
    await client.db('admin').command({ fsync: 1 });
    await wait(1_000);
    return await measure(db, ours, mongodb.child?.pid);
  } finally {
    await ours?.stop();
    await db.dropDatabase();
    await client.close();
    await mongodb.close();
  }
}

async function measure(
  db: Db,
  ours: Searches,
  mongodbPid: number | undefined,
): Promise<BenchRow[]> {
  await sameAnswers(db, ours);
  const random = randomFrom(1);
  const bareRandom = randomFrom(1);
  const engineMs = () => (mongodbPid ? cpuMs(mongodbPid) : NaN);
  const cpu = { api: 0, engine: 0, bare: 0 };
  const searches = { ours: 0, bare: 0 };
  let whole = 0;
  let bare = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = { api: cpuMs(ours.pid), engine: engineMs() };
    whole += await rateAt(ours.port, IN_FLIGHT, WINDOW_MS, async (line) => {
      await ours.search(line, someSearch(random));
      searches.ours += 1;
    });
    const between = engineMs();
    cpu.api += cpuMs(ours.pid) - before.api;
    cpu.engine += between - before.engine;
    bare += await rate(IN_FLIGHT, WINDOW_MS, async () => {
      await bareSearch(db, someSearch(bareRandom));
      searches.bare += 1;
    });
    cpu.bare += engineMs() - between;
  }
  const ratio = whole / bare;
  const perSecond = (sum: number) => `${Math.round(sum / ROUNDS).toLocaleString('en')}/s`;
  const each = (ms: number, count: number) => `${(ms / count).toFixed(1)} ms`;
  const found: BenchRow = {
    group: 'places',
    row: `GET /api/locations/search among ${PLACES.toLocaleString('en')} places, 20 with tips, against the bare driver: $geoNear + $lookup`,
    ours: perSecond(whole),
    rival: perSecond(bare),
    ratio: `${ratio.toFixed(2)}×`,
    target: `≥ ${TARGET}×`,
    ok: ratio >= TARGET,
  };
  const spent: BenchRow = {
    group: 'places',
    row: 'CPU time of a search in the api and in MongoDB; of the bare one in MongoDB',
    ours: `${each(cpu.api, searches.ours)} + ${each(cpu.engine, searches.ours)}`,
    rival: each(cpu.bare, searches.bare),
    ok: null,
  };
  return [found, spent];
}

/** @throws when the two do not find the same places with the same tips: then nothing is compared */
async function sameAnswers(db: Db, ours: Searches): Promise<void> {
  const random = randomFrom(9);
  for (let tries = 0; tries < 5; tries += 1) {
    const from = someSearch(random);
    const mine = await ours.found(from);
    const theirs = await bareSearch(db, from);
    const told = (places: { id: string; tips: string[] }[]) => JSON.stringify(places);
    const rival = theirs.map(({ _id, tips }) => ({ id: _id, tips: tips.map((tip) => tip._id) }));
    if (mine.length === 0 || told(mine) !== told(rival))
      throw new Error(`other places were found: ${told(mine)} and ${told(rival)}`);
  }
}
