import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listDogs } from '#shared/dogs/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { CallError, caller } from '../../client/http/api-client.ts';
import { writers, type Writer } from '../../bench/kill-load.ts';
import { passGate, signIn, type Visitor } from '../../scripts/cli/api-session.ts';
import { type ReplicaSet, startReplicaSet } from '../../scripts/test/replica-set.ts';
import { listen } from '../events/listen.ts';
import { startTestStack } from '../stack.ts';

const RESUME_MS = 15_000;
const WARNED_MS = 10_000;
const FROZEN_MS = 5_000;
/** Between faults, everything works for a moment. */
const CALM_MS = 1_500;
const OWNERS = 8;
/** Failed writes that the error names. */
const SHOWN_MAX = 5;

interface Node {
  role: 'api' | 'sync-server' | 'gateway' | 'nats' | 'mongodb';
  url: string;
  pid: number;
}

let set: ReplicaSet;
let stack: Awaited<ReturnType<typeof startTestStack>>;
let load: Writer[];
const over = new AbortController();
const running: Promise<void>[] = [];
/** Responses other than 2xx, 4xx and 503, by status and code. */
const unexpected: string[] = [];
let walked = 0;

beforeAll(async () => {
  set = await startReplicaSet(inject('mongod'));
  stack = await startTestStack({ NODES: '2', MONGODB_URI: set.uri, MONGODB_DB: 'faults' });
  load = await writers(stack.origin);
  const owners = await Promise.all(
    Array.from({ length: OWNERS }, (_, index) => createOwner(`walker-${index}`)),
  );
  for (const writer of load) running.push(writer.run(over.signal));
  for (const [index, owner] of owners.entries()) running.push(walk(owner, index), read(owner));
}, 180_000);

afterAll(async () => {
  over.abort();
  await Promise.all(running);
  for (const writer of load ?? []) writer.close();
  await stack?.stop();
  await set?.close();
});

async function createOwner(name: string): Promise<Visitor> {
  const owner = await signIn(stack.origin, `${name}@example.com`);
  await passGate(stack.origin, owner);
  await owner.call(saveProfile, {
    body: { display_name: name, is_location_sharing_enabled: true },
  });
  return owner;
}

/** Calls again and again, and notes what it is answered. */
async function repeat(call: () => Promise<unknown>): Promise<void> {
  while (!over.signal.aborted) {
    await call().catch((error: unknown) => {
      const status = error instanceof CallError ? error.status : -1;
      if (status !== 503 && (status < 400 || status >= 500)) unexpected.push(String(error));
    });
    await wait(250);
  }
}

const read = ({ call }: Visitor): Promise<void> => repeat(() => call(listDogs));

/** Walks north, each owner on a street of their own. */
const walk = ({ call }: Visitor, index: number): Promise<void> =>
  repeat(async () => {
    walked += 1;
    const place = { latitude: 40 + walked / 1_000_000, longitude: 20 + index / 100 };
    await call(reportLocation, { body: place });
  });

async function nodes(role: Node['role']): Promise<Node[]> {
  const text = await readFile(join(stack.dataDir, 'nodes.json'), 'utf8');
  return (JSON.parse(text) as Node[]).filter((node) => node.role === role);
}

async function kill(role: Node['role']): Promise<void> {
  const [node] = await nodes(role);
  process.kill(node!.pid, 'SIGKILL');
}

async function freeze(role: Node['role']): Promise<void> {
  const [node] = await nodes(role);
  process.kill(node!.pid, 'SIGSTOP');
  await wait(FROZEN_MS);
  process.kill(node!.pid, 'SIGCONT');
}

test.each<[string, () => Promise<void>]>([
  ['an API node is killed', () => kill('api')],
  ['a sync node is killed', () => kill('sync-server')],
  ['NATS is killed', () => kill('nats')],
  ['an API node freezes', () => freeze('api')],
  ['a sync node freezes', () => freeze('sync-server')],
  ['NATS freezes', () => freeze('nats')],
  ['the primary of MongoDB steps down', () => set.stepDown()],
  ['the primary of MongoDB is killed', () => set.end('SIGKILL')],
])(
  'all owners can write again within 15 seconds after %s',
  async (_, fault) => {
    await wait(CALM_MS);
    await fault();
    const before = load.map((writer) => writer.acknowledged());
    await expect
      .poll(
        () =>
          load
            .filter((writer, index) => writer.acknowledged() <= (before[index] ?? 0))
            .map(({ name }) => name),
        { timeout: RESUME_MS, interval: 100 },
      )
      .toEqual([]);
  },
  60_000,
);

test('two owners on different nodes are warned within 10 seconds while NATS carries nothing', async () => {
  const [ann, bob] = [await createOwner('ann'), await createOwner('bob')];
  const [first, second] = await nodes('api');
  const here = { latitude: -33, longitude: 18 };
  const north = (meters: number) => ({ ...here, latitude: here.latitude + meters / 111_318.845 });
  const stream = await listen(second!.url, ann);
  const call = (node: Node | undefined, { jar }: Visitor) =>
    caller({ origin: node!.url, fetch: jar.fetch });
  await call(first, ann)(reportLocation, { body: here });
  await call(second, bob)(reportLocation, { body: north(130) });
  const [nats] = await nodes('nats');
  process.kill(nats!.pid, 'SIGSTOP');
  try {
    const bobCall = call(second, bob);
    const warned = stream.next('encounter').then(() => true);
    await call(first, ann)(reportLocation, { body: north(100) });
    await bobCall(reportLocation, { body: north(105) });
    expect(await Promise.race([warned, wait(WARNED_MS, false)])).toBe(true);
  } finally {
    process.kill(nats!.pid, 'SIGCONT');
    stream.close();
  }
}, 60_000);

test('nothing that was acknowledged is lost, and only 503 refuses a request', async () => {
  over.abort();
  await Promise.all(running);
  for (const writer of load) {
    expect(writer.acknowledged()).toBeGreaterThan(5);
    const missing = await writer.missing();
    const some = missing.slice(0, SHOWN_MAX).join(', ');
    expect(missing.length, `${writer.name}: ${missing.length} writes, such as ${some}`).toBe(0);
  }
  expect(unexpected.slice(0, SHOWN_MAX)).toEqual([]);
}, 120_000);
