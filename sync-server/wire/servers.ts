import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SERVER_IDLE_MS, WAITING_CONNECTIONS_MAX } from '#shared/server/connections.ts';

/** Creates an HTTP server for devices or for the API. */
export const createHttpServer = (answer: RequestListener): Server =>
  createServer({ keepAliveTimeout: SERVER_IDLE_MS }, answer);

/** Returns the port. @throws when it is taken */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: WAITING_CONNECTIONS_MAX }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
}

/** @param before closes what the server does not know of */
export function stop(server: Server, before?: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    before?.();
    server.closeAllConnections();
  });
}
