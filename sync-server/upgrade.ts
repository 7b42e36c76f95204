import { isOwnOrigin } from '#shared/public-origin.ts';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Failure } from '#shared/endpoint.ts';

const REASONS: Record<number, string> = {
  403: 'Forbidden',
  401: 'Unauthorized',
  404: 'Not Found',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** Whether an upgrade comes from one of our own pages, or from no browser at all. */
export function isSameOrigin({ headers }: IncomingMessage, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = headers;
  return origin === undefined || isOwnOrigin(publicOrigin, origin, headers.host);
}

/** Answers an upgrade with a refusal. */
export function refuseUpgrade(socket: Duplex, status: number, failure: Failure): void {
  const body = JSON.stringify(failure);
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Refused'}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${status === 429 ? 'Retry-After: 30\r\n' : ''}Connection: close\r\n\r\n${body}`,
  );
}
