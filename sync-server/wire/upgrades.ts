import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer } from 'ws';
import type { Failure } from '#shared/endpoint.ts';
import { newId } from '#shared/ids.ts';
import { refuseSocket } from '#shared/server/connections.ts';
import { isHostOf, isOwnOrigin, wrongHost } from '#shared/server/public-origin.ts';
import { FRAME_MAX_BYTES } from '#shared/sync/limits.ts';
import { traceIdOf } from '#shared/trace-context.ts';
import { createSessionResolver } from '../core/access/sessions.ts';
import type { Database, SyncServerRow } from '../core/database.ts';
import { readWithoutLoading } from '../core/quarantine/stored-document.ts';
import type { ConnectionRegistry } from './connections/connection-registry.ts';
import { Connection, type ConnectionHost } from './connections/connection.ts';
import type { DocumentsHost } from './connections/documents-host.ts';

const REASONS: Record<number, string> = {
  403: 'Forbidden',
  401: 'Unauthorized',
  404: 'Not Found',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** How many cookies are remembered that were refused. */
const REFUSED_MAX = 1_000;

interface UpgradeHost extends ConnectionHost {
  readonly database: Database;
  readonly logger: Logger;
}

/** Returns what connections use of this node's services. */
export const upgradeHost = <Services extends { database: Database }>(
  services: Services,
  { storage_id, times_until }: SyncServerRow,
) => ({
  ...services,
  peerId: `sync-${storage_id}`,
  storageId: storage_id,
  timesUntil: times_until.getTime() / 1000,
  readStored: ((documentId, inTurn) =>
    readWithoutLoading(
      services.database,
      documentId,
      inTurn,
    )) satisfies DocumentsHost['readStored'],
});

/** Returns a listener that turns upgrade requests of `/sync` into connections of the sessions that send them. */
export function createUpgradeListener(
  host: UpgradeHost,
  connections: ConnectionRegistry,
  publicOrigin: string,
) {
  const { database, logger } = host;
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_MAX_BYTES,
    perMessageDeflate: false,
  });
  /** By cookie, the users who had too many connections when they last asked. */
  const refused = new Map<string, string>();
  const resolveSession = createSessionResolver(database, host.permissions, publicOrigin);
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/sync')
      return refuseUpgrade(socket, 404, { error: 'Not found', code: 'not_found' });
    if (!isHostOf(publicOrigin, request.headers.host))
      return refuseUpgrade(socket, 421, wrongHost(publicOrigin));
    if (!isSameOrigin(request, publicOrigin))
      return refuseUpgrade(socket, 403, { error: 'Refused: another site', code: 'cross_site' });
    const { cookie = '' } = request.headers;
    // Whoever connects again and again costs no query each time.
    const known = refused.get(cookie);
    if (known !== undefined && !connections.hasRoom(known))
      return refuseUpgrade(socket, 429, { error: 'Too many connections', code: 'rate_limited' });
    refused.delete(cookie);
    const hasChecked = connections.watchSessions();
    const found = await resolveSession(cookie);
    if (found === 'signed_out')
      return refuseUpgrade(socket, 401, { error: 'Sign in first', code: found });
    if (found === 'no_access')
      return refuseUpgrade(socket, 403, { error: 'No access', code: found });
    const { session } = found;
    if (!connections.hasRoom(session.userId)) {
      if (refused.size >= REFUSED_MAX) refused.clear();
      refused.set(cookie, session.userId);
      return refuseUpgrade(socket, 429, { error: 'Too many connections', code: 'rate_limited' });
    }
    // A restriction that begins closes connections, but not this one yet.
    const snapshot = hasChecked()
      ? host.permissions.snapshotOf(session.userId)
      : Promise.resolve(found.snapshot);
    snapshot.catch(() => {});
    wss.handleUpgrade(request, socket, head, (ws) => {
      // All lines about the socket have the trace id of its upgrade.
      const log = logger.child({
        connection: newId(),
        user: session.userId,
        trace: traceIdOf(request.headers['traceparent']) ?? undefined,
      });
      log.info('socket opened');
      connections.add(session.userId, (bucket, onClose) => {
        ws.once('close', onClose);
        const line = socket as Socket;
        return new Connection(host, { socket: ws, line, session, bucket, snapshot, log });
      });
      if (hasChecked()) void connections.recheck(session.userId);
    });
  };
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => {
      logger.warn({ err: error }, 'upgrade failed');
      refuseUpgrade(socket, 503, { error: 'Not available now', code: 'unavailable' });
    });
  };
}

/** Whether an upgrade request comes from one of our own pages, or not from a browser. */
function isSameOrigin({ headers }: IncomingMessage, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin } = headers;
  return origin === undefined || isOwnOrigin(publicOrigin, origin, headers.host);
}

/** Answers an upgrade request with an error. */
function refuseUpgrade(socket: Duplex, status: number, failure: Failure): void {
  const body = JSON.stringify(failure);
  refuseSocket(
    socket,
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Refused'}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${status === 429 ? 'Retry-After: 30\r\n' : ''}Connection: close\r\n\r\n${body}`,
  );
}
