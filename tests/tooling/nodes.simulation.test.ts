import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createDog, listDogs, updateDog } from '#shared/dogs/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { caller } from '../../client/platform/http/api-client.ts';
import { signInMember, type Visitor } from '../../scripts/session/api-session.ts';
import type { NodeEntry } from '../../scripts/stack/nodes-file.ts';
import { listen } from '../events/listen.ts';
import { startTestStack } from '../stack.ts';

let stack: Awaited<ReturnType<typeof startTestStack>>;

beforeAll(async () => {
  stack = await startTestStack({ NODES: '2' });
}, 240_000);
afterAll(() => stack?.stop(), 60_000);

async function nodesOf(role: NodeEntry['role']): Promise<NodeEntry[]> {
  const text = await readFile(join(stack.dataDir, 'nodes.json'), 'utf8');
  return (JSON.parse(text) as NodeEntry[]).filter((node) => node.role === role);
}

async function owner(name: string): Promise<Visitor> {
  const visitor = await signInMember(stack.origin, `${name.toLowerCase()}@example.com`);
  await visitor.call(saveProfile, {
    body: { display_name: name, is_location_sharing_enabled: true },
  });
  await visitor.call(createDog, { body: { name: 'Rex', sound_type: 'leash_on' } });
  return visitor;
}

/** Calls one node directly. */
const at = (node: NodeEntry, visitor: Visitor) =>
  caller({ origin: node.url, fetch: visitor.jar.fetch });

/** Changes a dog, reads dogs and opens a socket through the gateway, again and again. */
function load(visitor: Visitor, dogId: string) {
  const stopped = new AbortController();
  const failures: { at: number; what: string }[] = [];
  let acknowledged = '';
  let successes = 0;
  const repeat = async (pause: number, work: () => Promise<void>) => {
    while (!stopped.signal.aborted) {
      await work()
        .then(() => successes++)
        .catch((error: Error & { status?: number }) =>
          failures.push({ at: performance.now(), what: String(error.status ?? error.message) }),
        );
      await wait(pause);
    }
  };
  let count = 0;
  const running = Promise.all([
    repeat(20, async () => {
      const name = `Rex ${count++}`;
      await visitor.call(updateDog, {
        params: { id: dogId },
        body: { name, sound_type: 'leash_on' },
      });
      acknowledged = name;
    }),
    repeat(20, async () => void (await visitor.call(listDogs))),
    repeat(50, () => openSocket(visitor)),
  ]);
  return {
    failures,
    successes: () => successes,
    async stop(): Promise<string> {
      stopped.abort();
      await running;
      return acknowledged;
    },
  };
}

/** Opens a socket through the gateway and closes it. @throws an error with the HTTP status of a refusal */
async function openSocket({ jar }: Visitor): Promise<void> {
  const { host, origin } = new URL(stack.origin);
  const socket = new WebSocket(`ws://${host}/sync`, { headers: { cookie: jar.header, origin } });
  const refused = once(socket, 'unexpected-response').then(([, answer]) => {
    const { statusCode } = answer as { statusCode: number };
    throw Object.assign(new Error('refused'), { status: statusCode });
  });
  refused.catch(() => {});
  await Promise.race([once(socket, 'open'), refused]).finally(() => socket.terminate());
}

test('nodes.json lists each process with its address', async () => {
  const counts = await Promise.all(
    (['mongodb', 'nats', 'sync-server', 'api', 'gateway'] as const).map(nodesOf),
  );
  expect(counts.map((nodes) => nodes.length)).toEqual([1, 1, 2, 2, 1]);
  for (const { pid } of counts.flat()) expect(pid).toBeGreaterThan(0);
  for (const { url } of await nodesOf('api'))
    expect((await fetch(`${url}/api/health`)).status).toBe(200);
  for (const { url } of await nodesOf('sync-server'))
    expect((await fetch(`${url}/health`)).status).toBe(200);
});

test('two owners who report to different API nodes are warned on streams of the other node', async () => {
  const [ann, bob] = [await owner('Ann'), await owner('Bob')];
  const [first, second] = await nodesOf('api');
  const streams = await Promise.all([listen(second!.url, ann), listen(first!.url, bob)]);
  onTestFinished(() => streams.forEach((stream) => stream.close()));
  const here = { latitude: 47.1, longitude: 8.5 };
  const meter = 1 / 111_319;
  await at(first!, ann)(reportLocation, { body: here });
  await at(second!, bob)(reportLocation, { body: { ...here, latitude: here.latitude + meter } });
  const warnings = await Promise.all(streams.map((stream) => stream.next('encounter')));
  expect(warnings.map(({ user }) => user.user_id)).toEqual([bob.user.id, ann.user.id]);
});

/** Ends the API node and the sync node with this index, and waits until nodes.json has the new ones. */
async function endNodes(index: number, signal: NodeJS.Signals): Promise<void> {
  await Promise.all(
    (['api', 'sync-server'] as const).map(async (role) => {
      const { pid, url } = (await nodesOf(role)).toSorted((a, b) => (a.url < b.url ? -1 : 1))[
        index
      ]!;
      process.kill(pid!, signal);
      await vi.waitUntil(
        async () => (await nodesOf(role)).some((node) => node.url === url && node.pid !== pid),
        { timeout: 30_000, interval: 50 },
      );
    }),
  );
}

test('requests go on while an API node and a sync node are killed, and nodes.json has the new ones', async () => {
  const person = await owner('Kim');
  const [dog] = (await person.call(listDogs)).dogs;
  const traffic = load(person, dog!.id);
  for (const index of [0, 1]) {
    await wait(500);
    const killedAt = performance.now();
    await endNodes(index, 'SIGKILL');
    // The new nodes must have been checked before the others are killed.
    await wait(1_500);
    expect(traffic.failures.filter(({ at: time }) => time > killedAt + 2_000)).toEqual([]);
  }
  const acknowledged = await traffic.stop();
  expect(traffic.failures.filter(({ what }) => what !== '503')).toEqual([]);
  expect(traffic.successes()).toBeGreaterThan(100);
  expect((await person.call(listDogs)).dogs[0]?.name).toBe(acknowledged);
}, 60_000);

test('no request fails while an API node and a sync node drain after SIGTERM', async () => {
  const person = await owner('Lou');
  const [dog] = (await person.call(listDogs)).dogs;
  const traffic = load(person, dog!.id);
  for (const index of [0, 1]) {
    await endNodes(index, 'SIGTERM');
    await wait(1_500);
  }
  await traffic.stop();
  expect(traffic.failures).toEqual([]);
}, 60_000);
