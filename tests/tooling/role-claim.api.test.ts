import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { MongoClient, type Collection } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { claimRole, type NodeRow } from '#shared/server/role-claim.ts';
import { giveBackDatabase, takeDatabase } from '../databases.ts';

const name = takeDatabase();
let client: MongoClient;
let count = 0;

beforeAll(async () => {
  client = await MongoClient.connect(inject('mongodbUri'));
});
afterAll(async () => {
  await giveBackDatabase(client, name);
  await client.close();
});

/** Returns a collection of its own, because the tests wait at the same time. */
function setup() {
  const nodes = client.db(name).collection<NodeRow>(`nodes-${++count}`);
  const lost = vi.fn<(reason: string) => void>();
  const claim = (isShared = false) => claimRole(nodes, 'api', isShared, lost);
  return { nodes, lost, claim };
}

async function deadProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid!;
}

/** Inserts the row of a node that was killed. */
const insertKilled = (nodes: Collection<NodeRow>, host: string, pid: number, seconds: number) =>
  nodes.insertOne({
    _id: 'api',
    holder: 'killed',
    host,
    pid,
    expires_at: new Date(Date.now() + 8_000 - seconds * 1_000),
  });

async function milliseconds(work: Promise<{ release(): Promise<void> }>): Promise<number> {
  const startedAt = performance.now();
  const lease = await work;
  await lease.release();
  return performance.now() - startedAt;
}

test.concurrent('a second node of a role without NATS is refused, and says why', async () => {
  const { claim } = setup();
  const first = await claim();
  await expect(claim()).rejects.toThrow(
    `Another node of the role api is running without NATS_URL (process ${process.pid} on ${hostname()})`,
  );
  await first.release();
  expect(await milliseconds(claim())).toBeLessThan(1_000);
});

test.concurrent('a node of another role is not refused', async () => {
  const { nodes, lost, claim } = setup();
  const first = await claim();
  const other = await claimRole(nodes, 'sync-server', false, lost);
  expect(await nodes.countDocuments()).toBe(2);
  await Promise.all([first.release(), other.release()]);
});

test.concurrent('any number of nodes with NATS start at once, and none without', async () => {
  const { claim } = setup();
  const leases = [await claim(true), await claim(true), await claim(true)];
  await expect(claim()).rejects.toThrow('Set NATS_URL for this one, too');
  await Promise.all(leases.map((lease) => lease.release()));
});

test.concurrent('a node with NATS is refused while one without is running', async () => {
  const { claim } = setup();
  const first = await claim();
  await expect(claim(true)).rejects.toThrow('Several nodes need NATS');
  await first.release();
});

test.concurrent('a node starts at once after a crash on the same host', async () => {
  const { nodes, claim } = setup();
  await insertKilled(nodes, hostname(), await deadProcess(), 0);
  expect(await milliseconds(claim())).toBeLessThan(1_000);
});

test.concurrent('a node starts within 10 s after a crash on another host', async () => {
  const { nodes, claim } = setup();
  await insertKilled(nodes, 'elsewhere', 1, 0);
  const waited = await milliseconds(claim());
  expect(waited).toBeGreaterThan(7_000);
  expect(waited).toBeLessThan(10_000);
});

test.concurrent('a node starts at once when the row of another host is old', async () => {
  const { nodes, claim } = setup();
  await insertKilled(nodes, 'elsewhere', 1, 60);
  expect(await milliseconds(claim())).toBeLessThan(1_000);
});

test.concurrent('a node that was suspended learns that another one has replaced it', async () => {
  const { nodes, lost, claim } = setup();
  const lease = await claim();
  await nodes.updateOne({ _id: 'api' }, { $set: { holder: 'other', host: 'elsewhere', pid: 7 } });
  await vi.waitUntil(() => lost.mock.calls.length > 0, { timeout: 30_000 });
  expect(lost.mock.calls[0]?.[0]).toContain('process 7 on elsewhere');
  await lease.release();
  expect(await nodes.findOne({ _id: 'api' })).toMatchObject({ holder: 'other' });
});
