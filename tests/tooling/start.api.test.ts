import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createDog, listDogs } from '#shared/dogs/contract.ts';
import { buildIfStale } from '../../scripts/build/build-if-stale.ts';
import { signIn, signInMember } from '../../scripts/session/api-session.ts';
import { freePort } from '../../scripts/stack/ports.ts';
import { startTestStack } from '../stack.ts';
import { isAlive, processIdsOf, startTerminal, type Terminal } from '../terminal.ts';

beforeAll(() => buildIfStale(process.env, console.log), 240_000);

async function dataDir(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'leashwise-start-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

function start(env: { PORT: string; DATA_DIR: string }): Terminal {
  const terminal = startTerminal(env);
  onTestFinished(async () => {
    terminal.child.kill('SIGTERM');
    await terminal.exit;
  });
  return terminal;
}

const pidsOf = async ({ child }: Terminal) => Object.values(await processIdsOf(child.pid!));
const allExited = (pids: number[]) =>
  vi.waitUntil(() => !pids.some(isAlive), { timeout: 30_000, interval: 50 });

test('npm start prints one line with its address, answers there and stops on Ctrl-C', async () => {
  const port = String(await freePort());
  const terminal = start({ PORT: port, DATA_DIR: await dataDir() });
  expect(await terminal.ready()).toBe(`Leashwise is ready at http://localhost:${port}`);
  const answers = await Promise.all(
    ['', '/api/health'].map((path) => fetch(`http://localhost:${port}${path}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(terminal.lines().filter((line) => line.includes(port))).toHaveLength(1);
  expect(terminal.lines().join('\n')).toContain(
    'Simulated, for trying it out only: google, email, sms',
  );

  const pids = await pidsOf(terminal);
  expect(pids).toHaveLength(3);
  process.kill(-terminal.child.pid!, 'SIGINT');
  expect(await terminal.exit).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
}, 240_000);

test('npm start killed with -9 leaves no process running, and the next start has all data', async () => {
  const port = String(await freePort());
  const env = { PORT: port, DATA_DIR: await dataDir() };
  const origin = `http://localhost:${port}`;
  const first = start(env);
  await first.ready();
  const owner = await signInMember(origin, 'owner@example.com');
  const { dog } = await owner.call(createDog, { body: { name: 'Rex', sound_type: 'leash_on' } });
  const pids = await pidsOf(first);
  first.child.kill('SIGKILL');

  const second = start(env);
  await second.ready();
  await allExited(pids);
  const again = await signIn(origin, 'owner@example.com');
  expect((await again.call(listDogs)).dogs).toEqual([dog]);
}, 240_000);

test('npm start rejects a data directory in use and a port in use', async () => {
  const stack = await startTestStack();
  onTestFinished(() => stack.stop());
  const same = start({ PORT: String(await freePort()), DATA_DIR: stack.dataDir });
  expect(await same.exit).toBe(1);
  expect(same.lines()).toEqual([
    `Another Leashwise is using ${stack.dataDir}. Set DATA_DIR to a different folder.`,
  ]);

  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const port = String((taken.address() as { port: number }).port);
  const other = start({ PORT: port, DATA_DIR: await dataDir() });
  expect(await other.exit).toBe(1);
  expect(other.lines()).toEqual([`Port ${port} is in use. Set PORT to another one.`]);
}, 240_000);

test('Ctrl-C during npm start leaves no process running', async () => {
  const terminal = start({ PORT: String(await freePort()), DATA_DIR: await dataDir() });
  const pids = await vi.waitUntil(
    async () => {
      const found = await pidsOf(terminal);
      return found.length > 0 && found;
    },
    { timeout: 60_000, interval: 20 },
  );
  process.kill(-terminal.child.pid!, 'SIGINT');
  expect(await terminal.exit).toBe(0);
  expect(pids.filter(isAlive)).toEqual([]);
  expect(terminal.lines().filter((line) => line.includes('ready'))).toEqual([]);
}, 240_000);
