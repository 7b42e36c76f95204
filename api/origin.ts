import { isIP } from 'node:net';
import type { Context } from 'koa';
import { Refusal } from './refusal.ts';

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && /^(::1|(::ffff:)?127\.)/.test(address);
const isPrivate = (address: string): boolean =>
  isLoopback(address) ||
  /^(::ffff:)?(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address) ||
  /^f[cd]/i.test(address);

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

/** What limits by address count: an IPv4 address, or the /64 of an IPv6 one, which one household has for itself. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = plain.split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(Math.max(0, gap)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/**
 * The origin at which the browser sees us: PUBLIC_ORIGIN, or the loopback name that it came by (localhost and
 * 127.0.0.1 are two origins to a browser).
 */
export function originOf(ctx: Context, publicOrigin: string): string {
  const host = ctx.get('host');
  if (host === new URL(publicOrigin).host) return publicOrigin;
  const url = URL.parse(`http://${host}`);
  return url && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
    ? `http://${host}`
    : publicOrigin;
}

/** @throws Refusal 403 when another site's page makes this request */
export function refuseCrossSite(ctx: Context, publicOrigin: string): void {
  const origin = ctx.get('origin');
  const site = ctx.get('sec-fetch-site');
  const navigated = site === 'none' && (ctx.method === 'GET' || ctx.method === 'HEAD');
  const sameSite = site === '' || site === 'same-origin' || navigated;
  const sameOrigin =
    origin === '' || origin === publicOrigin || URL.parse(origin)?.host === ctx.get('host');
  if (!sameSite || !sameOrigin)
    throw new Refusal(403, 'This request came from another site', { code: 'cross_site' });
}
