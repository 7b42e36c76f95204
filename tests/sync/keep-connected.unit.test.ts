import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepConnected } from '#shared/keep-connected.ts';

class Client extends EventEmitter {
  readonly done: string[] = [];
  isServerThere = true;

  async close(): Promise<void> {
    this.done.push('close');
  }

  async connect(): Promise<void> {
    this.done.push('connect');
    if (!this.isServerThere) throw new Error('no server');
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

test('a client that looks for its server is let be, whether it finds it or not', async () => {
  for (let i = 0; i < 30; i++) {
    client.emit(i % 2 ? 'serverHeartbeatStarted' : 'serverHeartbeatFailed');
    await vi.advanceTimersByTimeAsync(4000);
  }
  expect(client.done).toEqual([]);
});

test('a client that stopped looking is connected anew, and then let be again', async () => {
  client.emit('serverHeartbeatStarted');
  await vi.advanceTimersByTimeAsync(9_000);
  expect(client.done).toEqual([]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(client.done).toEqual(['silence', 'close', 'connect']);
  client.emit('serverHeartbeatSucceeded');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(client.done).toHaveLength(3);
});

test('while there is no server it tries again, and not once more after its end', async () => {
  client.isServerThere = false;
  await vi.advanceTimersByTimeAsync(15_000);
  const tries = client.done.filter((one) => one === 'connect').length;
  expect(tries).toBeGreaterThan(1);
  end();
  client.done.length = 0;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(client.done).toEqual([]);
});
