import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createDog, listDogs } from '#shared/dogs/contract.ts';
import { buildIfStale } from '../../scripts/build-if-stale.ts';
import { freePort } from '../../scripts/ports.ts';
import { passGate, signIn } from '../../scripts/visitor.ts';
import { startTestStack } from '../stack.ts';

/** What a person does in a terminal: `npm start`, and what comes of it. */
interface Terminal {
  child: ChildProcess;
  /** The lines printed so far. */
  lines(): string[];
  /** Waits for the line that says where it is. */
  ready(): Promise<string>;
  exit: Promise<[code: number | null]>;
}

beforeAll(() => buildIfStale(process.env, console.log), 120_000);

async function dataDir(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'leashwise-start-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

function start(env: { PORT: string; DATA_DIR: string }): Terminal {
  const { MONGODB_URI: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/start.ts'], {
    env: { ...inherited, NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A terminal sends Ctrl-C to the whole group.
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const exit = once(child, 'exit') as Promise<[number | null]>;
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exit;
  });
  const lines = () => said.split('\n').filter(Boolean);
  const readyLine = () => lines().find((line) => line.includes(' is ready at '));
  return {
    child,
    lines,
    exit,
    ready: () => vi.waitUntil(readyLine, { timeout: 50_000, interval: 50 }),
  };
}

async function partsOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const allGone = (pids: number[]) =>
  vi.waitUntil(() => !pids.some(isAlive), { timeout: 20_000, interval: 50 });

test('prints one line with the address, answers there, and Ctrl-C stops all of it', async () => {
  const port = String(await freePort());
  const terminal = start({ PORT: port, DATA_DIR: await dataDir() });
  expect(await terminal.ready()).toBe(`Leashwise is ready at http://localhost:${port}`);
  const answers = await Promise.all(
    ['', '/api/health'].map((path) => fetch(`http://localhost:${port}${path}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(terminal.lines().filter((line) => line.includes(port))).toHaveLength(1);
  expect(terminal.lines().join('\n')).toContain('Stand-ins, for trying it out only: google');

  const parts = await partsOf(terminal.child.pid!);
  expect(parts).toHaveLength(4);
  process.kill(-terminal.child.pid!, 'SIGINT');
  expect(await terminal.exit).toEqual([0, null]);
  expect(parts.filter(isAlive)).toEqual([]);
}, 90_000);

test('killed with -9 it leaves nothing running, and the next start has everything', async () => {
  const port = String(await freePort());
  const env = { PORT: port, DATA_DIR: await dataDir() };
  const origin = `http://localhost:${port}`;
  const first = start(env);
  await first.ready();
  const owner = await signIn(origin, 'owner@example.com');
  await passGate(origin, owner);
  const { dog } = await owner.call(createDog, { body: { name: 'Rex', sound_type: 'leash_on' } });
  const parts = await partsOf(first.child.pid!);
  first.child.kill('SIGKILL');

  const second = start(env);
  await second.ready();
  await allGone(parts);
  const again = await signIn(origin, 'owner@example.com');
  expect((await again.call(listDogs)).dogs).toEqual([dog]);
}, 120_000);

test('refuses a data directory that another one has, and a port that is taken', async () => {
  const stack = await startTestStack();
  onTestFinished(() => stack.stop());
  const same = start({ PORT: String(await freePort()), DATA_DIR: stack.dataDir });
  expect(await same.exit).toEqual([1, null]);
  expect(same.lines()).toEqual([
    `${stack.dataDir} is in use by another Leashwise: give this one a DATA_DIR of its own`,
  ]);

  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const port = String((taken.address() as { port: number }).port);
  const other = start({ PORT: port, DATA_DIR: await dataDir() });
  expect(await other.exit).toEqual([1, null]);
  expect(other.lines()).toEqual([`port ${port} is in use: choose another one with PORT`]);
}, 90_000);

test('Ctrl-C while it starts leaves nothing running', async () => {
  const terminal = start({ PORT: String(await freePort()), DATA_DIR: await dataDir() });
  const parts = await vi.waitUntil(
    async () => {
      const found = await partsOf(terminal.child.pid!);
      return found.length > 0 && found;
    },
    { timeout: 20_000, interval: 20 },
  );
  process.kill(-terminal.child.pid!, 'SIGINT');
  expect(await terminal.exit).toEqual([0, null]);
  expect(parts.filter(isAlive)).toEqual([]);
  expect(terminal.lines().filter((line) => line.includes('ready'))).toEqual([]);
}, 60_000);
