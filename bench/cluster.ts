import { setTimeout as wait } from 'node:timers/promises';
import { next as A } from '@automerge/automerge';
import { type Db, MongoClient } from 'mongodb';
import type { AccountDocument } from '#shared/account/document.ts';
import { METERS_PER_DEGREE } from '#shared/place.ts';
import { cookieName } from '#shared/server/cookie-names.ts';
import { SESSION_COOKIE } from '#shared/session/contract.ts';
import { leases } from '../api/platform/node-lease.ts';
import { createIndexes } from '../api/app/indexes.ts';
import { CookieJar } from '../scripts/cli/cookie-jar.ts';
import { findMongod } from '../scripts/test/real-mongod.ts';
import { startReplicaSet } from '../scripts/test/replica-set.ts';
import { listen } from '../tests/events/listen.ts';
import { startNats } from '../tests/nats.ts';
import { RawDevice } from '../tests/sync/raw-device.ts';
import { startCluster } from '../tests/sync/two-nodes.ts';
import type { TestSync } from '../tests/sync.ts';
import { logReadingMs } from './cluster/log-reading.ts';
import { meetOnNodes } from './cluster/simulated-nodes.ts';
import { WALKERS } from './encounters.ts';
import { type Line, openLine, rateAt } from './http-load.ts';
import { type Crowd, city, someReport, spread } from './location/crowd.ts';
import { post, seedOurs, startApi, startOurs, tokenOf } from './location/ours.ts';
import { median, quantile } from './quantiles.ts';
import type { BenchRow } from './result-row.ts';
import { randomFrom } from './simulation.ts';
import { cpuMs, stopProcess } from './sync/processes.ts';

const WINDOW_MS = 6_000;
const ROUNDS = 3;
const IN_FLIGHT = 16;
const PAIRS = 300;
/** Reports to the other node that make it follow the city's cells. */
const FOLLOWERS = 60;
const EDITS = 300;
const LOG_RECORDS = 5_000;
const SIMULATED_MEETINGS = 2_000;
const NODES = [1, 2, 4, 8, 16, 32, 64];

const row = (name: string, ours: string, rest: Partial<BenchRow> = {}): BenchRow => ({
  group: 'cluster',
  row: name,
  ours,
  rival: '',
  ratio: '',
  target: '',
  ok: null,
  ...rest,
});

/** Several API nodes on a MongoDB of their own and NATS, all on this machine. */
export async function clusterBench(): Promise<BenchRow[]> {
  const set = await startReplicaSet(await findMongod(process.env, console.error), 1);
  const nats = await startNats();
  const client = await MongoClient.connect(set.uri);
  try {
    const rows = await simulationRows();
    const costs = await reportCosts(set.uri, client, nats.url);
    rows.push(...costRows(costs), ...capacityRows(costs));
    rows.push(await latencyRow(set.uri, client, nats.url));
    rows.push(await editRow(set.uri), await takeOverRow(set.uri, client, nats.url));
    rows.push(await startRow(set.uri, client), await logRow(set.uri));
    return rows;
  } finally {
    await client.close();
    await nats.stop();
    await set.close();
  }
}

/** How long a sync node needs to find changes in the log that the bus did not carry. */
async function logRow(uri: string): Promise<BenchRow> {
  const small = await logReadingMs(uri, LOG_RECORDS);
  const large = await logReadingMs(uri, 10 * LOG_RECORDS);
  return row(
    `ten new records found in a log of ${LOG_RECORDS} and of ${10 * LOG_RECORDS}`,
    `${small.toFixed(1)} ms, ${large.toFixed(1)} ms`,
    { target: '≤ 2 times as long', ok: large <= 2 * small },
  );
}

