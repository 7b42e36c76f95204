import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Failure } from '#shared/endpoint.ts';

/** Headers that concern one connection only. */
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
/** What a browser may send before it was let in; honest ones send nothing. */
const EARLY_CHUNKS = 16;

export interface ProxySettings {
  /** Where the part listens on this machine. */
  port: number;
  host: string;
  /** Whether what is in front of us (a TLS terminator) is to be believed about addresses. */
  trustProxy: boolean;
}

/** Passes requests on, streaming both ways; answers 503 when the part is down. */
export function httpProxy(
  settings: ProxySettings,
): (request: IncomingMessage, response: ServerResponse) => void {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 64, scheduling: 'lifo' });
  return (request, response) => {
    const framing = framingOf(request);
    const upstream = httpRequest({
      host: settings.host,
      port: settings.port,
      agent,
      method: request.method,
      path: request.url,
      headers: {
        ...withoutHops(request.headers),
        ...forwarded(request, settings),
        ...framing,
      },
    });
    upstream.setTimeout(FIRST_BYTE_MS, () => upstream.destroy(new Error('no answer in time')));
    upstream.once('response', (answer) => {
      upstream.setTimeout(0);
      response.writeHead(
        answer.statusCode ?? 502,
        answer.statusMessage,
        withoutHops(answer.headers),
      );
      response.flushHeaders();
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    upstream.once('error', () => {
      if (response.headersSent) response.destroy();
      else refuse(response);
      // What is left of the request goes nowhere, but the connection may be used again.
      request.resume();
    });
    // A person who has gone away is not worth an answer.
    response.once('close', () => {
      if (!response.writableFinished) upstream.destroy();
    });
    if (framing) request.pipe(upstream);
    else upstream.end();
  };
}

/** Passes a WebSocket upgrade on and joins the two connections; answers 503 when the part is down. */
export function upgradeProxy(
  settings: ProxySettings,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (request, socket, head) => {
    // Reading is how we learn that the browser has gone; what it may already say waits for the upgrade.
    const early = [head];
    const keep = (chunk: Buffer) => {
      if (early.push(chunk) > EARLY_CHUNKS) leave();
    };
    const leave = () => socket.destroy();
    socket.on('error', leave).on('end', leave).on('data', keep);
    // An upgrade has no body, whatever it says: none is sent on.
    const { 'content-length': _, ...headers } = withoutHops(request.headers);
    const upstream = httpRequest({
      host: settings.host,
      port: settings.port,
      agent: false,
      method: request.method,
      path: request.url,
      headers: {
        ...headers,
        ...forwarded(request, settings),
        connection: 'upgrade',
        upgrade: request.headers.upgrade,
      },
    });
    upstream.setTimeout(UPGRADE_MS, () => upstream.destroy(new Error('no answer in time')));
    upstream.once('upgrade', (answer, far, farHead) => {
      far.setTimeout(0);
      far.setNoDelay(true);
      socket.write(headOf(answer));
      socket.write(farHead);
      socket.off('end', leave).off('data', keep);
      far.write(Buffer.concat(early));
      join(socket, far);
    });
    upstream.once('response', (answer) => {
      socket.write(headOf(answer, { ...withoutHops(answer.headers), connection: 'close' }));
      answer.pipe(socket);
    });
    upstream.once('error', () => socket.end(unavailableHead()));
    socket.once('close', () => upstream.destroy());
    upstream.end();
  };
}

function join(near: Duplex, far: Duplex): void {
  far.on('error', () => near.destroy());
  far.once('close', () => near.destroy());
  near.once('close', () => far.destroy());
  near.pipe(far);
  far.pipe(near);
}

function withoutHops(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name, value]) => value !== undefined && !HOP_BY_HOP.includes(name) && !named.includes(name),
    ),
  );
}

/**
 * How a request tells where its body ends; null when it has none. Without it Node writes the body of a GET, HEAD,
 * DELETE or OPTIONS as it is onto a connection that others use too, where it counts as another request: anybody's, with
 * the answer that the next one waits for.
 */
function framingOf({ headers }: IncomingMessage): OutgoingHttpHeaders | null {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  const length = headers['content-length'];
  return length === undefined ? null : { 'content-length': length };
}

function forwarded(request: IncomingMessage, { trustProxy }: ProxySettings): OutgoingHttpHeaders {
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
const unavailableHeaders = {
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(unavailable),
  'cache-control': 'no-store',
  'retry-after': '1',
};

function refuse(response: ServerResponse): void {
  response.writeHead(503, unavailableHeaders).end(unavailable);
}

function unavailableHead(): string {
  return `${head('503 Service Unavailable', { ...unavailableHeaders, connection: 'close' })}${unavailable}`;
}

function headOf(answer: IncomingMessage, headers: OutgoingHttpHeaders = answer.headers): string {
  return head(`${answer.statusCode} ${answer.statusMessage}`, headers);
}

function head(status: string, headers: OutgoingHttpHeaders): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}: ${one}\r\n`),
  );
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`;
}
