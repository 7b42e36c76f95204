import type { IncomingMessage } from 'node:http';
import type { Failure } from '#shared/endpoint.ts';
import { isHostOf, wrongHost } from '#shared/server/public-origin.ts';

export interface HostSettings {
  publicOrigin: string;
  /**
   * Sandbox providers run because PUBLIC_ORIGIN is a loopback origin. Then a request that came through a proxy is refused:
   * who put the proxy there has not configured PUBLIC_ORIGIN, and many proxies send `Host: localhost`.
   */
  isLocalOnly: boolean;
}

/** A proxy in front of us adds at least one of these, unless it is configured not to. */
const ADDED_BY_PROXIES = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
];

/** Why a request is not for us (421); null when it is. `X-Forwarded-Host` is never believed, but must not disagree. */
export function wrongHostOf(
  { url, headers }: IncomingMessage,
  { publicOrigin, isLocalOnly }: HostSettings,
): Failure | null {
  const forwarded = headers['x-forwarded-host']?.toString();
  const isOurs =
    isHostOf(publicOrigin, headers.host) &&
    (forwarded === undefined || isHostOf(publicOrigin, forwarded)) &&
    !(isLocalOnly && ADDED_BY_PROXIES.some((name) => headers[name] !== undefined));
  // Health checks ask at whichever address they know.
  return isOurs || /^\/api\/health(?=\?|$)/.test(url ?? '') ? null : wrongHost(publicOrigin);
}
