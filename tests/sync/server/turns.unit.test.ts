import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { encode } from 'cbor-x';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import type { Documents } from '../../../sync-server/core/documents/documents.ts';
import { byTurns, Turns } from '../../../sync-server/core/documents/turns.ts';
import {
  Connection,
  type ConnectionHost,
} from '../../../sync-server/wire/connections/connection.ts';
import { TokenBucket } from '../../../sync-server/wire/connections/token-bucket.ts';

/** Work takes no time but that which it counts. */
function stopClock(): (ms: number) => void {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (ms) => {
    now += ms;
  };
}

/** Loads documents of users; notes the order. */
function loads() {
  const pass = stopClock();
  const turns = new Turns();
  const order: string[] = [];
  const load = (userId: string, ms: number) =>
    turns.run(userId, () => {
      order.push(userId);
      pass(ms);
      return userId;
    });
  return { turns, order, load };
}

test('a user who loads one small document waits for at most one of each other user', async () => {
  const { order, load } = loads();
  const heavy = Array.from({ length: 40 }, () => load('heavy', 100));
  const other = Array.from({ length: 40 }, () => load('other', 50));
  await heavy[0];
  await load('small', 1);
  expect(order.slice(0, order.indexOf('small')).filter((each) => each === 'heavy')).toHaveLength(1);
  await Promise.all([...heavy, ...other]);
  // By their cost: while both wait, one has two turns for each of the other.
  const both = order.slice(0, 60);
  expect(both.filter((each) => each === 'heavy').length).toBeLessThanOrEqual(21);
});

test('who comes later begins with the others, and has no credit of the time before', async () => {
  const { order, load } = loads();
  const first = Array.from({ length: 20 }, () => load('first', 10));
  await first[9];
  const late = Array.from({ length: 20 }, () => load('late', 10));
  await Promise.all([...first, ...late]);
  const after = order.slice(10, 20);
  expect(after.filter((each) => each === 'late').length).toBeLessThanOrEqual(6);
});

test('messages are handled between heavy documents, and small ones are loaded together', async () => {
  const { order, load } = loads();
  const between: number[] = [];
  const all = Promise.all(Array.from({ length: 5 }, () => load('heavy', 100)));
  const look = () => {
    between.push(order.length);
    if (order.length < 5) globalThis.setImmediate(look);
  };
  globalThis.setImmediate(look);
  await all;
  expect(between.filter((loaded, i) => i > 0 && loaded > between[i - 1]! + 1)).toEqual([]);
  order.length = 0;
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((userId) => load(userId, 0.5)));
  expect(order).toHaveLength(8);
});

/** Sockets of users, each of whose messages takes 70 ms; notes whose were handled. */
function sockets() {
  const pass = stopClock();
  const handled: string[] = [];
  const documents = { turns: new Turns() } as Documents;
  const open = (userId: string) => {
    const socket = Object.assign(new EventEmitter(), {
      send() {},
      pause: vi.fn<() => void>(),
      resume: vi.fn<() => void>(),
      close() {},
      terminate() {},
    });
    const isVerified = () => {
      handled.push(userId);
      pass(70);
      return true;
    };
    const nodes = { isVerified, verified: () => Promise.resolve() };
    const host = { peerId: 'p', storageId: 's', nodes, documents } as unknown as ConnectionHost;
    const session = { sessionId: userId, userId, lastsUntil: new Date(Infinity) };
    const user = { bucket: new TokenBucket(1_000), snapshot: new Promise<never>(() => {}) };
    const log = pino({ level: 'silent' });
    const connection = new Connection(host, {
      socket: socket as unknown as WebSocket,
      line: { bytesRead: 0 },
      session,
      ...user,
      log,
    });
    onTestFinished(() => connection.close(1000, ''));
    const join = encode({ type: 'join', senderId: userId });
    return Object.assign(socket, { say: () => socket.emit('message', join, true) });
  };
  return { handled, open };
}

test('a user with twenty busy sockets delays another one by one message', async () => {
  const { handled, open } = sockets();
  const busy = Array.from({ length: 20 }, () => open('busy'));
  const other = open('other');
  for (const { say } of busy) say();
  other.say();
  expect(handled).toEqual(['busy', 'other']);
  // What they send meanwhile stays where it is.
  expect(busy.filter(({ pause }) => pause.mock.calls.length > 0)).toHaveLength(19);
  const late = open('late');
  await setImmediate();
  const before = handled.length;
  late.say();
  expect(handled.slice(before)).toEqual(['late']);
  while (handled.length < 22) await setImmediate();
  expect(handled.filter((each) => each === 'busy')).toHaveLength(20);
  for (const { pause, resume } of busy.slice(1))
    expect([pause.mock.calls.length, resume.mock.calls.length]).toEqual([1, 1]);
});

test('quick messages of one user are handled as they come, and all in their order', async () => {
  const pass = stopClock();
  const turns = new Turns();
  const done: number[] = [];
  const say = (n: number, ms: number) =>
    turns.runSoon('one', () => {
      done.push(n);
      pass(ms);
    });
  expect([1, 2, 3, 4].map((n) => say(n, 0.9))).toEqual([true, true, true, false]);
  expect(say(5, 0.1)).toBe(false);
  await setImmediate();
  expect(say(6, 0.1)).toBe(true);
  expect(done).toEqual([1, 2, 3, 4, 5, 6]);
});

test('items of several users take turns', () => {
  const items = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'];
  expect(byTurns(items, (item) => item[0]!)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('a failure belongs to the one who waits for it', async () => {
  const { turns, load } = loads();
  const failing = turns.run('a', () => {
    throw new Error('damaged');
  });
  const others = [load('a', 1), load('b', 1)];
  await expect(failing).rejects.toThrow('damaged');
  expect(await Promise.all(others)).toEqual(['a', 'b']);
});
