import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { me } from '#shared/session/contract.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { signInMember, type Visitor } from '../../scripts/session/api-session.ts';
import type { NodeEntry } from '../../scripts/stack/nodes-file.ts';
import { startTestStack } from '../stack.ts';
import { RawDevice } from '../sync/raw-device.ts';

/** One node of each role: the API talks to browsers, and hands the sockets of devices over to the sync server. */
let stack: Awaited<ReturnType<typeof startTestStack>>;
let member: Visitor;

beforeAll(async () => {
  stack = await startTestStack();
  member = await signInMember(stack.origin, 'kim@example.com');
}, 240_000);
afterAll(() => stack?.stop(), 60_000);

const MANY = 1_000;

async function processOf(role: NodeEntry['role']): Promise<number | null> {
  const text = await readFile(join(stack.dataDir, 'nodes.json'), 'utf8');
  return (JSON.parse(text) as NodeEntry[]).find((node) => node.role === role)?.pid ?? null;
}

const pidOf = (role: 'api' | 'sync-server') =>
  vi.waitUntil(() => processOf(role), { timeout: 30_000, interval: 50 });

/** The open sockets of a process (Linux only). */
async function socketsOf(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const targets = await Promise.all(
    (await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith('socket:')).length;
}

/** The sockets of the processes that a device's socket only passes through: the API, and the supervisor, which is this process. */
async function passing() {
  return { api: await socketsOf(await pidOf('api')), supervisor: await socketsOf(process.pid) };
}

const headers = () => ({ cookie: member.jar.header, origin: stack.origin });

function device(): WebSocket {
  const socket = new WebSocket(`${stack.origin.replace('http', 'ws')}/sync`, {
    headers: headers(),
    perMessageDeflate: false,
  });
  socket.on('error', () => {});
  onTestFinished(() => socket.terminate());
  return socket;
}

/** Opens a device, or returns the status that refused it. */
async function open(): Promise<WebSocket | number | undefined> {
  const socket = device();
  return Promise.race([
    once(socket, 'open').then(() => socket),
    once(socket, 'unexpected-response').then(
      ([, answer]) => (answer as IncomingMessage).statusCode,
    ),
    once(socket, 'close').then(() => undefined),
  ]);
}

async function opened(): Promise<WebSocket> {
  const socket = await open();
  if (!(socket instanceof WebSocket)) throw new Error(`refused with ${socket}`);
  return socket;
}

async function expectAnswer(socket: WebSocket): Promise<void> {
  socket.ping();
  await Promise.race([
    once(socket, 'pong'),
    once(socket, 'close').then(([code]) => {
      throw new Error(`closed with ${String(code)}`);
    }),
  ]);
}

/** Connects without a library. @param behind follows the request @param pauseMs the time between both */
async function rawDevice(behind: Buffer[], pauseMs: number[] = []): Promise<Socket> {
  const { hostname, port, host } = new URL(stack.origin);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay(true);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const request =
    `GET /sync HTTP/1.1\r\nhost: ${host}\r\ncookie: ${member.jar.header}\r\norigin: ${stack.origin}\r\n` +
    'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';
  const parts = [Buffer.from(request), ...behind];
  let unsent = Buffer.alloc(0);
  for (const [index, part] of parts.entries()) {
    unsent = Buffer.concat([unsent, part]);
    const pause = pauseMs[index];
    if (pause === undefined && index < parts.length - 1) continue;
    socket.write(unsent);
    unsent = Buffer.alloc(0);
    if (pause !== undefined) await wait(pause);
  }
  return socket;
}

/** A masked frame of at most 125 bytes. */
const frame = (opcode: number, text: string): Buffer =>
  Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
const PING = 9;
const PONG = 10;

async function until(socket: Socket, expected: Buffer | string): Promise<Buffer> {
  let all = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    all = Buffer.concat([all, chunk as Buffer]);
    if (all.includes(expected)) return all;
  }
  throw new Error(`closed after ${all.toString('latin1')}`);
}

