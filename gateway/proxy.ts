import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Failure } from '#shared/endpoint.ts';
import { clientAddress } from '#shared/server/client-address.ts';
import { PROXY_IDLE_MS } from '#shared/server/connections.ts';
import { cookieName } from '#shared/server/cookie-names.ts';
import { SESSION_COOKIE } from '#shared/session/cookies.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { traceIdOf, traceparent } from '#shared/trace-context.ts';
import { NodePool } from './node-pool.ts';

/** Headers of a single connection. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const FIRST_BYTE_MS = MINUTE_MS;
const UPGRADE_MS = 15_000;

export interface ProxySettings {
  /** The ports of the nodes on this machine. */
  ports: number[];
  /** Where the nodes answer health checks. */
  healthPath: string;
  /** How many proxies before the gateway, such as a TLS terminator, are trusted with `X-Forwarded-*` headers. */
  trustedHops: number;
  /** Decides the name of the session cookie. */
  publicOrigin: string;
  /** How long an idle connection to a node stays open. */
  idleMs?: number;
}

/** Forwards requests and WebSocket upgrades to the nodes of a role, streaming both ways; answers 503 while all are down. */
export function proxyTo(settings: ProxySettings) {
  const { ports, healthPath, idleMs = PROXY_IDLE_MS } = settings;
  const nodes = new NodePool({ ports, healthPath, idleMs });

  return {
    async request(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const key = () => keyOf(request, settings);
      const own = { ...forwarded(request, settings), ...framingOf(request), ...traced(request) };
      const headers = withoutHops(request, own);
      const node = await nodes.connect(key).catch(() => null);
      if (response.destroyed) return;
      if (!node) return refuse(request, response);
      const { port, agent } = node;
      const { method, url: path } = request;
      forward(request, response, { host: '127.0.0.1', port, agent, method, path, headers });
    },
    async upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
      const node = await nodes.connect(() => keyOf(request, settings), true).catch(() => null);
      if (!node) {
        socket.end(unavailableHead);
        return;
      }
      if (socket.destroyed) {
        node.agent.destroy();
        return;
      }
      const { upgrade } = request.headers;
      // An upgrade has no body, even if its headers claim one.
      const own = {
        ...forwarded(request, settings),
        ...traced(request),
        'content-length': undefined,
        connection: 'upgrade',
        upgrade,
      };
      const { port, agent } = node;
      const { method, url: path } = request;
      const headers = withoutHops(request, own);
      join(socket, head, { host: '127.0.0.1', port, agent, method, path, headers });
    },
    close: () => nodes.close(),
  };
}

/** Sends a request on, and answers as the node does; streams both ways. */
function forward(request: IncomingMessage, response: ServerResponse, to: RequestOptions): void {
  const upstream = httpRequest(to);
  const timer = setTimeout(() => upstream.destroy(), FIRST_BYTE_MS);
  upstream.once('response', (answer) => {
    // Event streams may pause for any time.
    clearTimeout(timer);
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, withoutHops(answer));
    answer.once('error', () => response.destroy());
    answer.pipe(response);
  });
  upstream.once('error', () => {
    if (!response.destroyed) refuse(request, response);
  });
  // The browser has disconnected, or the answer is complete.
  response.once('close', () => {
    clearTimeout(timer);
    if (!response.writableFinished) upstream.destroy();
  });
  if (hasBody(request)) request.pipe(upstream);
  else upstream.end();
}

/** Asks a node to upgrade, and then connects its socket with the browser's; otherwise answers as the node does. */
function join(near: Socket, head: Buffer, to: RequestOptions): void {
  const upstream = httpRequest(to);
  const timer = setTimeout(() => upstream.destroy(), UPGRADE_MS);
  // The browser may disconnect before the answer; only reading from its socket shows that.
  const leave = () => near.destroy();
  near.once('end', leave).once('close', () => upstream.destroy());
  near.read(0);
  upstream.once('error', () => {
    clearTimeout(timer);
    near.end(unavailableHead);
  });
  upstream.once('response', (answer) => {
    clearTimeout(timer);
    near.off('end', leave);
    answer.once('error', leave);
    near.write(headOf(answer, { connection: 'close' }));
    answer.pipe(near);
  });
  upstream.once('upgrade', (answer, far, farHead) => {
    clearTimeout(timer);
    near.off('end', leave).once('close', () => far.destroy());
    far.once('close', leave).on('error', leave);
    for (const socket of [near, far]) socket.setTimeout(0).setNoDelay().setKeepAlive(true);
    if (head.length > 0) near.unshift(head);
    if (farHead.length > 0) far.unshift(farHead);
    const { upgrade } = answer.headers;
    near.write(headOf(answer, { connection: 'upgrade', upgrade }));
    far.pipe(near).pipe(far);
  });
  upstream.end();
}

/** Returns the first lines of an answer. */
function headOf(answer: IncomingMessage, own: IncomingHttpHeaders): string {
  const headers = withoutHops(answer, own);
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`];
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Answers 503, or breaks off a response that has begun. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(503, unavailableHeaders).end(unavailable);
  // Read the rest of the request, so that the connection can be used again.
  request.resume();
}

/** Returns what requests of one browser have in common: its session, or the address of a visitor. */
function keyOf(request: IncomingMessage, settings: ProxySettings): string {
  const name = cookieName(settings.publicOrigin, SESSION_COOKIE);
  const session = new RegExp(`(?:^|;\\s*)${name}=([^;]+)`).exec(request.headers.cookie ?? '')?.[1];
  return session ?? forwarded(request, settings)['x-forwarded-for']?.toString() ?? '';
}

/** Returns the headers to send on, names and values in turn. @param own replace those of the message */
function withoutHops(
  { headers, rawHeaders }: IncomingMessage,
  own: IncomingHttpHeaders = {},
): string[] {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase();
    if (!HOP_BY_HOP.has(name) && !named.includes(name) && !(name in own))
      kept.push(name, rawHeaders[at + 1]!);
  }
  for (const [name, value] of Object.entries(own))
    if (value !== undefined) kept.push(name, String(value));
  return kept;
}

/** Returns the header that delimits the body, which `Connection` may have named as hop-by-hop; none without a body. */
function framingOf({ headers }: IncomingMessage): IncomingHttpHeaders {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  const length = headers['content-length'];
  return length === undefined ? {} : { 'content-length': length };
}

/** Browsers can't set the header of a socket, and other clients send none. */
const traced = ({ headers }: IncomingMessage): IncomingHttpHeaders =>
  traceIdOf(headers['traceparent']) ? {} : { traceparent: traceparent() };

/** One address, whatever the request claims. */
function forwarded(request: IncomingMessage, { trustedHops }: ProxySettings): IncomingHttpHeaders {
  const peer = request.socket.remoteAddress ?? '';
  const forwardedFor = request.headers['x-forwarded-for']?.toString();
  const proto = trustedHops > 0 ? request.headers['x-forwarded-proto'] : undefined;
  return {
    'x-forwarded-for': clientAddress({ peer, forwardedFor, trustedHops }),
    'x-forwarded-proto': proto ?? 'http',
  };
}

const unavailable = JSON.stringify({
  error: 'The service isn’t available right now. Try again in a moment.',
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
