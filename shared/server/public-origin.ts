/** Whether a host name (of a URL, so IPv6 in brackets) stands for this machine, whichever network it is on. */
const isLoopbackName = (hostname: string): boolean =>
  /^(localhost|[a-z\d.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

/** Whether an address to listen at, or one that connects, is of this machine only. */
export const isLoopbackAddress = (address: string): boolean =>
  /^(localhost|::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(address);

/** Whether people open this installation on the machine that it runs on. */
export const isLoopbackOrigin = (origin: string): boolean =>
  isLoopbackName(new URL(origin).hostname);

/**
 * Whether a request's `Host` is the one of PUBLIC_ORIGIN. A loopback origin has several names, and ports that lead to it
 * (the api's own, a tunnel's): any of them.
 */
export function isHostOf(publicOrigin: string, host: string | undefined): boolean {
  if (host === undefined || !/^[\w.:[\]-]{1,255}$/.test(host)) return false;
  const { protocol, host: own } = new URL(publicOrigin);
  const asked = URL.parse(`${protocol}//${host}`);
  if (!asked) return false;
  return asked.host === own || (isLoopbackOrigin(publicOrigin) && isLoopbackName(asked.hostname));
}

/** Whether a page at `origin` is one of ours; `host` is the request's, after `isHostOf`. */
export const isOwnOrigin = (
  publicOrigin: string,
  origin: string,
  host: string | undefined,
): boolean =>
  origin === publicOrigin ||
  (isLoopbackOrigin(publicOrigin) && URL.parse(origin)?.host === (host ?? ''));

/** The body of a 421 for a request whose `Host` is another one. */
export const wrongHost = (publicOrigin: string) => ({
  error: `This server is ${publicOrigin}. If you run it, set PUBLIC_ORIGIN to the address in the browser, and have proxies pass Host on.`,
  code: 'wrong_host',
});
