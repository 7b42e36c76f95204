import { isLoopbackOrigin } from './public-origin.ts';

/**
 * Whether cookies have plain names and no `Secure`: only where PUBLIC_ORIGIN is plain http on this machine. WebKit stores
 * no `Secure` cookies there; nothing crosses a network.
 */
export function hasPlainCookies(publicOrigin: string): boolean {
  if (last?.publicOrigin !== publicOrigin) {
    const isHttp = new URL(publicOrigin).protocol === 'http:';
    last = { publicOrigin, arePlain: isHttp && isLoopbackOrigin(publicOrigin) };
  }
  return last.arePlain;
}
/** Each request asks, about the same origin. */
let last: { publicOrigin: string; arePlain: boolean } | null = null;

/**
 * Returns the name under which browsers send a cookie. All servers call it with the same PUBLIC_ORIGIN; no header of a
 * request has a say. On localhost, programs on other ports share cookies, so plain names are ours, too.
 * @param name one of the contracts' names, such as `SESSION_COOKIE`
 */
export const cookieName = (publicOrigin: string, name: string): string =>
  `${hasPlainCookies(publicOrigin) ? 'leashwise-' : '__Host-'}${name}`;
