import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { SERVER_IDLE_MS } from '#shared/server/connections.ts';
import { createSlices } from '../platform/http/slices.ts';
import { HEALTH_PATH } from './app.ts';

const FINISH_MS = 3_000;
/** Each browser keeps one event stream open, through the gateway. */
const CONNECTIONS_MAX = 20_000;
const HEADERS_MS = 15_000;
/** Enough for a 5 MB picture at 0.4 Mbit/s. */
const REQUEST_MS = 120_000;

export function createHttpServer(): Server {
  const server = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: SERVER_IDLE_MS,
  });
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}

/** Answers requests in slices. */
export function answerRequests(
  server: Server,
  answer: (...call: Parameters<RequestListener>) => Promise<void>,
): void {
  const begin = createSlices();
  server.on('request', (request, response) =>
    begin(
      () => {
        if (!response.destroyed) void answer(request, response);
      },
      // The gateway takes a node that answers none for hung, and closes its connections.
      request.url?.split('?', 1)[0] === HEALTH_PATH,
    ),
  );
}

/** Finishes requests in progress, for a while. */
export async function closeHttpServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), FINISH_MS).unref();
  await closed;
}
