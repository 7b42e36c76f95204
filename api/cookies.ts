import type { Context } from 'koa';

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

/** Removes a cookie that `setCookie` set. */
export const clearCookie = (ctx: Context, name: string): void => setCookie(ctx, name, '', 0);
