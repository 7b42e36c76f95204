import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import {
  isHostOf,
  isLoopbackOrigin,
  isOwnOrigin,
  wrongHost,
} from '#shared/server/public-origin.ts';
import { health } from '#shared/health/contract.ts';
import type { Context } from 'koa';
import { HttpError } from './http-error.ts';

const rangeOf = (address: string): string =>
  ipaddr.isValid(address) ? ipaddr.process(address).range() : '';
const isLoopback = (address: string): boolean => rangeOf(address) === 'loopback';
const isPrivate = (address: string): boolean =>
  ['loopback', 'private', 'uniqueLocal'].includes(rangeOf(address));

/**
 * The caller's address. What `X-Forwarded-For` says counts only from the front on this machine: its last public
 * entry, since whatever stands before that one may be made up; on a private network, its first.
 */
export function addressOf(ctx: Context): string {
  const peer = ctx.req.socket.remoteAddress ?? '';
  const told = isLoopback(peer) ? ctx.get('x-forwarded-for') : '';
  if (!told) return peer;
  const chain = told
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => isIP(entry) !== 0);
  return chain.findLast((entry) => !isPrivate(entry)) ?? chain[0] ?? peer;
}

/**
 * The networks of an address, narrowest first: an IPv4 address is one of its own; an IPv6 one is in a /64, which a
 * household has, and in the /56 and the /48 from which a customer may get many of those.
 */
export type Network = readonly [string, ...string[]];

const IPV6_PREFIXES = [64, 56, 48] as const;

/** The networks by which limits count an address; an IPv4 address in IPv6 notation is an IPv4 address. */
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
 * The origin at which the browser sees us: PUBLIC_ORIGIN, or the loopback name that it came by (localhost and
 * 127.0.0.1 are two origins to a browser).
 */
export function originOf(ctx: Context, publicOrigin: string): string {
  const host = ctx.get('host');
  if (!isLoopbackOrigin(publicOrigin) || !isHostOf(publicOrigin, host)) return publicOrigin;
  return `${new URL(publicOrigin).protocol}//${host}`;
}

/**
 * Refuses a request that is for another host; the health check is answered at any address.
 * @throws HttpError 421
 */
export function refuseOtherHosts(ctx: Context, publicOrigin: string): void {
  if (isHostOf(publicOrigin, ctx.req.headers.host) || ctx.path === `/api${health.path}`) return;
  throw new HttpError(421, wrongHost(publicOrigin).error);
}

/** @throws HttpError 403 when another site's page makes this request */
export function refuseCrossSite(ctx: Context, publicOrigin: string): void {
  const origin = ctx.get('origin');
  const site = ctx.get('sec-fetch-site');
  const navigated = site === 'none' && (ctx.method === 'GET' || ctx.method === 'HEAD');
  const sameSite = site === '' || site === 'same-origin' || navigated;
  const sameOrigin = origin === '' || isOwnOrigin(publicOrigin, origin, ctx.get('host'));
  if (!sameSite || !sameOrigin)
    throw new HttpError(403, 'This request came from another site', { code: 'cross_site' });
}