/** Walkers whose reports and streams reach random nodes, while the bus is slow and lossy and a node is killed. */
async function simulationRows(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const nodes of [2, 4]) {
    const conditions = { nodes, busDelay: [0, 200], busLost: 0.01, killAt: 105_000 } as const;
    const { tally } = await meetOnNodes(conditions, WALKERS, 2.1, SIMULATED_MEETINGS);
    const share = tally.lead / tally.possible;
    rows.push(
      row(
        `${SIMULATED_MEETINGS} head-on meetings, ${nodes} nodes, bus 0–200 ms and 1% lost, one node killed`,
        `both warned ${(tally.both * 100).toFixed(2)}%, median ${(share * 100).toFixed(0)}% of the possible lead`,
        { target: '≥ 99.9%, ≥ 95%', ok: tally.both >= 0.999 && share >= 0.95 },
      ),
    );
  }
  return rows;
}

/** CPU time in microseconds. */
interface Costs {
  /** Of a report on a single node, in the API. */
  alone: number;
  /** Of a report on one of two nodes, in the API that receives it. */
  own: number;
  /** Of that report on the other node. */
  foreign: number;
  /** Reports per second on one node alone. */
  perSecond: number;
}

async function reportCosts(uri: string, client: MongoClient, natsUrl: string): Promise<Costs> {
  const crowd = city();
  const db = await seed(client, crowd);
  try {
    const random = randomFrom(1);
    const reporters = { ...crowd, reporters: crowd.reporters.slice(FOLLOWERS) };
    const report = (line: Line) => {
      const { index, place } = someReport(reporters, random);
      return post(line, index, place);
    };
    const single = await measureNodes(uri, db, [undefined], report);
    // The other node follows the city because a few people report to it.
    const double = await measureNodes(uri, db, [natsUrl, natsUrl], report, async (other) => {
      for (const index of crowd.reporters.slice(0, FOLLOWERS))
        await post(other, index, crowd.place(index));
    });
    return {
      alone: single.cpu[0] ?? NaN,
      own: double.cpu[0] ?? NaN,
      foreign: double.cpu[1] ?? NaN,
      perSecond: single.perSecond,
    };
  } finally {
    await db.dropDatabase();
  }
}

/**
 * Has the first of these nodes handle reports.
 * @param natsUrls of each node; undefined if it is the only one
 * @param prepare calls the last node before
 * @returns median microseconds of CPU per report in each node, and reports per second
 */
async function measureNodes(
  uri: string,
  db: Db,
  natsUrls: (string | undefined)[],
  report: (line: Line) => Promise<unknown>,
  prepare: (line: Line) => Promise<void> = async () => {},
): Promise<{ cpu: number[]; perSecond: number }> {
  const nodes = [];
  try {
    for (const url of natsUrls)
      nodes.push(await startApi(uri, db.databaseName, url === undefined ? {} : { NATS_URL: url }));
    const line = await openLine(nodes.at(-1)?.port ?? 0);
    await prepare(line);
    line.close();
    const port = nodes[0]?.port ?? 0;
    await rateAt(port, IN_FLIGHT, WINDOW_MS / 2, report);
    const measured: { cpu: number[]; perSecond: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1)
      measured.push(
        await measureCpu(
          nodes.map(({ child }) => child.pid ?? 0),
          () => rateAt(port, IN_FLIGHT, WINDOW_MS, report),
        ),
      );
    return {
      cpu: nodes.map((_, index) => median(measured.map(({ cpu }) => cpu[index] ?? NaN))),
      perSecond: median(measured.map(({ perSecond }) => perSecond)),
    };
  } finally {
    for (const { child } of nodes) await stopProcess(child);
  }
}

/** @returns microseconds of CPU per report in each process, and reports per second */
async function measureCpu(
  pids: number[],
  load: () => Promise<number>,
): Promise<{ cpu: number[]; perSecond: number }> {
  const before = pids.map(cpuMs);
  const from = performance.now();
  const perSecond = await load();
  // The other node processes messages that are still on the bus.
  await wait(300);
  const reports = (perSecond * (performance.now() - from - 300)) / 1000;
  return {
    cpu: pids.map((pid, index) => ((cpuMs(pid) - (before[index] ?? 0)) / reports) * 1000),
    perSecond,
  };
}

