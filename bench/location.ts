import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Db, MongoClient, type OptionalUnlessRequiredId } from 'mongodb';
import { RADIUS_METRES, STALE_SECONDS } from '#shared/proximity/rules.ts';
import { type CardRow, sessionId, type SessionRow, type UserRow } from '#shared/rows.ts';
import { SESSION_COOKIE } from '#shared/session/contract.ts';
import { ISSUER } from '../api/session/stand-in-codes.ts';
import type { PositionRow } from '../api/proximity/positions.ts';
import { startMongodb } from '../scripts/mongodb.ts';
import { type Crowd, dense, dogsOf, idOf, someReport, spread } from './crowd.ts';
import { openLine, rate } from './http-load.ts';
import { openRivals, type Rival } from './location-rivals.ts';
import type { BenchRow } from './row.ts';
import { randomFrom } from './simulation.ts';

const IN_FLIGHT = 32;
const WINDOW_MS = 4_000;
const ROUNDS = 2;
const BATCH = 5_000;
const TARGET = 1.5;
const NO_SLOWER = 0.7;

const tokenOf = (index: number) => `token-of-walker-${index}`;

/** Rows in the making must not go stale before they are measured. */
const soon = () => new Date(Date.now() + 10 * 60_000);

async function fill<T extends { _id: string }>(
  collection: Collection<T>,
  indexes: Iterable<number>,
  row: (index: number) => T,
): Promise<void> {
  let batch: OptionalUnlessRequiredId<T>[] = [];
  const flush = async () => {
    if (batch.length > 0)
      await collection.insertMany(batch, {
        ordered: false,
        writeConcern: { w: 1, journal: false },
      });
    batch = [];
  };
  for (const index of indexes) {
    batch.push(row(index) as OptionalUnlessRequiredId<T>);
    if (batch.length >= BATCH) await flush();
  }
  await flush();
}

function* upTo(size: number): Generator<number> {
  for (let index = 0; index < size; index += 1) yield index;
}

const pointOf = (crowd: Crowd, index: number) => {
  const { latitude, longitude } = crowd.place(index);
  return { type: 'Point' as const, coordinates: [longitude, latitude] as [number, number] };
};

/** Members with sessions and sharing cards, their positions, and the rival's positions beside them. */
async function seed(db: Db, crowd: Crowd): Promise<void> {
  const at = soon();
  const later = new Date(Date.now() + 86_400_000);
  await fill(db.collection<UserRow>('users'), crowd.reporters, (index) => ({
    _id: idOf(index),
    identity: `${ISSUER} ${idOf(index)}`,
    email: `${idOf(index)}@example.com`,
    email_verified: true,
    given_name: 'Walker',
    name: 'Walker',
    picture: null,
    is_admin: false,
    access_expires_at: later,
    documents: { card: idOf(index), account: idOf(index), circle: idOf(index) },
    documents_ready: true,
    created_at: new Date(),
  }));
  await fill(db.collection<SessionRow>('sessions'), crowd.reporters, (index) => ({
    _id: sessionId(tokenOf(index)),
    user_id: idOf(index),
    created_at: new Date(),
    last_used_at: new Date(),
    expires_at: later,
    revoked_at: null,
  }));
  await fill(db.collection<CardRow>('cards'), upTo(crowd.size), (index) => ({
    _id: idOf(index),
    document_id: idOf(index),
    display_name: `Walker ${index}`,
    is_location_sharing_enabled: true,
    join_date: new Date().toISOString(),
    dogs: dogsOf(index).map((dog) => ({ ...dog, id: 'dog', created_at: '' })),
    updated_at: new Date(),
  }));
  await fill(db.collection<PositionRow>('positions'), upTo(crowd.size), (index) => ({
    _id: idOf(index),
    location: pointOf(crowd, index),
    at,
  }));
  const bare = db.collection<BareRow>('bare_positions');
  await bare.createIndex({ location: '2dsphere' });
  await fill(bare, upTo(crowd.size), (index) => bareRow(crowd, index, at));
}

