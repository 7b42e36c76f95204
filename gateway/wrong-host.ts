import type { IncomingMessage } from 'node:http';
import type { Failure } from '#shared/endpoint.ts';
import { isHostOf, wrongHost } from '#shared/server/public-origin.ts';

export interface HostSettings {
  publicOrigin: string;
  /**
   * Whether sandbox providers run because PUBLIC_ORIGIN is a loopback origin. Requests through a proxy are refused then:
   * PUBLIC_ORIGIN isn't configured for it, and many proxies send `Host: localhost`.
   */
  isLocalOnly: boolean;
}

/** A proxy adds at least one of these by default. */
const ADDED_BY_PROXIES = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Returns the body of a 421 if a request is for another host, else null. `X-Forwarded-Host` isn't trusted, but must match, too. */
export function wrongHostOf(
  { url, headers }: IncomingMessage,
  { publicOrigin, isLocalOnly }: HostSettings,
): Failure | null {
  const forwarded = headers['x-forwarded-host']?.toString();
  const isOwn =
    isHostOf(publicOrigin, headers.host) &&
    (forwarded === undefined || isHostOf(publicOrigin, forwarded)) &&
    !(isLocalOnly && ADDED_BY_PROXIES.some((name) => headers[name] !== undefined));
  // Health checks may use any address.
  return isOwn || /^\/api\/health(?=\?|$)/.test(url ?? '') ? null : wrongHost(publicOrigin);
}
