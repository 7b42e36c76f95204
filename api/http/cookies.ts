import { randomBytes } from 'node:crypto';
import type { Context } from 'koa';

/** No browser keeps a cookie for longer. */
const LONGEST_COOKIE_SECONDS = 400 * 24 * 60 * 60;

/** A cookie of the request; undefined without one. */
export const readCookie = (ctx: Context, name: string): string | undefined => ctx.cookies.get(name);

/**
 * Sets a cookie as all of ours are: for this host only, out of reach of scripts, and, being for `Secure` origins,
 * accepted from localhost too. Koa's own setter refuses `Secure` on plain http, which is what the front speaks to us.
 * @param maxAgeSeconds 0 removes it
 */
export function setCookie(ctx: Context, name: string, value: string, maxAgeSeconds: number): void {
  ctx.append(
    'Set-Cookie',
    `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; Secure; SameSite=Lax`,
  );
}

/** The secret by which a cookie tells a browser from every other; undefined when it has none that we made. */
export function browserSecret(ctx: Context, name: string): string | undefined {
  const secret = readCookie(ctx, name);
  return secret && /^[\w-]{43}$/.test(secret) ? secret : undefined;
}

/** As `browserSecret`, and gives the browser one when it has none. It is kept for as long as can be from now on. */
export function keepBrowserSecret(ctx: Context, name: string): string {
  const secret = browserSecret(ctx, name) ?? randomBytes(32).toString('base64url');
  setCookie(ctx, name, secret, LONGEST_COOKIE_SECONDS);
  return secret;
}

/**
 * Has the browser remove this origin's answers from its HTTP cache, such as pictures. Not `storage`: that would remove
 * another account's unsent changes and the service worker, and the client removes this account's data itself.
 */
export const clearHttpCache = (ctx: Context): void => ctx.set('clear-site-data', '"cache"');

/** Removes a cookie that `setCookie` set. */
export const clearCookie = (ctx: Context, name: string): void => setCookie(ctx, name, '', 0);
