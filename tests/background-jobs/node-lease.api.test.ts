import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { Metrics } from '#shared/server/metrics.ts';
import { createJobs } from '../../api/platform/background-jobs.ts';
import { openDatabase } from '../../api/platform/database.ts';
import { leases, openNodeLease, type LeaseTimes } from '../../api/platform/node-lease.ts';

/** A tenth of the real times. */
const TIMES = { lastsMs: 1_000, checkMs: 200 };
const log = pino({ level: 'silent' });

interface TestNode {
  runs: { often: number; rarely: number };
  runJobSoon(job: string): void;
  isJobNode(): boolean;
  /** From now on this node does not reach MongoDB, as if it had been killed. */
  cutOff(): void;
  connect(): void;
  close(): Promise<void>;
}

let db: Db;
let nodes: TestNode[] = [];
beforeAll(async () => {
  db = await openDatabase(inject('mongodbUri'), `lease-${randomUUID()}`);
});
beforeEach(() => leases(db).deleteMany({}));
afterEach(async () => {
  for (const node of nodes) await node.close();
  nodes = [];
});
afterAll(async () => {
  await db.dropDatabase();
  await db.client.close();
});

/** Starts a node with two jobs that count their runs. */
async function startNode(port: number, times: LeaseTimes = TIMES): Promise<TestNode> {
  let isCutOff = false;
  const rows = new Proxy(leases(db), {
    get(all, key) {
      if (isCutOff) return () => Promise.reject(new Error('cut off by the test'));
      const value: unknown = Reflect.get(all, key, all);
      return typeof value === 'function' ? (value.bind(all) as unknown) : value;
    },
  });
  const closers: (() => void)[] = [];
  const database = { collection: () => rows } as unknown as Db;
  const lease = await openNodeLease(database, port, log, times);
  const { registerJob, runJobSoon, isJobNode } = createJobs(
    log,
    lease,
    (run) => closers.push(run),
    new Metrics('test'),
  );
  const runs = { often: 0, rarely: 0 };
  registerJob('often', async () => void runs.often++, { everyMs: 50 });
  registerJob('rarely', async () => void runs.rarely++);
  const node: TestNode = {
    runs,
    runJobSoon,
    isJobNode,
    cutOff: () => void (isCutOff = true),
    connect: () => void (isCutOff = false),
    async close() {
      for (const close of closers.splice(0)) close();
      await lease.close();
    },
  };
  nodes.push(node);
  return node;
}

const holders = () => nodes.filter((node) => node.isJobNode()).length;

test('runs each job on one of three nodes that start at once', async () => {
  await Promise.all([1, 2, 3].map((port) => startNode(port)));
  await expect.poll(holders).toBe(1);
  for (let check = 0; check < 20; check++) {
    await wait(50);
    expect(holders()).toBe(1);
  }
  const [holder, ...others] = nodes.toSorted((a, b) => b.runs.often - a.runs.often);
  expect(holder?.runs.rarely).toBe(1);
  expect(others.map(({ runs }) => runs)).toEqual([
    { often: 0, rarely: 0 },
    { often: 0, rarely: 0 },
  ]);
});

test('takes over from a node that was killed, and not before its lease expires', async () => {
  const killed = await startNode(1);
  const other = await startNode(2);
  killed.cutOff();
  const at = performance.now();
  await expect.poll(() => other.runs.rarely, { interval: 10 }).toBe(1);
  const tookMs = performance.now() - at;
  expect(tookMs).toBeGreaterThan(TIMES.lastsMs - 2 * TIMES.checkMs);
  expect(tookMs).toBeLessThan(3_000);
  // The first one knows by its own clock that its time is over.
  expect(killed.isJobNode()).toBe(false);
  const before = killed.runs.often;
  await wait(200);
  expect(killed.runs.often).toBe(before);
});

test('leaves the jobs to the node that took over when the first one returns', async () => {
  const first = await startNode(1);
  const other = await startNode(2);
  first.cutOff();
  await expect.poll(() => other.isJobNode()).toBe(true);
  first.connect();
  await wait(3 * TIMES.checkMs);
  expect([first.isJobNode(), other.isJobNode()]).toEqual([false, true]);
  await other.close();
  await expect.poll(() => first.isJobNode()).toBe(true);
  // It runs everything again: the other node may have left something undone.
  await expect.poll(() => first.runs.rarely).toBe(2);
});

test('takes over at once from a node that was shut down', async () => {
  const long = { ...TIMES, lastsMs: 300_000 };
  const first = await startNode(1, long);
  const other = await startNode(2, long);
  await first.close();
  await expect.poll(() => other.runs.rarely, { interval: 10 }).toBe(1);
});

test('a node that restarts at its address continues at once', async () => {
  const killed = await startNode(1);
  killed.cutOff();
  const restarted = await startNode(1);
  expect(restarted.isJobNode()).toBe(true);
  await expect.poll(() => restarted.runs.rarely).toBe(1);
});

test('runs a job soon that another node requests, also after a while without MongoDB', async () => {
  const holder = await startNode(1);
  const other = await startNode(2);
  other.runJobSoon('rarely');
  await expect.poll(() => holder.runs.rarely).toBe(2);
  other.cutOff();
  other.runJobSoon('rarely');
  await wait(2 * TIMES.checkMs);
  expect(holder.runs.rarely).toBe(2);
  other.connect();
  await expect.poll(() => holder.runs.rarely).toBe(3);
  expect(other.runs.rarely).toBe(0);
  expect(await leases(db).findOne()).toMatchObject({ requested: [] });
});

test('gets the lease when its row was deleted', async () => {
  const node = await startNode(1);
  await leases(db).deleteMany({});
  await wait(2 * TIMES.checkMs);
  expect(node.isJobNode()).toBe(true);
});
