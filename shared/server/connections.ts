import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * How long a server keeps an idle connection open. Longer than the proxies before it (`PROXY_IDLE_MS`, and `keepalive` in the
 * Caddyfile), because a request on a connection that the server is closing is lost.
 */
export const SERVER_IDLE_MS = 75_000;
/** How long a proxy keeps an idle connection to a server open. */
export const PROXY_IDLE_MS = 30_000;
/**
 * How many connections may wait until a server accepts them. Node's default of 511 is too few when all walkers of a place set out
 * at once: the kernel drops the others' packets, and they try again after seconds. The kernel's own limit is `net.core.somaxconn`.
 */
export const WAITING_CONNECTIONS_MAX = 4_096;

/**
 * From now on, each answer closes its connection. Proxies open others elsewhere, and send none to a server that is about to end on a
 * connection that it just closes: they don't know whether such a request was handled (decision 275).
 */
export function closeAfterAnswers(server: Server): void {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
}

/** Finishes requests in progress for a while, and closes. */
export async function closeServer(server: Server, finishMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), finishMs).unref();
  await closed;
}

/** How long a refused socket has to read the answer. */
const REFUSED_MAX_MS = 1_000;

/** Answers a socket that asked for an upgrade, and closes it, also if its peer doesn't. */
export function refuseSocket(socket: Duplex, answer: string): void {
  socket.end(answer);
  // With unread bytes, closing it would take the answer back.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), REFUSED_MAX_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
