import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { MongoClient, type Collection } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { claimRole, type NodeRow } from '#shared/server/role-claim.ts';
import { giveBackDatabase, takeDatabase } from '../databases.ts';

/** How long a claim lasts after its node has gone. */
const LEASE_MS = 8_000;
const name = takeDatabase();
let client: MongoClient;
let count = 0;

beforeAll(async () => {
  client = await MongoClient.connect(inject('mongodbUri'));
});
afterAll(async () => {
  // The next test file that takes this database lists its collections.
  for (let each = 1; each <= count; each++) await client.db(name).dropCollection(`nodes-${each}`);
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

/** Inserts the row of a node that was killed. @returns when it expires */
async function insertKilled(nodes: Collection<NodeRow>, host: string, pid: number, ageMs = 0) {
  const expires_at = new Date(Date.now() + LEASE_MS - ageMs);
  await nodes.insertOne({ _id: 'api', holder: 'killed', host, pid, expires_at });
  return expires_at.getTime();
}

/** Returns when a node had the role, which it gives back. */
async function timeOf(claim: Promise<{ release(): Promise<void> }>): Promise<number> {
  const lease = await claim;
  const at = Date.now();
  await lease.release();
  return at;
}

test.concurrent('a second node of a role without NATS is refused, and says why', async () => {
  const { claim } = setup();
  const first = await claim();
  await expect(claim()).rejects.toThrow(
    `Another node of the role api is running without NATS_URL (process ${process.pid} on ${hostname()})`,
  );
  const expiresAt = Date.now() + LEASE_MS;
  await first.release();
  expect(await timeOf(claim())).toBeLessThan(expiresAt);
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
  const expiresAt = await insertKilled(nodes, hostname(), await deadProcess());
  expect(await timeOf(claim())).toBeLessThan(expiresAt);
});

test.concurrent('after a crash on another host, a node starts when that one’s claim has expired', async () => {
  const { nodes, claim } = setup();
  const expiresAt = await insertKilled(nodes, 'elsewhere', 1);
  expect(await timeOf(claim())).toBeGreaterThanOrEqual(expiresAt);
});

test.concurrent('a node starts at once when the row of another host is old', async () => {
  const { nodes, claim } = setup();
  await insertKilled(nodes, 'elsewhere', 1, 60_000);
  const soon = Date.now() + LEASE_MS;
  expect(await timeOf(claim())).toBeLessThan(soon);
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
