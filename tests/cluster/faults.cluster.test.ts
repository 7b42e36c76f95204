import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { reportLocation } from '#shared/proximity/contract.ts';
import { listen } from '../events/listen.ts';
import { jumpClock } from './clock-jump.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type Load, startLoad } from './load.ts';

const RESUME_MS = 15_000;
const WARNED_MS = 10_000;
/** How long a process is missing without which nothing goes on. */
const FAULT_MS = Number(process.env['FAULT_SECONDS'] ?? 5) * 1000;
const MINUTE_MS = 60_000;
/** Between faults, everything works for a moment. */
const CALM_MS = 1_500;
/** What was on its way at the time of a fault may still be answered. */
const ON_ITS_WAY_MS = 500;
/** Failed writes that the error names. */
const SHOWN_MAX = 5;

let cluster: Cluster;
let load: Load;
beforeAll(async () => {
  cluster = await startCluster(inject('mongod'));
  load = await startLoad(cluster);
}, 180_000);
beforeEach(({ task }) => {
  load.test = task.name;
});
afterAll(async () => {
  await load?.close();
  await cluster?.close();
}, 60_000);

/** Ends a fault. */
type End = () => void;

const nothing: End = () => {};

async function signal(name: string, kind: NodeJS.Signals): Promise<void> {
  const { pid } = await cluster.node(name);
  process.kill(pid, kind);
}

async function kill(name: string): Promise<End> {
  await signal(name, 'SIGKILL');
  return nothing;
}

/** Suspends a process until the writes go on without it. */
async function freeze({ pid }: { pid: number }): Promise<End> {
  process.kill(pid, 'SIGSTOP');
  return () => process.kill(pid, 'SIGCONT');
}

/** The same for a process without which nothing goes on. */
async function forAWhile(fault: Promise<End>): Promise<End> {
  const end = await fault;
  await wait(FAULT_MS);
  end();
  return nothing;
}

async function withoutGateway(fault: () => Promise<End>): Promise<End> {
  load.isUnreachable = true;
  await fault();
  return () => {
    load.isUnreachable = false;
  };
}

/** Expects an acknowledgement for every writer within the limit. */
async function expectWrites(limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  await wait(ON_ITS_WAY_MS);
  const before = load.writers.map((writer) => writer.acknowledged());
  const stalled = () =>
    load.writers
      .filter((writer, index) => writer.acknowledged() <= (before[index] ?? 0))
      .map(({ name }) => name);
  while (stalled().length > 0 && performance.now() < end) await wait(100);
  if (stalled().length === 0) return;
  const warnings = (await cluster.lastWarnings()).join('\n');
  expect(stalled(), `the last failures are: ${load.lastFailures.join('; ')}\n${warnings}`).toEqual(
    [],
  );
}

