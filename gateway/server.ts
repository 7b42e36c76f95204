import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Elsewhere } from './headers.ts';
import { proxyTo } from './proxy.ts';
import { staticFiles } from './static.ts';
import { wrongHostOf, type HostSettings } from './wrong-host.ts';

/**
 * Node leaves out what comes after a thousand headers, here and in the parts: where a body ends, what is upgraded to,
 * for whom we ask. Browsers send some thirty.
 */
const MOST_HEADERS = 200;

/** RFC 9116: the api makes it. */
const SECURITY_TXT = '/.well-known/security.txt';

export interface GatewaySettings extends Elsewhere, HostSettings {
  port: number;
  /** Addresses to listen at; one that this machine does not have is passed over, unless it is the only one. */
  hosts: string[];
  /** The built client. */
  clientDir: string;
  apiPort: number;
  syncPort: number;
  trustProxy: boolean;
  /** How long an idle connection to a part is kept. */
  idleMs?: number;
}

/** The one origin: the client's files, /api to the api, /sync to the sync server. */
export async function startGateway(settings: GatewaySettings): Promise<{ close(): Promise<void> }> {
  const { trustProxy } = settings;
  const files = staticFiles(settings.clientDir, settings);
  const part = (port: number) => proxyTo({ ...settings, host: '127.0.0.1', port, trustProxy });
  const api = part(settings.apiPort);
  const sync = part(settings.syncPort);

  const upgraded = new Set<Duplex>();

  const servers = await Promise.all(
    settings.hosts.map((host) => {
      const server = createServer({ headersTimeout: 15_000, requestTimeout: 120_000 });
      server.on('request', (request, response) => {
        const wrongHost = wrongHostOf(request, settings);
        if (hasTooManyHeaders(request)) response.writeHead(431, { connection: 'close' }).end();
        else if (wrongHost)
          response
            .writeHead(421, { 'content-type': 'application/json', connection: 'close' })
            .end(JSON.stringify(wrongHost));
        else if (request.url === SECURITY_TXT) {
          request.url = '/api/security.txt';
          api.request(request, response);
        } else if (/^\/api(?=[/?]|$)/.test(request.url ?? '')) api.request(request, response);
        else files(request, response);
      });
      server.on('upgrade', (request, socket, head) => {
        upgraded.add(socket);
        // Node lets go of a socket that asks for an upgrade: nobody else hears of its errors.
        socket.on('error', () => socket.destroy());
        socket.once('close', () => upgraded.delete(socket));
        if (hasTooManyHeaders(request)) socket.end(refusal('431 Request Header Fields Too Large'));
        else if (wrongHostOf(request, settings)) socket.end(refusal('421 Misdirected Request'));
        else if (/^\/sync(?=\?|$)/.test(request.url ?? ''))
          sync.upgrade(request, socket as Socket, head);
        else socket.end(refusal('404 Not Found'));
      });
      return listen(server, settings.port, host);
    }),
  );
  const listening = servers.filter((server) => server !== null);
  if (listening.length === 0) throw new Error(`cannot listen at ${settings.hosts.join(' or ')}`);
  return {
    close: async () => {
      for (const socket of upgraded) socket.destroy();
      await Promise.all(listening.map((server) => close(server)));
    },
  };
}

const hasTooManyHeaders = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.length > 2 * MOST_HEADERS;

const refusal = (status: string): string => `HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`;

/** @returns null when this machine has no such address */
function listen(server: Server, port: number, host: string): Promise<Server | null> {
  return new Promise((done, failed) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') done(null);
      else failed(error);
    });
    server.listen(port, host, () => done(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done());
    server.closeIdleConnections();
    // Event streams never end by themselves.
    setTimeout(() => server.closeAllConnections(), 1_000).unref();
  });
}