const costRows = ({ alone, own, foreign, perSecond }: Costs): BenchRow[] => [
  row(
    `CPU time of a report, ${city().name}: node that receives it, of two; another node that follows its cell`,
    `${Math.round(own)} µs; ${Math.round(foreign)} µs`,
    {
      rival: `${Math.round(alone)} µs (one node alone, ${Math.round(perSecond)}/s with the load on the same machine)`,
      ratio: `${(own / alone).toFixed(2)}×; ${(foreign / alone).toFixed(2)}×`,
    },
  ),
];

/**
 * Reports per second that N nodes take, each with one core: `N / (own + (N − 1) · share · foreign)`, where `share` is the part of
 * the others' reports in cells that a node follows. It bends where `(N − 1) · share · foreign` reaches `own`.
 */
function capacityRows({ own, foreign }: Costs): BenchRow[] {
  return [1, 0.1].map((share) => {
    const perSecond = (nodes: number) => 1e6 / ((own + (nodes - 1) * share * foreign) / nodes);
    const bend = Math.round(own / (share * foreign)) + 1;
    return row(
      `capacity model: reports/s for ${NODES.join(', ')} nodes, each with a core, ${share === 1 ? 'all in one city' : 'a tenth of the others’ reports nearby'}`,
      NODES.map((nodes) => Math.round(perSecond(nodes)).toLocaleString('en')).join(', '),
      { rival: `N / (own + (N − 1) · ${share} · foreign); bends at ${bend} nodes` },
    );
  });
}

async function seed(client: MongoClient, crowd: Crowd): Promise<Db> {
  const db = client.db(`bench-cluster-${crowd.size}`);
  await db.dropDatabase();
  await createIndexes(db);
  await seedOurs(db, crowd);
  return db;
}

/** Times a warning on the event stream of the user who stands still, from the other user's report until it arrives. */
async function latencyRow(uri: string, client: MongoClient, natsUrl: string): Promise<BenchRow> {
  const crowd: Crowd = { ...spread(1_000), name: 'pairs' };
  const db = await seed(client, crowd);
  await db.collection('positions').deleteMany({});
  const nodes = [
    await startApi(uri, db.databaseName, { NATS_URL: natsUrl }),
    await startApi(uri, db.databaseName, { NATS_URL: natsUrl }),
  ] as const;
  const lines = [await openLine(nodes[0].port), await openLine(nodes[1].port)] as const;
  const local: number[] = [];
  const across: number[] = [];
  try {
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const place = {
        latitude: 30 + pair * 0.05,
        longitude: 5,
      };
      const [standing, coming] = [pair * 2, pair * 2 + 1];
      const isAcross = pair % 2 === 1;
      const jar = new CookieJar();
      jar.cookies.set(cookieName('http://localhost:3000', SESSION_COOKIE), tokenOf(standing));
      const stream = await listen(`http://127.0.0.1:${nodes[0].port}`, { jar });
      await post(lines[0], standing, place);
      // The node of the approaching person follows the cell in advance, as on a walk.
      const far = { ...place, latitude: place.latitude + 100 / METERS_PER_DEGREE };
      await post(lines[isAcross ? 1 : 0], coming, far);
      await wait(20);
      const from = performance.now();
      const warned = stream.next('encounter').then(() => performance.now());
      await post(lines[isAcross ? 1 : 0], coming, place);
      const at = await warned;
      (isAcross ? across : local).push(at - from);
      stream.close();
    }
  } finally {
    for (const line of lines) line.close();
    for (const { child } of nodes) await stopProcess(child);
    await db.dropDatabase();
  }
  const p50 = median(across) - median(local);
  const p99 = quantile(across, 0.99) - quantile(local, 0.99);
  return row(
    'a warning reaches the stream of a user of another node: p50, p99',
    `${median(across).toFixed(1)} ms, ${quantile(across, 0.99).toFixed(1)} ms`,
    {
      rival: `${median(local).toFixed(1)} ms, ${quantile(local, 0.99).toFixed(1)} ms on one node`,
      ratio: `+${p50.toFixed(1)} ms, +${p99.toFixed(1)} ms`,
      target: '≤ +15 ms, ≤ +60 ms',
      ok: p50 <= 15 && p99 <= 60,
    },
  );
}

