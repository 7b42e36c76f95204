import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createNatsBus } from '#shared/bus/nats-bus.ts';

const INFO = { server_id: 'A', proto: 1, version: '2.12.0', headers: true, max_payload: 1_048_576 };

/** What of the protocol of NATS a connection needs. */
async function startServer() {
  const state = { isRefusing: false, attempts: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    state.attempts++;
    socket.write(`INFO ${JSON.stringify(INFO)}\r\n`);
    socket.on('data', (data) => {
      if (state.isRefusing) socket.end("-ERR 'Authorization Violation'\r\n");
      else for (const _ of data.toString().matchAll(/^PING\r\n/gm)) socket.write('PONG\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = () => sockets.forEach((socket) => socket.destroy());
  const { port } = server.address() as AddressInfo;
  return { state, port, breakAll, close: () => (server.close(), breakAll()) };
}

test('the bus says once that it is disconnected and once that it is back, however often the server refuses it', async () => {
  const server = await startServer();
  const lines: string[] = [];
  const bus = await createNatsBus(`nats://someone:outdated@127.0.0.1:${server.port}`, (line) =>
    lines.push(line),
  );
  try {
    await expect.poll(() => bus.isConnected()).toBe(true);
    const before = server.state.attempts;
    server.state.isRefusing = true;
    server.breakAll();
    await expect.poll(() => server.state.attempts - before).toBeGreaterThan(4);
    expect(bus.isConnected()).toBe(false);
    expect(lines).toEqual(['NATS disconnected']);
    server.state.isRefusing = false;
    await expect.poll(() => bus.isConnected()).toBe(true);
    expect(lines).toEqual(['NATS disconnected', 'NATS reconnected']);
  } finally {
    await bus.close();
    server.close();
  }
});
