import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Failures, type CheckSettings, type Outcome } from './check-settings.ts';

/** Clients of each kind at once. */
const CLIENTS = 150;
/** An honest request waits at most this long, on a busy machine. */
const ANSWER_MS = 20_000;
const PAUSE_MS = 250;
/** A client that sends nothing for this long has to be disconnected. */
const IDLE_MAX_MS = 170_000;

interface Client {
  kind: string;
  socket: Socket;
  isClosed: boolean;
}

/** How a bad client behaves after it has connected. */
const KINDS: Record<string, (socket: Socket, host: string) => void> = {
  'sends nothing': () => {},
  'sends half a request line': (socket) => socket.write('GET /api/hea'),
  'sends a header byte by byte': (socket, host) => {
    socket.write(`GET /api/health HTTP/1.1\r\nhost: ${host}\r\nx-slow: `);
    const timer = setInterval(() => socket.write('x'), 1_000);
    socket.once('close', () => clearInterval(timer));
  },
  'promises a body and sends a byte per second': (socket, host) => {
    socket.write(
      `POST /api/location HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`,
    );
    const timer = setInterval(() => socket.write(' '), 1_000);
    socket.once('close', () => clearInterval(timer));
  },
  'requests a page and does not read it': (socket, host) => {
    socket.pause();
    for (let i = 0; i < 20; i++) socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  },
  'begins a WebSocket and stops': (socket, host) =>
    socket.write(
      `GET /sync HTTP/1.1\r\nhost: ${host}\r\nupgrade: websocket\r\nconnection: upgrade\r\n`,
    ),
  'closes its half': (socket) => socket.end('POST /api/dogs HTTP/1.1\r\n'),
};

/**
 * Opens hundreds of connections that are slow or half open, while honest requests go on. Fails if one of those is not answered, or a bad
 * client stays connected for minutes.
 */
export async function outlastSlowClients({
  origin,
  budgetMs,
  interrupted,
}: CheckSettings): Promise<Outcome> {
  const failures = new Failures();
  const { hostname, port, host } = new URL(origin);
  const clients: Client[] = [];
  for (const [kind, behave] of Object.entries(KINDS))
    for (let i = 0; i < CLIENTS; i++) {
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      const client = { kind, socket, isClosed: false };
      socket.on('error', () => {}).once('close', () => (client.isClosed = true));
      // The server closes its half first; a client that keeps its own half open holds nothing.
      socket.once('end', () => (client.isClosed = true));
      // The end of a connection is only seen by reading.
      socket.resume();
      clients.push(client);
      void once(socket, 'connect').then(
        () => behave(socket, host),
        () => {},
      );
    }
  const startedAt = performance.now();
  const end = startedAt + Math.min(budgetMs, IDLE_MAX_MS);
  let answered = 0;
  while (performance.now() < end && !interrupted.aborted) {
    for (const path of ['/api/health', '/'])
      try {
        const response = await fetch(`${origin}${path}`, {
          signal: AbortSignal.timeout(ANSWER_MS),
        });
        await response.arrayBuffer();
        if (response.ok) answered++;
        else failures.add(`an honest request to ${path} failed`, String(response.status));
      } catch (error) {
        failures.add(`an honest request to ${path} failed`, String(error));
      }
    await wait(PAUSE_MS);
  }
  const isLongEnough = performance.now() - startedAt >= IDLE_MAX_MS;
  for (const { kind, socket, isClosed } of clients) {
    // What isn't read is not noticed as closed.
    if (isLongEnough && !isClosed && !socket.isPaused())
      failures.add(`a client that ${kind} stayed connected`, `${IDLE_MAX_MS / 1000} s`);
    socket.destroy();
  }
  const closed = clients.filter(({ isClosed }) => isClosed).length;
  return {
    tried: `${clients.length} slow clients of ${Object.keys(KINDS).length} kinds, ${closed} disconnected, beside ${answered} honest requests`,
    failures: failures.list,
  };
}
