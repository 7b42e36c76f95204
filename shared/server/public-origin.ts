/** Whether a host name (of a URL, so IPv6 in brackets) means this machine. */
const isLoopbackName = (hostname: string): boolean =>
  /^(localhost|[a-z\d.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

/** Whether an IP address or host name to listen on, or of a peer, is a loopback address. */
export const isLoopbackAddress = (address: string): boolean =>
  /^(localhost|::1|(::ffff:)?127(\.\d{1,3}){3})$/i.test(address);

/** Whether this installation is only used on its own machine. */
export const isLoopbackOrigin = (origin: string): boolean =>
  isLoopbackName(new URL(origin).hostname);

/**
 * Whether a request's `Host` is that of PUBLIC_ORIGIN. A loopback origin has several names, and several ports lead to it (the
 * API's own, a tunnel's): all of them match.
 */
export function isHostOf(publicOrigin: string, host: string | undefined): boolean {
  if (host !== undefined && publicOrigin.endsWith(`//${host}`)) return true;
  if (host === undefined || !/^[\w.:[\]-]{1,255}$/.test(host)) return false;
  const { protocol, host: own } = new URL(publicOrigin);
  const requested = URL.parse(`${protocol}//${host}`);
  if (!requested) return false;
  return (
    requested.host === own || (isLoopbackOrigin(publicOrigin) && isLoopbackName(requested.hostname))
  );
}

/** Whether a page at `origin` belongs to this installation. @param host the request's, after `isHostOf` */
export const isOwnOrigin = (
  publicOrigin: string,
  origin: string,
  host: string | undefined,
): boolean =>
  origin === publicOrigin ||
  (isLoopbackOrigin(publicOrigin) && URL.parse(origin)?.host === (host ?? ''));

/** Returns the body of a 421 for a request to another host. */
export const wrongHost = (publicOrigin: string) => ({
  error: `This server is ${publicOrigin}. If you run it, set PUBLIC_ORIGIN to the address in the browser, and have proxies pass Host on.`,
  code: 'wrong_host',
});