interface BareRow extends PositionRow {
  display_name: string;
  dogs: ReturnType<typeof dogsOf>;
}
const bareRow = (crowd: Crowd, index: number, at: Date): BareRow => ({
  _id: idOf(index),
  location: pointOf(crowd, index),
  at,
  display_name: `Walker ${index}`,
  dogs: dogsOf(index),
});

/** The rival: nothing but the two driver calls that the job takes. */
function bareCalls(db: Db, crowd: Crowd): () => Promise<unknown> {
  const bare = db.collection<BareRow>('bare_positions');
  const random = randomFrom(2);
  return async () => {
    const { index, place } = someReport(crowd, random);
    const location = {
      type: 'Point' as const,
      coordinates: [place.longitude, place.latitude] as [number, number],
    };
    await bare.updateOne(
      { _id: idOf(index) },
      {
        $set: {
          location,
          at: new Date(),
          display_name: `Walker ${index}`,
          dogs: dogsOf(index),
        },
      },
      { upsert: true },
    );
    return bare
      .aggregate([
        {
          $geoNear: {
            near: location,
            distanceField: 'metres',
            maxDistance: RADIUS_METRES,
            query: {
              at: { $gte: new Date(Date.now() - STALE_SECONDS * 1000) },
              _id: { $ne: idOf(index) },
            },
          },
        },
        { $limit: 20 },
      ])
      .toArray();
  };
}

interface Api {
  port: number;
  startedIn: number;
  megabytes(): Promise<number>;
  stop(): Promise<void>;
}

/** The real api, in a process of its own. */
async function startApi(uri: string, db: string): Promise<Api> {
  const from = performance.now();
  const child: ChildProcess = fork(join(import.meta.dirname, '../api/main.ts'), {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      MONGODB_URI: uri,
      MONGODB_DB: db,
      PUBLIC_ORIGIN: 'http://localhost:3000',
      SYNC_SECRET: 'a secret for the bench',
      SYNC_INTERNAL_URL: 'http://127.0.0.1:9',
      API_PORT: '0',
      RATE_LIMIT_SCALE: '1000000',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (message) => {
      const { ready, port: at } = message as { ready?: boolean; port?: number };
      if (ready && at) resolve(at);
    });
    child.once('exit', (code) => reject(new Error(`the api ended with ${code}`)));
  });
  return {
    port,
    startedIn: performance.now() - from,
    async megabytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
      return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

interface Measured {
  ours: number;
  bare: number;
  startMs: number;
  megabytes: number;
}

async function measure(uri: string, client: MongoClient, crowd: Crowd): Promise<Measured> {
  const name = `bench-location-${crowd.size}`;
  const db = client.db(name);
  await db.dropDatabase();
  await seed(db, crowd);
  const api = await startApi(uri, name);
  const lines = await Promise.all(Array.from({ length: IN_FLIGHT }, () => openLine(api.port)));
  try {
    const report = async (lane: number, index: number, place: object) => {
      const answer = await lines[lane]?.post(
        '/api/location',
        JSON.stringify(place),
        `cookie: ${SESSION_COOKIE}=${tokenOf(index)}\r\n`,
      );
      if (answer?.status !== 200) throw new Error(`refused: ${answer?.status} ${answer?.body}`);
    };
    // The first one waits until everybody who was here is known again; then each signs on once.
    const from = performance.now();
    const first = crowd.reporters[0] ?? 0;
    await report(0, first, crowd.place(first));
    const startMs = api.startedIn + performance.now() - from;
    const waiting = [...crowd.reporters];
    await Promise.all(
      lines.map(async (_, lane) => {
        for (let index = waiting.pop(); index !== undefined; index = waiting.pop())
          await report(lane, index, crowd.place(index));
      }),
    );
    const random = randomFrom(1);
    const bare = bareCalls(db, crowd);
    let ours = 0;
    let theirs = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      ours += await rate(IN_FLIGHT, WINDOW_MS, (lane) => {
        const { index, place } = someReport(crowd, random);
        return report(lane, index, place);
      });
      theirs += await rate(IN_FLIGHT, WINDOW_MS, bare);
    }
    return {
      ours: ours / ROUNDS,
      bare: theirs / ROUNDS,
      startMs,
      megabytes: await api.megabytes(),
    };
  } finally {
    for (const line of lines) line.close();
    await api.stop();
    await db.dropDatabase();
  }
}

