import type { OutgoingHttpHeaders } from 'node:http';
import type { Failure } from '#shared/endpoint.ts';

/** The answer while nobody can take a request. */
export const unavailable = JSON.stringify({
  error: 'The service isn’t available right now. Try again in a moment.',
  code: 'unavailable',
} satisfies Failure);
export const unavailableHeaders: OutgoingHttpHeaders = {
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(unavailable),
  'cache-control': 'no-store',
  'retry-after': '1',
};
/** The same for an upgrade. */
export const unavailableUpgrade = [
  'HTTP/1.1 503 Service Unavailable',
  ...Object.entries(unavailableHeaders).map(([name, value]) => `${name}: ${String(value)}`),
  'connection: close',
  '',
  unavailable,
].join('\r\n');
