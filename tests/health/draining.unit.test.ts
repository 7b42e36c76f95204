import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { closeAfterAnswers } from '#shared/server/connections.ts';

test('a server that drains goes on answering, and keeps no connection for another request', async () => {
  const server = createServer((_request, response) => response.end('ok'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}`);
    return { text: await answer.text(), connection: answer.headers.get('connection') };
  };
  try {
    expect(await ask()).toEqual({ text: 'ok', connection: 'keep-alive' });
    closeAfterAnswers(server);
    expect(await ask()).toEqual({ text: 'ok', connection: 'close' });
    const open = () =>
      new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
    await expect.poll(open).toBe(0);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
