import { EventEmitter } from 'node:events';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepConnected, MONGO_HEARTBEAT_OPTIONS } from '#shared/server/mongodb-watchdog.ts';
import { freePort } from '../../../scripts/stack/ports.ts';

const FIRST = { connectionId: 'first.example:27017' };
const SECOND = { connectionId: 'second.example:27017' };

class Client extends EventEmitter {
  readonly done: string[] = [];
  isServerRunning = true;

  async close(): Promise<void> {
    this.done.push('close');
  }

  async connect(): Promise<void> {
    this.done.push('connect');
    if (!this.isServerRunning) throw new Error('no server');
  }
}

let client: Client;
let end: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  client = new Client();
  end = keepConnected(client, () => client.done.push('silence'));
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

test('leaves a client alone that sends heartbeats, successful or not', async () => {
  for (let i = 0; i < 30; i++) {
    client.emit(i % 2 ? 'serverHeartbeatStarted' : 'serverHeartbeatFailed', FIRST);
    await vi.advanceTimersByTimeAsync(4000);
  }
  expect(client.done).toEqual([]);
});

test('reconnects a client that stopped sending heartbeats, once', async () => {
  client.emit('serverHeartbeatStarted', FIRST);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(client.done).toEqual([]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(client.done).toEqual(['silence', 'close', 'connect']);
  client.emit('serverHeartbeatSucceeded', FIRST);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(client.done).toHaveLength(3);
});

test('notices one stuck monitor of a replica set while other members are monitored', async () => {
  client.emit('serverHeartbeatStarted', SECOND);
  for (let i = 0; i < 4; i++) {
    client.emit('serverHeartbeatSucceeded', FIRST);
    await vi.advanceTimersByTimeAsync(2_500);
  }
  expect(client.done).toEqual([]);
  client.emit('serverHeartbeatSucceeded', FIRST);
  await vi.advanceTimersByTimeAsync(2_500);
  expect(client.done).toEqual(['silence', 'close', 'connect']);
});

test('does not wait for a member that was removed from the set, even after a late heartbeat', async () => {
  client.emit('serverHeartbeatStarted', SECOND);
  client.emit('serverClosed', { address: SECOND.connectionId });
  client.emit('serverHeartbeatFailed', SECOND);
  for (let i = 0; i < 12; i++) {
    client.emit('serverHeartbeatSucceeded', FIRST);
    await vi.advanceTimersByTimeAsync(2_500);
  }
  expect(client.done).toEqual([]);
  client.emit('serverOpening', { address: SECOND.connectionId });
  for (let i = 0; i < 5; i++) {
    client.emit('serverHeartbeatSucceeded', FIRST);
    await vi.advanceTimersByTimeAsync(2_500);
  }
  expect(client.done).toEqual(['silence', 'close', 'connect']);
});

test('retries while there is no server, and stops after its end', async () => {
  client.isServerRunning = false;
  await vi.advanceTimersByTimeAsync(15_000);
  const tries = client.done.filter((one) => one === 'connect').length;
  expect(tries).toBeGreaterThan(1);
  end();
  client.done.length = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(client.done).toEqual([]);
});

test('the driver uses the same address in heartbeats as in open and close events', async () => {
  vi.useRealTimers();
  const address = `127.0.0.1:${await freePort()}`;
  const driver = new MongoClient(`mongodb://${address}`, {
    ...MONGO_HEARTBEAT_OPTIONS,
    serverSelectionTimeoutMS: 200,
  });
  const named = {
    opening: new Set<string>(),
    heartbeat: new Set<string>(),
    closed: new Set<string>(),
  };
  driver.on('serverOpening', (event) => named.opening.add(event.address));
  driver.on('serverHeartbeatFailed', (event) => named.heartbeat.add(event.connectionId));
  driver.on('serverClosed', (event) => named.closed.add(event.address));
  await driver.connect().catch(() => {});
  await driver.close();
  const only = new Set([address]);
  expect(named).toEqual({ opening: only, heartbeat: only, closed: only });
});
