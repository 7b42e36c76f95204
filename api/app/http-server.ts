import { createServer, type RequestListener, type Server } from 'node:http';
import { SERVER_IDLE_MS } from '#shared/server/connections.ts';
import { createSlices } from '../platform/http/slices.ts';
import { HEALTH_PATH } from './app.ts';

/** Each browser keeps one event stream open, through the gateway. */
export const CONNECTIONS_MAX = 20_000;
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

/** Returns a listener that answers requests in slices. */
export function answerInSlices(
  answer: (...call: Parameters<RequestListener>) => Promise<void>,
): RequestListener {
  const begin = createSlices();
  return (request, response) =>
    begin(
      () => {
        if (!response.destroyed) void answer(request, response);
      },
      // The gateway takes a node that answers none for hung, and closes its connections.
      request.url?.split('?', 1)[0] === HEALTH_PATH,
    );
}
