/**
 * How long a server keeps an idle connection open. Longer than the proxies before it (`PROXY_IDLE_MS`, and `keepalive` in the
 * Caddyfile), because a request on a connection that the server is closing is lost.
 */
export const SERVER_IDLE_MS = 75_000;
/** How long a proxy keeps an idle connection to a server open. */
export const PROXY_IDLE_MS = 30_000;
