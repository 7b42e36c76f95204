import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Context } from 'koa';
import { health } from '#shared/health/contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { clientAddress } from '#shared/server/client-address.ts';
import {
  isHostOf,
  isLoopbackOrigin,
  isOwnOrigin,
  wrongHost,
} from '#shared/server/public-origin.ts';

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

const fromOwnGateway = new WeakSet<IncomingMessage>();

/** Lets the gateway in this process name the caller of a request, as another process on this machine may. */
export const trustNamedCaller = (request: IncomingMessage): void => {
  fromOwnGateway.add(request);
};

/** Returns the caller’s address. Only the gateway or Caddy on this machine can name it, in one entry of `X-Forwarded-For`. */
export function addressOf(ctx: Context): string {
  const peer = ctx.req.socket.remoteAddress ?? '';
  const forwardedFor = ctx.get('x-forwarded-for');
  const trustedHops = fromOwnGateway.has(ctx.req) || isLoopback(peer) ? 1 : 0;
  return clientAddress({ peer, forwardedFor, trustedHops });
}

/**
 * The networks of an address, narrowest first: an IPv4 address alone; for IPv6 its /64, which a household has, and the
 * /56 and /48 from which a customer may get many of those.
 */
export type Network = readonly [string, ...string[]];

const IPV6_PREFIXES = [64, 56, 48] as const;

/** Returns the networks for rate limits; an IPv4-mapped IPv6 address counts as IPv4. */
export function networkOf(address: string): Network {
  if (!ipaddr.isValid(address)) return [address];
  const plain = ipaddr.process(address);
  if (plain.kind() === 'ipv4') return [plain.toString()];
  const [narrow, ...wider] = IPV6_PREFIXES.map((prefix) =>
    ipaddr.IPv6.networkAddressFromCIDR(`${plain.toString()}/${prefix}`)
      .toString()
      .concat(`/${prefix}`),
  );
  return [narrow ?? address, ...wider];
}

/**
 * Returns our origin in the browser: PUBLIC_ORIGIN, or the loopback name in use (localhost and 127.0.0.1 are two
 * origins to a browser).
 */
export function originOf(ctx: Context, publicOrigin: string): string {
  const host = ctx.get('host');
  if (!isLoopbackOrigin(publicOrigin) || !isHostOf(publicOrigin, host)) return publicOrigin;
  return `${new URL(publicOrigin).protocol}//${host}`;
}

/**
 * Rejects requests for other hosts, except the health check.
 * @throws HttpError 421
 */
export function refuseOtherHosts(ctx: Context, publicOrigin: string): void {
  if (isHostOf(publicOrigin, ctx.req.headers.host) || ctx.path === `/api${health.path}`) return;
  throw new HttpError(421, wrongHost(publicOrigin).error);
}

/** @throws HttpError 403 for requests from another site’s page */
export function refuseCrossSite(ctx: Context, publicOrigin: string): void {
  const origin = ctx.get('origin');
  const site = ctx.get('sec-fetch-site');
  const navigated = site === 'none' && (ctx.method === 'GET' || ctx.method === 'HEAD');
  const sameSite = site === '' || site === 'same-origin' || navigated;
  const sameOrigin = origin === '' || isOwnOrigin(publicOrigin, origin, ctx.get('host'));
  if (!sameSite || !sameOrigin)
    throw new HttpError(403, 'This request came from another site', { code: 'cross_site' });
}
