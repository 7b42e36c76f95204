import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Emulated {
  status?: number;
  headers?: Record<string, string>;
  /** A JSON value, or a text that is sent as is. */
  body?: unknown;
}

export interface Emulator {
  url: string;
  /** The received requests in order, with path and query. */
  asked: { url: URL; headers: IncomingMessage['headers'] }[];
  close(): void;
}

/** Starts a fake provider on a loopback port. @param answer returns the response for a URL; null never responds */
export async function emulate(answer: (url: URL) => Emulated | null): Promise<Emulator> {
  const asked: Emulator['asked'] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://emulator');
    asked.push({ url, headers: request.headers });
    const given = answer(url);
    if (!given) return;
    const { status = 200, headers = {}, body = null } = given;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
