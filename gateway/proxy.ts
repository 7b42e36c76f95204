import {
  Agent,
  ServerResponse,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import type { Socket } from 'node:net';
import { createProxyServer } from 'httpxy';
import type { Failure } from '#shared/endpoint.ts';
import { PROXY_IDLE_MS } from '#shared/server/keep-alive.ts';

/** Headers that concern one connection only; httpxy passes them on. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const FIRST_BYTE_MS = 60_000;
const UPGRADE_MS = 15_000;

export interface ProxySettings {
  /** Where the part listens on this machine. */
  port: number;
  host: string;
  /** Whether what is in front of us (a TLS terminator) is to be believed about addresses. */
  trustProxy: boolean;
  /** How long an idle connection to the part is kept. */
  idleMs?: number;
}

/** Passes requests and WebSocket upgrades on, streaming both ways; answers 503 while the part is down. */
export function proxyTo(settings: ProxySettings) {
  const { host, port, idleMs = PROXY_IDLE_MS } = settings;
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: idleMs });
  const target = { protocol: 'http:', host, port };
  const proxy = createProxyServer({ target });

  proxy.on('proxyRes', (answer) => {
    // An answer may pause for as long as it likes: events do.
    answer.setTimeout(0);
    answer.headers = withoutHops(answer.headers);
  });
  proxy.on('error', (_error, request, response) => {
    if (!(response instanceof ServerResponse)) response?.end(unavailableHead);
    else if (response.headersSent) response.destroy();
    else response.writeHead(503, unavailableHeaders).end(unavailable);
    // The rest of the request goes nowhere, but the connection may be used again.
    request?.resume();
  });
  proxy.on('proxyReqWs', (upstream, _request, near) => {
    // The browser may leave before it is answered: reading on (up to the high-water mark) is how we notice.
    const leave = () => near.destroy();
    near.once('end', leave).once('close', () => upstream.destroy());
    near.read(0);
    upstream.once('upgrade', (_answer, far) => {
      near.off('end', leave).once('close', () => far.destroy());
      far.once('close', leave);
    });
  });

  return {
    request(request: IncomingMessage, response: ServerResponse): void {
      request.headers = {
        ...withoutHops(request.headers),
        ...forwarded(request, settings),
        ...framingOf(request),
      };
      // It rejects when the browser goes away, which it has taken care of by then.
      proxy.web(request, response, { agent, proxyTimeout: FIRST_BYTE_MS }).catch(() => {});
    },
    upgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
      const { upgrade } = request.headers;
      // An upgrade has no body, whatever its headers say.
      const { 'content-length': _, ...headers } = withoutHops(request.headers);
      request.headers = {
        ...headers,
        ...forwarded(request, settings),
        connection: 'upgrade',
        upgrade,
      };
      proxy.ws(request, socket, { agent: false, upgradeTimeout: UPGRADE_MS }, head).catch(() => {});
    },
  };
}

function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name) && !named.includes(name)),
  );
}

/** How a request says where its body ends, which it may have called a header of one connection; nothing without a body. */
function framingOf({ headers }: IncomingMessage): IncomingHttpHeaders {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  const length = headers['content-length'];
  return length === undefined ? {} : { 'content-length': length };
}

function forwarded(request: IncomingMessage, { trustProxy }: ProxySettings): IncomingHttpHeaders {
  const address = request.socket.remoteAddress ?? '';
  const told = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const proto = trustProxy ? request.headers['x-forwarded-proto'] : undefined;
  return {
    'x-forwarded-for': told ? `${told.toString()}, ${address}` : address,
    'x-forwarded-proto': proto ?? 'http',
  };
}

const unavailable = JSON.stringify({
  error: 'The service is starting. Please try again in a moment.',
  code: 'unavailable',
} satisfies Failure);
const unavailableHeaders: OutgoingHttpHeaders = {
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(unavailable),
  'cache-control': 'no-store',
  'retry-after': '1',
};
const unavailableHead = [
  'HTTP/1.1 503 Service Unavailable',
  ...Object.entries(unavailableHeaders).map(([name, value]) => `${name}: ${String(value)}`),
  'connection: close',
  '',
  unavailable,
].join('\r\n');