const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
const group = 'location';

function rowsOf(crowd: Crowd, measured: Measured): BenchRow[] {
  const ratio = measured.ours / measured.bare;
  return [
    {
      group,
      row: `POST /api/location, ${crowd.name}, against the bare driver: updateOne + $geoNear`,
      ours: perSecond(measured.ours),
      rival: perSecond(measured.bare),
      ratio: `${ratio.toFixed(2)}×`,
      target: `≥ ${TARGET}×`,
      ok: ratio >= TARGET,
    },
    {
      group,
      row: `${crowd.name}: start of the api until the first answer; its memory`,
      ours: `${(measured.startMs / 1000).toFixed(1)} s; ${measured.megabytes} MB`,
      rival: '',
      ratio: '',
      target: '',
      ok: null,
    },
  ];
}

/** Redis and PostGIS, each behind a bare handler: no session, no access, no validation, no blocks, nothing pushed. */
async function rivalRow(rival: Rival, crowd: Crowd, ours: number): Promise<BenchRow> {
  const row = `POST /api/location, ${crowd.name}, against ${rival.name} behind a bare Koa handler`;
  const nothing = { group, row, ours: perSecond(ours), ratio: '', target: '', ok: null };
  if (!rival.start) return { ...nothing, rival: rival.missing };
  const running = await rival.start(crowd);
  const lines = await Promise.all(Array.from({ length: IN_FLIGHT }, () => openLine(running.port)));
  try {
    const random = randomFrom(3);
    const theirs = await rate(IN_FLIGHT, WINDOW_MS, async (lane) => {
      const { index, place } = someReport(crowd, random);
      const body = JSON.stringify({ user_id: idOf(index), ...place });
      const answer = await lines[lane]?.post('/', body, '');
      if (answer?.status !== 200) throw new Error(`${rival.name} refused: ${answer?.body}`);
    });
    return { ...nothing, rival: perSecond(theirs), ratio: `${(ours / theirs).toFixed(2)}×` };
  } finally {
    for (const line of lines) line.close();
    await running.stop();
  }
}

/** The table's group: the hot path through the whole stack, against what engines do without one. */
export async function locationBench(
  crowds: Crowd[] = [spread(1_000), spread(200_000), spread(1_000_000), dense()],
): Promise<BenchRow[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'leashwise-bench-'));
  const mongodb = await startMongodb({ dataDir, env: process.env, log: () => {} });
  const client = await MongoClient.connect(mongodb.uri, {
    writeConcern: { w: 1, journal: false },
  });
  const rows: BenchRow[] = [];
  const byCrowd = new Map<Crowd, Measured>();
  try {
    for (const crowd of crowds) {
      const measured = await measure(mongodb.uri, client, crowd);
      byCrowd.set(crowd, measured);
      rows.push(...rowsOf(crowd, measured));
    }
  } finally {
    await client.close();
    await mongodb.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  const sizes = crowds.filter(({ size }) => size !== 2000).toSorted((a, b) => a.size - b.size);
  const few = sizes[0] && byCrowd.get(sizes[0]);
  const largest = sizes.at(-1);
  const many = largest && byCrowd.get(largest);
  if (few && many && few !== many)
    rows.push({
      group,
      row: `${largest.name} beside ${sizes[0]?.name}`,
      ours: perSecond(many.ours),
      rival: `${perSecond(few.ours)} (ours)`,
      ratio: `${(many.ours / few.ours).toFixed(2)}×`,
      target: `≥ ${NO_SLOWER}×`,
      ok: many.ours / few.ours >= NO_SLOWER,
    });
  for (const rival of await openRivals())
    for (const crowd of crowds.filter(({ size }) => size <= 200_000))
      rows.push(await rivalRow(rival, crowd, byCrowd.get(crowd)?.ours ?? 0));
  return rows;
}