describe('the socket of a device', () => {
  test('is open in the sync server only, also when many connect at once', async () => {
    const before = await passing();
    const inSync = await socketsOf(await pidOf('sync-server'));
    const sockets = await Promise.all(Array.from({ length: MANY }, opened));
    await Promise.all(sockets.map(expectAnswer));
    expect(await socketsOf(await pidOf('sync-server'))).toBeGreaterThanOrEqual(inSync + MANY);
    await vi.waitFor(async () => {
      const after = await passing();
      expect(after.api).toBeLessThan(before.api + MANY / 10);
      expect(after.supervisor - before.supervisor).toBeLessThanOrEqual(MANY + MANY / 10);
    });
    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
    for (const socket of sockets) socket.close();
    await closed;
    await expect.poll(async () => socketsOf(await pidOf('sync-server'))).toBeLessThan(inSync + 50);
  });

  test.each([
    ['with it', []],
    ['right after it', [0]],
    ['a little later', [2]],
    ['in two parts', [1, 1]],
  ])('loses no byte that is sent behind the request, %s', async (_when, pauses) => {
    const ping = frame(PING, 'are you there');
    const raw = await rawDevice([ping.subarray(0, 5), ping.subarray(5)], pauses);
    const pong = Buffer.concat([Buffer.from([0x80 | PONG, 13]), Buffer.from('are you there')]);
    const answer = await until(raw, pong);
    expect(answer.toString('latin1')).toContain('HTTP/1.1 101 ');
  });

  test('is refused without a session, and doesn’t stay open', async () => {
    const before = await socketsOf(await pidOf('sync-server'));
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const { hostname, port } = new URL(stack.origin);
        const asked = get({
          hostname,
          port,
          path: '/sync',
          headers: {
            connection: 'upgrade',
            upgrade: 'websocket',
            'sec-websocket-version': '13',
            'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
          },
        });
        const [answer] = (await once(asked, 'response')) as [IncomingMessage];
        // The client never closes.
        return answer.statusCode;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([401]));
    await expect.poll(async () => socketsOf(await pidOf('sync-server'))).toBeLessThan(before + 20);
  });

  test('stays open while the API is killed', async () => {
    const { socket } = await new RawDevice(device()).join();
    const pid = await pidOf('api');
    process.kill(pid, 'SIGKILL');
    await expectAnswer(socket);
    await vi.waitUntil(async () => ![pid, null].includes(await processOf('api')), {
      timeout: 30_000,
      interval: 50,
    });
    await expectAnswer(socket);
    await expectAnswer(await opened());
  });

  test('closes at once when the sync server is killed, is refused while it is down, and opens again', async () => {
    const sockets = await Promise.all(Array.from({ length: MANY }, opened));
    const before = await passing();
    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
    const pid = await pidOf('sync-server');
    process.kill(pid, 'SIGKILL');
    const [during] = await Promise.all([Promise.all(Array.from({ length: 20 }, open)), closed]);
    // A socket that the killed process had taken closes without an answer.
    for (const answer of during) expect([503, undefined]).toContain(answer);
    await vi.waitUntil(async () => ![pid, null].includes(await processOf('sync-server')), {
      timeout: 30_000,
      interval: 50,
    });
    await expectAnswer(await opened());
    await vi.waitFor(async () => {
      const after = await passing();
      expect(after.api).toBeLessThan(before.api + 50);
      expect(after.supervisor).toBeLessThan(before.supervisor + 50);
    });
  });

  test('is refused while the sync server is frozen, which holds up nothing else', async () => {
    const pid = await pidOf('sync-server');
    const before = await passing();
    process.kill(pid, 'SIGSTOP');
    try {
      const asked = Array.from({ length: 200 }, open);
      expect((await member.call(me)).email).toBe('kim@example.com');
      expect((await fetch(stack.origin)).status).toBe(200);
      expect(new Set(await Promise.all(asked))).toEqual(new Set([503]));
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await expectAnswer(await opened());
    await vi.waitFor(async () => {
      const after = await passing();
      expect(after.api).toBeLessThan(before.api + 50);
      expect(after.supervisor).toBeLessThan(before.supervisor + 50);
    });
  });

  test('is refused by the host and the number of its headers before anybody else sees it', async () => {
    const { hostname, port } = new URL(stack.origin);
    const answerTo = async (lines: string) => {
      const socket = connect(Number(port), hostname);
      onTestFinished(() => void socket.destroy());
      socket.write(
        `GET /sync HTTP/1.1\r\n${lines}connection: upgrade\r\nupgrade: websocket\r\n\r\n`,
      );
      return (await until(socket, '\r\n\r\n')).toString('latin1');
    };
    expect(await answerTo('host: evil.example\r\n')).toContain('HTTP/1.1 421 ');
    const many = Array.from({ length: 300 }, (_, n) => `x-${n}: 1\r\n`).join('');
    expect(await answerTo(`host: localhost\r\n${many}`)).toContain('HTTP/1.1 431 ');
  });

  test('closes with its reason for a text frame', async () => {
    const socket = await opened();
    socket.send('text');
    expect((await once(socket, 'close'))[0]).toBe(closeCodes.unsupported);
  });
});