/** An edit on one device, until another device of its owner has it: at the same sync node, and at the other one. */
async function editRow(uri: string): Promise<BenchRow> {
  const cluster = await startCluster(uri);
  const [here, there] = cluster.nodes as [TestSync, TestSync];
  try {
    const owner = await here.user();
    const id = await here.document(owner);
    const join = async (node: TestSync) => {
      const device = await new RawDevice(node.socket(owner)).join();
      return { device, doc: await device.read<AccountDocument>(id) };
    };
    const [writer, local, across] = [await join(here), await join(here), await join(there)];
    const waited = { local: [] as number[], across: [] as number[] };
    let { doc } = writer;
    for (let edit = 0; edit < EDITS; edit += 1) {
      doc = A.change(doc, (draft) => void (draft.settings['volume'] = edit));
      const heads = A.getHeads(doc);
      const arrived = (answer: { type: string; data?: Uint8Array }) =>
        answer.type === 'sync' &&
        heads.every((head) => A.decodeSyncMessage(answer.data!).heads.includes(head));
      const from = performance.now();
      const note = (times: number[]) => () => void times.push(performance.now() - from);
      const both = [
        local.device.next(arrived).then(note(waited.local)),
        across.device.next(arrived).then(note(waited.across)),
      ];
      await writer.device.keep(id, doc);
      await Promise.all(both);
    }
    const [p50, p99] = [0.5, 0.99].map((share) => [
      quantile(waited.across, share),
      quantile(waited.local, share),
    ]) as [[number, number], [number, number]];
    return row(
      'an edit reaches a device at another sync node: p50, p99',
      `${p50[0].toFixed(1)} ms, ${p99[0].toFixed(1)} ms`,
      {
        rival: `${p50[1].toFixed(1)} ms, ${p99[1].toFixed(1)} ms at the same node`,
        ratio: `${(p50[0] - p50[1]).toFixed(1)} ms, ${(p99[0] - p99[1]).toFixed(1)} ms more`,
      },
    );
  } finally {
    await cluster.close();
  }
}

/** The node that runs the background jobs is killed: until the other one runs them. */
async function takeOverRow(uri: string, client: MongoClient, natsUrl: string): Promise<BenchRow> {
  const db = client.db('bench-cluster-lease');
  await db.dropDatabase();
  const first = await startApi(uri, db.databaseName, { NATS_URL: natsUrl });
  const holderOf = async () => (await leases(db).findOne({}))?.holder;
  const before = await holderOf();
  const second = await startApi(uri, db.databaseName, { NATS_URL: natsUrl });
  try {
    first.child.kill('SIGKILL');
    const from = performance.now();
    while ((await holderOf()) === before) await wait(50);
    const seconds = (performance.now() - from) / 1000;
    return row('another node runs the background jobs after a kill', `${seconds.toFixed(1)} s`, {
      target: '≤ 30 s',
      ok: seconds <= 30,
    });
  } finally {
    await stopProcess(second.child);
    await db.dropDatabase();
  }
}

async function startRow(uri: string, client: MongoClient): Promise<BenchRow> {
  const [many, few] = [spread(1_000_000), spread(1_000)];
  const started = [];
  for (const crowd of [few, many]) {
    const db = await seed(client, crowd);
    const ours = await startOurs(uri, db.databaseName, crowd);
    started.push({ ms: ours.startMs, megabytes: ours.megabytes() });
    await ours.stop();
    await db.dropDatabase();
  }
  const [ofFew, ofMany] = started;
  const ms = ofMany?.ms ?? NaN;
  return row(
    'a node starts from source with a million positions in the database: until its first answer; memory after 1,000 users report',
    `${(ms / 1000).toFixed(1)} s; ${ofMany?.megabytes} MB`,
    {
      rival: `${((ofFew?.ms ?? NaN) / 1000).toFixed(1)} s; ${ofFew?.megabytes} MB with a thousand`,
      target: '≤ 3 s',
      ok: ms <= 3_000,
    },
  );
}
