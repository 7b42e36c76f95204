import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { MongoClient, type Db } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { queuedMail, sandboxSent } from '../../api/platform/mail-queue/collections.ts';
import { leases } from '../../api/platform/node-lease.ts';
import { startNats, type TestNats } from '../nats.ts';

/** A holder that was killed is replaced within this time, by the issue. */
const TAKEOVER_MS = 30_000;

let client: MongoClient;
let db: Db;
let nats: TestNats;
let nodes: ChildProcess[] = [];
beforeAll(async () => {
  nats = await startNats();
  client = await MongoClient.connect(inject('mongodbUri'));
  db = client.db(`two-nodes-${randomUUID()}`);
});
beforeEach(async () => {
  // The last test's nodes were killed, and hold the lease until it expires.
  await Promise.all([
    leases(db).deleteMany(),
    queuedMail(db).deleteMany(),
    sandboxSent(db).deleteMany(),
  ]);
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => end(node, 'SIGKILL')));
  nodes = [];
});
afterAll(async () => {
  await db.dropDatabase();
  await client.close();
  await nats.stop();
});

/** Starts a process of the API. Resolves when it listens. */
async function startNode(): Promise<ChildProcess> {
  const node = fork(join(import.meta.dirname, '../../api/app/main.ts'), {
    execArgv: ['--import', 'tsx'],
    env: {
      ...process.env,
      MONGODB_URI: inject('mongodbUri'),
      MONGODB_DB: db.databaseName,
      NATS_URL: nats.url,
      PUBLIC_ORIGIN: 'http://localhost:3000',
      SYNC_SECRET: 'a secret of the tests',
      SYNC_INTERNAL_URL: 'http://127.0.0.1:9',
      NODE_ENV: 'test',
      API_PORT: '0',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  nodes.push(node);
  const [message] = (await Promise.race([
    once(node, 'message'),
    once(node, 'exit').then(([code]) => Promise.reject(new Error(`exited with ${code}`))),
  ])) as [unknown];
  expect(message).toMatchObject({ port: expect.any(Number) as number });
  return node;
}

async function end(node: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return;
  const exited = once(node, 'exit');
  node.kill(signal);
  await exited;
}

async function queueEmails(count: number, name: string): Promise<void> {
  const at = new Date();
  await queuedMail(db).insertMany(
    Array.from({ length: count }, (_, index) => ({
      _id: `${name} ${index}`,
      channel: 'email' as const,
      message: {
        channel: 'email' as const,
        to: 'someone@example.com',
        subject: 'Hello',
        text: 'Hello',
        unsolicited: false,
      } as never,
      status: 'waiting' as const,
      attempts: 0,
      due_at: at,
      lease: null,
      created_at: at,
      settled_at: null,
      provider_id: null,
      error_code: null,
    })),
  );
}
const waiting = () => queuedMail(db).countDocuments({ status: 'waiting' });
const holder = async () => (await leases(db).findOne())?.holder;

test('two nodes that start at once create the indexes and send each email once', async () => {
  await queueEmails(200, 'first');
  await Promise.all([startNode(), startNode()]);
  await expect.poll(waiting).toBe(0);
  expect(await queuedMail(db).countDocuments({ status: 'sent', attempts: 1 })).toBe(200);
  expect(await sandboxSent(db).countDocuments()).toBe(200);
  expect((await queuedMail(db).indexes()).length).toBeGreaterThan(2);
  expect(await leases(db).countDocuments()).toBe(1);
}, 90_000);

test('the other node continues after the holder was killed, and at once after it was shut down', async () => {
  const first = await startNode();
  await expect.poll(holder).toBeTruthy();
  const [second, third] = await Promise.all([startNode(), startNode()]);
  const firstHolder = await holder();
  await end(first, 'SIGKILL');
  await queueEmails(20, 'after the kill');
  await expect.poll(waiting, { timeout: TAKEOVER_MS }).toBe(0);
  expect(await holder()).not.toBe(firstHolder);

  // One of the two holds it now: both are shut down, one after the other.
  await end(second, 'SIGTERM');
  await queueEmails(20, 'after the shutdown');
  await expect.poll(waiting, { timeout: 8_000 }).toBe(0);
  await end(third, 'SIGTERM');
  expect((await leases(db).findOne())?.expires_at).toEqual(new Date(0));
}, 90_000);
