import type Koa from 'koa';
import type { Context } from 'koa';
import { cookieName, hasPlainCookies } from '#shared/server/cookie-names.ts';
import { SESSION_COOKIE, SIGNED_IN_COOKIE } from '#shared/session/cookies.ts';
import { randomToken } from '../random-token.ts';

/** The longest lifetime that browsers allow. */
const LONGEST_COOKIE_SECONDS = 400 * 24 * 60 * 60;

/** Tells all requests of an app the origin on which the names and attributes of its cookies depend. */
export const setCookieOrigin = (app: Koa, publicOrigin: string): void => {
  app.context['publicOrigin'] = publicOrigin;
};

const publicOriginOf = (ctx: Context) => ctx['publicOrigin'] as string;

/** A cookie of the request; undefined without one. @param name without a prefix */
export const readCookie = (ctx: Context, name: string): string | undefined =>
  ctx.cookies.get(cookieName(publicOriginOf(ctx), name));

/** The cookies of the request whose name starts with this. @param start without a prefix. `name` is without one, too */
export function cookiesNamed(ctx: Context, start: string): { name: string; value: string }[] {
  const prefix = cookieName(publicOriginOf(ctx), '');
  return ctx
    .get('cookie')
    .split(';')
    .flatMap((pair) => {
      const [name = '', ...value] = pair.trim().split('=');
      if (!name.startsWith(prefix + start)) return [];
      return { name: name.slice(prefix.length), value: value.join('=') };
    });
}

/**
 * Sets a host-only, HttpOnly, Secure cookie; not Secure on a loopback http origin. Koa’s own setter rejects `Secure` on
 * plain http, which the gateway uses. The session's cookie comes with one that only tells scripts of it.
 * @param name without a prefix
 * @param maxAgeSeconds 0 removes it
 */
export function setCookie(ctx: Context, name: string, value: string, maxAgeSeconds: number): void {
  const origin = publicOriginOf(ctx);
  const secure = hasPlainCookies(origin) ? '' : ' Secure;';
  ctx.append(
    'Set-Cookie',
    `${cookieName(origin, name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly;${secure} SameSite=Lax`,
  );
  if (name === SESSION_COOKIE)
    ctx.append(
      'Set-Cookie',
      `${cookieName(origin, SIGNED_IN_COOKIE)}=1; Path=/; Max-Age=${maxAgeSeconds};${secure} SameSite=Lax`,
    );
}

/** Returns the secret of a browser’s cookie; undefined without a valid one. */
export function browserSecret(ctx: Context, name: string): string | undefined {
  const secret = readCookie(ctx, name);
  return secret && /^[\w-]{43}$/.test(secret) ? secret : undefined;
}

/** As `browserSecret`, but creates one if needed, and extends its lifetime. */
export function ensureBrowserSecret(ctx: Context, name: string): string {
  const secret = browserSecret(ctx, name) ?? randomToken(32);
  setCookie(ctx, name, secret, LONGEST_COOKIE_SECONDS);
  return secret;
}

/**
 * Clears the browser’s HTTP cache of this origin, such as pictures. Not `storage`: that would remove another account’s
 * unsent changes and the service worker; the client removes this account’s data itself.
 */
export const clearHttpCache = (ctx: Context): void => ctx.set('clear-site-data', '"cache"');

/** Removes a cookie that `setCookie` set. */
export const clearCookie = (ctx: Context, name: string): void => setCookie(ctx, name, '', 0);
