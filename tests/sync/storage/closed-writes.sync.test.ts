import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { MongoClient } from 'mongodb';
import { expect, inject, test } from 'vitest';
import { databaseTrouble } from '#shared/server/database-errors.ts';
import { endClosedWrites } from '#shared/server/mongodb-watchdog.ts';

/** Above what a socket and the kernel take in without a reader. */
const LARGE = 'x'.repeat(15_000_000);

test('a write that MongoDB does not read ends when its connection is closed', async () => {
  endClosedWrites();
  const {
    socketPath,
    host = '',
    port = 0,
  } = new MongoClient(inject('mongodbUri')).options.hosts[0]!;
  const sockets: Socket[] = [];
  const proxy = createServer((device) => {
    const server = socketPath ? connect(socketPath) : connect(port, host);
    sockets.push(device, server);
    for (const socket of [device, server]) socket.on('error', () => {});
    device.pipe(server).pipe(device);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port: proxyPort } = proxy.address() as AddressInfo;
  const client = new MongoClient(`mongodb://127.0.0.1:${proxyPort}/?directConnection=true`, {
    socketTimeoutMS: 10_000,
  });
  try {
    const rows = (await client.connect()).db('closed-writes').collection('rows');
    await rows.findOne();
    // A frozen server.
    for (const socket of sockets) socket.unpipe().pause();
    const written = rows.insertOne({ text: LARGE }).then(
      () => 'stored',
      (error: unknown) => databaseTrouble(error),
    );
    await expect.poll(() => sockets.some((socket) => socket.readableLength > 0)).toBe(true);
    await client.close();
    expect(await written).toBe('failover');
  } finally {
    await client.close();
    for (const socket of sockets) socket.destroy();
    proxy.close();
  }
});
