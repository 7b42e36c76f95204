import { setTimeout as wait } from 'node:timers/promises';
import { type Db, MongoClient } from 'mongodb';
import { type Mongodb, startMongodb } from '../scripts/stack/mongodb.ts';
import { rate, rateAt } from './http-load.ts';
import { bareCalls, seedBare } from './location/baseline.ts';
import { endWithBench, scratchDirectory } from './location/cleanup.ts';
import { type Crowd, dense, spread } from './location/crowd.ts';
import { type Ours, seedOurs, startOurs } from './location/ours.ts';
import type { BenchRow } from './result-row.ts';
import { cpuMs } from './sync/processes.ts';

const IN_FLIGHT = 32;
const WINDOW_MS = 4_000;
const ROUNDS = 3;
const TARGET = 1.5;
const NO_SLOWER = 0.7;
const GROUP = 'location';
/** Crowds that are measured in turns, so that what disturbs one disturbs the others as well. */
const TOGETHER = [[spread(1_000), spread(1_000_000)], [spread(200_000)], [dense()]];

/** A crowd in a database of its own, with an API that has loaded it. */
interface Cell {
  crowd: Crowd;
  db: Db;
  ours: Ours;
  bare: () => Promise<unknown>;
}

interface Measured {
  /** Reports a second. */
  ours: number;
  bare: number;
  /** CPU time of a report in the api and in MongoDB, in microseconds. */
  apiCpu: number;
  mongodbCpu: number;
  startMs: number;
  megabytes: number;
}

/**
 * The table's group: the hot path through the whole stack, against what engines do without one.
 */
export async function locationBench(): Promise<BenchRow[]> {
  const dataDir = scratchDirectory('bench');
  const mongodb = await startMongodb({ dataDir, env: process.env, log: () => {} });
  if (mongodb.child) endWithBench(mongodb.child);
  const client = await MongoClient.connect(mongodb.uri, {
    writeConcern: { w: 1, journal: false },
  });
  const found = new Map<Crowd, Measured>();
  try {
    for (const crowds of TOGETHER)
      for (const [crowd, measured] of await measure(mongodb, client, crowds))
        found.set(crowd, measured);
  } finally {
    await client.close();
    await mongodb.close();
  }
  const [few, ...more] = TOGETHER[0] ?? [];
  const many = more.at(-1);
  const rows = [...found].flatMap(([crowd, measured]) => rowsOf(crowd, measured));
  if (few && many) rows.push(besideRow(few, found.get(few)!, many, found.get(many)!));
  return rows;
}

async function measure(
  mongodb: Mongodb,
  client: MongoClient,
  crowds: Crowd[],
): Promise<Map<Crowd, Measured>> {
  const cells: Cell[] = [];
  try {
    for (const crowd of crowds) {
      const db = client.db(`bench-location-${crowd.size}`);
      await db.dropDatabase();
      await seedOurs(db, crowd);
      await seedBare(db, crowd);
    }
    // The largest starts last: its crowd only counts for two minutes from then on.
    for (const crowd of crowds) {
      const db = client.db(`bench-location-${crowd.size}`);
      const ours = await startOurs(mongodb.uri, db.databaseName, crowd);
      cells.push({ crowd, db, ours, bare: bareCalls(db, crowd) });
    }
    // Inserted rows are written to the disk before the measurement, not during it.
    await client.db('admin').command({ fsync: 1 });
    await wait(1_000);
    const windows = new Map(cells.map((cell) => [cell, [] as Window[]]));
    for (let round = 0; round < ROUNDS; round += 1)
      for (const cell of cells) windows.get(cell)?.push(await lookThrough(cell, mongodb));
    for (const { ours } of cells) ours.checkCrowd();
    return new Map(cells.map((cell) => [cell.crowd, summary(cell, windows.get(cell) ?? [])]));
  } finally {
    for (const { ours, db } of cells) {
      await ours.stop();
      await db.dropDatabase();
    }
  }
}

type Window = Pick<Measured, 'ours' | 'bare' | 'apiCpu' | 'mongodbCpu'>;

/** Ours, and then the rival, for a few seconds. */
async function lookThrough({ ours, bare }: Cell, mongodb: Mongodb): Promise<Window> {
  const used = () => [cpuMs(ours.pid), mongodb.child?.pid ? cpuMs(mongodb.child.pid) : NaN];
  const from = performance.now();
  const [apiBefore = 0, mongodbBefore = 0] = used();
  const perSecond = await rateAt(ours.port, IN_FLIGHT, WINDOW_MS, ours.report);
  const [api = 0, engine = 0] = used();
  const reports = (perSecond * (performance.now() - from)) / 1000;
  return {
    ours: perSecond,
    apiCpu: ((api - apiBefore) / reports) * 1000,
    mongodbCpu: ((engine - mongodbBefore) / reports) * 1000,
    bare: await rate(IN_FLIGHT, WINDOW_MS, bare),
  };
}

function summary({ ours }: Cell, windows: Window[]): Measured {
  const mean = (of: keyof Window) =>
    windows.reduce((sum, window) => sum + window[of], 0) / windows.length;
  return {
    ours: mean('ours'),
    bare: mean('bare'),
    apiCpu: mean('apiCpu'),
    mongodbCpu: mean('mongodbCpu'),
    startMs: ours.startMs,
    megabytes: ours.megabytes(),
  };
}

const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;

function rowsOf({ name }: Crowd, measured: Measured): BenchRow[] {
  const ratio = measured.ours / measured.bare;
  const told = { group: GROUP, ok: null };
  return [
    {
      group: GROUP,
      row: `POST /api/location, ${name}, against the bare driver: updateOne + $geoNear`,
      ours: perSecond(measured.ours),
      rival: perSecond(measured.bare),
      ratio: `${ratio.toFixed(2)}×`,
      target: `≥ ${TARGET}×`,
      ok: ratio >= TARGET,
    },
    {
      ...told,
      row: `${name}: start of the api until the first answer; its memory`,
      ours: `${(measured.startMs / 1000).toFixed(1)} s; ${measured.megabytes} MB`,
    },
    {
      ...told,
      row: `${name}: CPU time of a report in the api and in MongoDB`,
      ours: `${Math.round(measured.apiCpu)} + ${Math.round(measured.mongodbCpu)} µs`,
    },
  ];
}

function besideRow(few: Crowd, ofFew: Measured, many: Crowd, ofMany: Measured): BenchRow {
  const ratio = ofMany.ours / ofFew.ours;
  return {
    group: GROUP,
    row: `${many.name} beside ${few.name}, ${few.reporters.length} of each reporting`,
    ours: perSecond(ofMany.ours),
    rival: `${perSecond(ofFew.ours)} (ours)`,
    ratio: `${ratio.toFixed(2)}×`,
    target: `≥ ${NO_SLOWER}×`,
    ok: ratio >= NO_SLOWER,
  };
}
