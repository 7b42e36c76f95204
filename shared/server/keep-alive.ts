/**
 * How long a server lets a connection be idle. Longer than the proxies in front of it (`PROXY_IDLE_MS`, and `keepalive` in the
 * Caddyfile), since a request on a connection that is just being closed is lost.
 */
export const SERVER_IDLE_MS = 75_000;
/** How long a proxy keeps an idle connection to a server. */
export const PROXY_IDLE_MS = 30_000;