test.each<[string, () => Promise<End>]>([
  ['an API node is killed', () => kill('api-1')],
  ['a sync node is killed', () => kill('sync-server-1')],
  ['the gateway is killed', () => withoutGateway(() => kill('gateway'))],
  ['NATS is killed', () => kill('nats')],
  ['an API node freezes', async () => freeze(await cluster.node('api-1'))],
  ['a sync node freezes', async () => freeze(await cluster.node('sync-server-1'))],
  [
    'the gateway freezes',
    () => withoutGateway(async () => forAWhile(freeze(await cluster.node('gateway')))),
  ],
  ['NATS freezes', async () => freeze(await cluster.node('nats'))],
  ['an API node is cut off', async () => cluster.links.cut('api-1')],
  ['a sync node is cut off', async () => cluster.links.cut('sync-server-1')],
  [
    'the gateway is cut off',
    () => withoutGateway(() => forAWhile(Promise.resolve(cluster.links.cut('gateway')))),
  ],
  ['an API node is cut off from NATS', async () => cluster.links.cut('api-1', 'nats')],
  ['a sync node is cut off from NATS', async () => cluster.links.cut('sync-server-1', 'nats')],
  ['an API node is cut off from MongoDB', async () => cluster.links.cut('api-2', 'mongodb')],
  [
    'a sync node is cut off from MongoDB',
    async () => cluster.links.cut('sync-server-2', 'mongodb'),
  ],
  ['the clock of an API node jumps ahead', async () => jumpClock(await cluster.node('api-2'))],
  [
    'the clock of a sync node jumps back',
    async () => jumpClock(await cluster.node('sync-server-2')),
  ],
  [
    'all nodes are cut off from the primary of MongoDB',
    async () =>
      forAWhile(Promise.resolve(cluster.links.cutMember((await cluster.set.primary()).port))),
  ],
  ['all of MongoDB is cut off', () => forAWhile(Promise.resolve(cluster.links.cutAll('mongodb')))],
  [
    'the primary of MongoDB steps down',
    async () => {
      await cluster.set.stepDown();
      return nothing;
    },
  ],
  ['the primary of MongoDB freezes', async () => freeze(await cluster.set.primary())],
  [
    'the primary of MongoDB is killed',
    async () => {
      await cluster.set.end('SIGKILL');
      return nothing;
    },
  ],
])(
  'all owners can write again within 15 seconds after %s',
  async (_, fault) => {
    await wait(CALM_MS);
    // A machine with much else to do needs seconds for a write at any time.
    const calmAt = performance.now();
    await expectWrites(4 * RESUME_MS);
    const usualMs = performance.now() - calmAt;
    const end = await fault();
    try {
      await expectWrites(RESUME_MS + usualMs);
    } finally {
      end();
    }
  },
  180_000 + 2 * FAULT_MS,
);

describe('warnings', () => {
  test.each<[string, () => Promise<End>]>([
    ['NATS carries nothing', async () => freeze(await cluster.node('nats'))],
    ['the node of the stream is cut off from NATS', async () => cluster.links.cut('api-2', 'nats')],
    ['the other node is cut off from NATS', async () => cluster.links.cut('api-1', 'nats')],
  ])(
    'two owners on different nodes are warned within 10 seconds while %s',
    async (name, fault) => {
      await wait(CALM_MS);
      const suffix = name.replace(/\W/g, '');
      const ann = await cluster.createOwner(`ann-${suffix}`);
      const bob = await cluster.createOwner(`bob-${suffix}`);
      const [first, second] = [await cluster.node('api-1'), await cluster.node('api-2')];
      const here = { latitude: -33, longitude: 18 + suffix.length };
      const north = (meters: number) => ({
        ...here,
        latitude: here.latitude + meters / 111_318.845,
      });
      const stream = await listen(second.url, ann);
      await cluster.callAt(first, ann)(reportLocation, { body: here });
      await cluster.callAt(second, bob)(reportLocation, { body: north(130) });
      const end = await fault();
      try {
        const warned = stream.next('encounter').then(() => true);
        await cluster.callAt(first, ann)(reportLocation, { body: north(100) });
        await cluster.callAt(second, bob)(reportLocation, { body: north(105) });
        expect(await Promise.race([warned, wait(WARNED_MS, false)])).toBe(true);
      } finally {
        end();
        stream.close();
      }
    },
    60_000,
  );
});

test('all owners can write at any time while NATS is gone for a minute', async () => {
  const end = cluster.links.cutAll('nats');
  try {
    for (const until = Date.now() + MINUTE_MS; Date.now() < until; await wait(CALM_MS))
      await expectWrites(RESUME_MS);
  } finally {
    end();
  }
  await expectWrites(RESUME_MS);
}, 120_000);

test('nothing that was acknowledged is lost, and only 503 refuses a request', async () => {
  await load.end();
  for (const writer of load.writers) {
    expect(writer.acknowledged()).toBeGreaterThan(5);
    const missing = await writer.missing();
    const some = missing.slice(0, SHOWN_MAX).join(', ');
    expect(missing.length, `${writer.name}: ${missing.length} writes, such as ${some}`).toBe(0);
  }
  const others = load.unexpected.slice(0, SHOWN_MAX).join(', ');
  expect(load.unexpected.length, `answers other than 503, such as ${others}`).toBe(0);
}, 240_000);
