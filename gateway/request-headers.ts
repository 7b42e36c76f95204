import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { clientAddress } from '#shared/server/client-address.ts';
import { traceIdOf, traceparent } from '#shared/trace-context.ts';

/** Headers of a single connection, which httpxy would forward. */
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

export interface CallerSettings {
  /** How many proxies before the gateway, such as a TLS terminator, are trusted with `X-Forwarded-*` headers. */
  trustedHops: number;
}

/** Returns the headers with which a request goes on to the API. */
export const apiHeaders = (
  request: IncomingMessage,
  settings: CallerSettings,
): IncomingHttpHeaders => ({
  ...withoutHops(request.headers),
  ...forwarded(request, settings),
  ...framingOf(request),
  ...traced(request),
});

/** Returns the headers with which an upgrade goes on to the sync server. It has no body, even if its headers claim one. */
export function syncHeaders(
  request: IncomingMessage,
  settings: CallerSettings,
): IncomingHttpHeaders {
  const { 'content-length': _, ...headers } = withoutHops(request.headers);
  return {
    ...headers,
    ...forwarded(request, settings),
    ...traced(request),
    connection: 'upgrade',
    upgrade: request.headers.upgrade,
  };
}

/** Leaves out the headers of a single connection. */
export function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name) && !named.includes(name)),
  );
}

/** One address, whatever the request claims. */
function forwarded(
  { socket, headers }: IncomingMessage,
  { trustedHops }: CallerSettings,
): IncomingHttpHeaders {
  const peer = socket.remoteAddress ?? '';
  const forwardedFor = headers['x-forwarded-for']?.toString();
  const proto = trustedHops > 0 ? headers['x-forwarded-proto'] : undefined;
  return {
    'x-forwarded-for': clientAddress({ peer, forwardedFor, trustedHops }),
    'x-forwarded-proto': proto ?? 'http',
  };
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
