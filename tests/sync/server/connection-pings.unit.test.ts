import { EventEmitter } from 'node:events';
import { decode, encode } from 'cbor-x';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WebSocket } from 'ws';
import { SLOWEST_BYTES_PER_MS } from '#shared/sync/limits.ts';
import type { Documents } from '../../../sync-server/core/documents/documents.ts';
import { Turns } from '../../../sync-server/core/documents/turns.ts';
import { PING_MS } from '../../../sync-server/core/limits.ts';
import {
  Connection,
  type ConnectionHost,
} from '../../../sync-server/wire/connections/connection.ts';
import { TokenBucket } from '../../../sync-server/wire/connections/token-bucket.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Connects a device that joins. @returns its socket, which records pings and whether the server has terminated it */
function connect() {
  const socket = Object.assign(new EventEmitter(), {
    ping: vi.fn<() => void>(),
    terminate: vi.fn<() => void>(),
    send: vi.fn<(frame: Buffer) => void>(),
    bufferedAmount: 0,
    readyState: 1,
    OPEN: 1,
  });
  const line = { bytesRead: 0 };
  const documents = { turns: new Turns() } as Documents;
  const nodes = { isVerified: () => true, verified: async () => {} };
  const host = { peerId: 'server', storageId: 'storage', nodes, documents } as ConnectionHost;
  const session = { sessionId: 's', userId: 'u', lastsUntil: new Date(Date.now() + 3_600_000) };
  const user = { bucket: new TokenBucket(1), snapshot: new Promise<never>(() => {}) };
  const log = pino({ level: 'silent' });
  const connection = new Connection(host, {
    socket: socket as unknown as WebSocket,
    line,
    session,
    ...user,
    log,
  });
  socket.emit('message', encode({ type: 'join', senderId: 'device' }), true);
  return Object.assign(socket, { connection, line });
}

test('each connection is pinged in its own rhythm', () => {
  const first = connect();
  vi.advanceTimersByTime(PING_MS / 3);
  const second = connect();
  vi.advanceTimersByTime((PING_MS * 2) / 3);
  expect(first.ping).toHaveBeenCalledTimes(1);
  expect(second.ping).toHaveBeenCalledTimes(0);
  vi.advanceTimersByTime(PING_MS / 3);
  expect(second.ping).toHaveBeenCalledTimes(1);
});

test('a device that sends nothing after a ping is disconnected at the next one, one that answers is not', () => {
  const [silent, alive] = [connect(), connect()];
  vi.advanceTimersByTime(PING_MS);
  alive.line.bytesRead += 6;
  alive.emit('pong');
  vi.advanceTimersByTime(PING_MS);
  expect(silent.terminate).toHaveBeenCalledTimes(1);
  expect(alive.terminate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(PING_MS);
  expect(silent.ping).toHaveBeenCalledTimes(1);
  expect(alive.ping).toHaveBeenCalledTimes(2);
});

test('a device whose answer waits behind its upload stays connected', () => {
  const device = connect();
  for (let i = 0; i < 10; i++) {
    vi.advanceTimersByTime(PING_MS);
    device.line.bytesRead += 1400;
  }
  expect(device.terminate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2 * PING_MS);
  expect(device.terminate).toHaveBeenCalledTimes(1);
});

test('a device that still receives a large message is told before and stays connected, until it should have arrived', () => {
  const device = connect();
  vi.advanceTimersByTime(PING_MS);
  device.connection.sendSync('document', new Uint8Array(5 * PING_MS * SLOWEST_BYTES_PER_MS));
  expect(decode(device.send.mock.calls.at(-2)![0])).toMatchObject({
    type: 'sending',
    bytes: expect.any(Number),
  });
  vi.advanceTimersByTime(5 * PING_MS);
  expect(device.terminate).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2 * PING_MS);
  expect(device.terminate).toHaveBeenCalledTimes(1);
});
