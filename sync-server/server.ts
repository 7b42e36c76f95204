import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import type { Bus } from '#shared/bus/bus.ts';
import { openBus } from '#shared/bus/open-bus.ts';
import type { Failure } from '#shared/endpoint.ts';
import { newId } from '#shared/ids.ts';
import { SERVER_IDLE_MS, WAITING_CONNECTIONS_MAX } from '#shared/server/connections.ts';
import { openLog } from '#shared/server/log.ts';
import { Metrics, READY_HELP } from '#shared/server/metrics.ts';
import { migrate } from '#shared/server/migrations/migrate.ts';
import { keepConnected } from '#shared/server/mongodb-watchdog.ts';
import { isHostOf, isOwnOrigin, wrongHost } from '#shared/server/public-origin.ts';
import { claimRole, STARTS_HELP } from '#shared/server/role-claim.ts';
import { DRAIN_MS } from '#shared/server/run-server.ts';
import { openSignals } from '#shared/server/signals.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { FRAME_MAX_BYTES } from '#shared/sync/limits.ts';
import { traceIdOf } from '#shared/trace-context.ts';
import { DocumentPermissions } from './core/access/document-permissions.ts';
import { createSessionResolver } from './core/access/sessions.ts';
import { openDatabase, type Database, type SyncServerRow } from './core/database.ts';
import { Documents } from './core/documents/documents.ts';
import { PROJECT_FAILED_MS, TIMES_ACCEPTED_MS } from './core/limits.ts';
import { recordCrashes } from './core/quarantine/crashed-nodes.ts';
import { LoadMarks } from './core/quarantine/load-marks.ts';
import { Quarantine } from './core/quarantine/quarantine.ts';
import { ReadOnlyAccounts } from './core/quarantine/read-only-accounts.ts';
import { readWithoutLoading } from './core/quarantine/stored-document.ts';
import { watchDocuments } from './core/quarantine/watch-documents.ts';
import { ChangeLog } from './core/storage/change-log.ts';
import { Compaction } from './core/storage/compaction.ts';
import type { Env } from './env.ts';
import { connectNodes } from './nodes.ts';
import { createOnlyNode } from './only-node.ts';
import { FriendCards } from './plugins/friend-cards.ts';
import { Projections } from './plugins/projections.ts';
import { ConnectionRegistry } from './wire/connections/connection-registry.ts';
import { Connection } from './wire/connections/connection.ts';
import type { DocumentsHost } from './wire/connections/documents-host.ts';
import { EventLoopMonitor } from './wire/internal-api/event-loop-monitor.ts';
import { createInternalListener } from './wire/internal-api/listener.ts';

const REASONS: Record<number, string> = {
  403: 'Forbidden',
  401: 'Unauthorized',
  404: 'Not Found',
  421: 'Misdirected Request',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

export interface SyncServer {
  port: number;
  internalPort: number;
  /** Reports to health checks that this node is about to close, and waits until balancers have noticed. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

const REFUSED_MAX = 1_000;

/**
 * Starts the sync server; a port of 0 takes a free one.
 * @param openedBus the bus to the other nodes; by default, the one at NATS_URL
 * @param isOwnProcess whether the process may be ended when it hangs in a document
 * @throws when MongoDB does not answer or a port is taken
 */
export async function startSyncServer(
  env: Env,
  openedBus?: Bus,
  isOwnProcess = false,
): Promise<SyncServer> {
  const logging = openLog('sync-server', env.LOG_LEVEL);
  const logger = logging.log;
  const metrics = new Metrics('sync-server');
  const stopMetrics = await metrics.serve(env.METRICS_PORT, env.HOST);
  const bus = openedBus ?? (await openBus(env.NATS_URL, (message) => logger.warn(message)));
  const database = await openDatabase(env.MONGODB_URI, env.MONGODB_DB);
  metrics.observeMongodb(database.client);
  metrics.observeBus(bus);
  const role = await claimRole(database.nodes, 'sync-server', bus.isShared, (reason) => {
    logger.error(reason);
    process.kill(process.pid, 'SIGTERM');
  });
  metrics.gauge('starts', STARTS_HELP, () => role.starts());
  await migrate(database.client.db(env.MONGODB_DB), logger);
  const stopReconnecting = keepConnected(database.client, () =>
    logger.warn('MongoDB driver stopped monitoring its servers; reconnecting'),
  );
  const serverRow = await loadServerRow(database);
  const { storage_id: storageId, times_until } = serverRow;
  const projections = new Projections(database, logger, (userId) => friendCards.publish(userId), {
    hasOtherNodes: bus.isShared,
    onRefused: () => refusals.inc(),
  });
  const refusals = metrics.counter(
    'projections_refused_total',
    'Parts of documents that could not be projected.',
  );
  const commits = metrics.histogram('commit_seconds', 'Batches written to the log, and how long.');
  const committed = metrics.counter(
    'committed_bytes_total',
    'Bytes of changes written to the log.',
  );
  const log = new ChangeLog(database, (bytes, seconds) => {
    commits.observe(seconds);
    committed.inc(bytes);
    compaction.recordAdded(bytes);
  });
  const documents = new Documents(
    database,
    log,
    projections,
    logger,
    (document) => {
      for (const { device } of document.peers)
        device.close(closeCodes.tryAgainLater, 'not available now');
    },
    (ownerUserId, ms) => connections.chargeTime(ownerUserId, ms),
  );
  const watchdog = isOwnProcess
    ? watchDocuments(
        { mongodbUri: env.MONGODB_URI, databaseName: env.MONGODB_DB, node: log.writer },
        logger,
      )
    : null;
  const marks = new LoadMarks(database, log.writer);
  documents.marks = marks;
  const friendCards = new FriendCards(
    database,
    documents,
    (userId, ms) => connections.chargeTime(userId, ms),
    projections.refused,
    logger,
  );
  const compaction = new Compaction(
    database,
    documents,
    projections,
    friendCards,
    log.writer,
    logger,
  );
  const accounts = new ReadOnlyAccounts(database);
  const permissions = new DocumentPermissions(database, accounts.has);
  const connections = new ConnectionRegistry(database, env.RATE_LIMIT_SCALE, logger);
  const eventLoop = new EventLoopMonitor();
  const signals = openSignals(database.signals, (err) =>
    logger.warn({ err }, 'signals lost; subscribing again'),
  );
  const nodes = (bus.isShared ? connectNodes : createOnlyNode)({
    database,
    bus,
    signals,
    log,
    documents,
    projections,
    compaction,
    permissions,
    connections,
    marks,
    logger,
  });
  const crashed = await nodes.start();
  await compaction.start();
  await recordCrashes(database, crashed, marks, logger);
  if (!serverRow.are_nodes_registered) {
    await compaction.redoProjections();
    await database.server.updateOne({ _id: 'storage' }, { $set: { are_nodes_registered: true } });
  } else if (crashed.length > 0) await compaction.redoProjections(crashed);
  await database.syncNodes.deleteMany({ _id: { $in: crashed } });
  await accounts.refresh();

  const timesUntil = times_until.getTime() / 1000;
  const peerId = `sync-${storageId}`;
  const readStored: DocumentsHost['readStored'] = (documentId, inTurn) =>
    readWithoutLoading(database, documentId, inTurn);
  const host = { peerId, storageId, nodes, documents, permissions, readStored, timesUntil };
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_MAX_BYTES,
    perMessageDeflate: false,
  });
  /** By cookie, the users who had too many connections when they last asked. */
  const refused = new Map<string, string>();
  const resolveSession = createSessionResolver(database, env.PUBLIC_ORIGIN);
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/sync')
      return refuseUpgrade(socket, 404, { error: 'Not found', code: 'not_found' });
    if (!isHostOf(env.PUBLIC_ORIGIN, request.headers.host))
      return refuseUpgrade(socket, 421, wrongHost(env.PUBLIC_ORIGIN));
    if (!isSameOrigin(request, env.PUBLIC_ORIGIN))
      return refuseUpgrade(socket, 403, { error: 'Refused: another site', code: 'cross_site' });
    const { cookie = '' } = request.headers;
    // Whoever connects again and again costs no query each time.
    const known = refused.get(cookie);
    if (known !== undefined && !connections.hasRoom(known))
      return refuseUpgrade(socket, 429, { error: 'Too many connections', code: 'rate_limited' });
    refused.delete(cookie);
    const hasChecked = connections.watchSessions();
    const session = await resolveSession(cookie);
    if (session === 'signed_out')
      return refuseUpgrade(socket, 401, { error: 'Sign in first', code: session });
    if (session === 'no_access')
      return refuseUpgrade(socket, 403, { error: 'No access', code: session });
    if (!connections.hasRoom(session.userId)) {
      if (refused.size >= REFUSED_MAX) refused.clear();
      refused.set(cookie, session.userId);
      return refuseUpgrade(socket, 429, { error: 'Too many connections', code: 'rate_limited' });
    }
    // A device that reconnects asks about all its documents at once: look up the permissions while it connects.
    const snapshot = permissions.snapshotOf(session.userId);
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
        return new Connection(host, ws, socket as Socket, session, { bucket, snapshot }, log);
      });
      if (hasChecked()) void connections.recheck(session.userId);
    });
  };
  const timeouts = { keepAliveTimeout: SERVER_IDLE_MS };
  let isDraining = false;
  const isServing = () => !isDraining && nodes.isVerified();
  metrics.gauge('ready', READY_HELP, () => Number(isServing()));
  const server = createServer(timeouts, ({ url }, response) => {
    // Balancers ask here, and cannot be asked from outside.
    if (url === '/health') response.writeHead(isServing() ? 200 : 503).end();
    else response.writeHead(426).end();
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => {
      logger.warn({ err: error }, 'upgrade failed');
      refuseUpgrade(socket, 503, { error: 'Not available now', code: 'unavailable' });
    });
  });
  const internal = createServer(
    timeouts,
    createInternalListener({
      database,
      log,
      documents,
      friendCards,
      projections,
      permissions,
      connections,
      eventLoop,
      isReadOnly: accounts.has,
      orders: nodes.orders,
      secrets: [env.SYNC_SECRET, ...(env.SYNC_SECRET_PREVIOUS ? [env.SYNC_SECRET_PREVIOUS] : [])],
      logger,
    }),
  );
  const [port, internalPort] = await Promise.all([
    listen(server, env.SYNC_PORT, env.HOST),
    listen(internal, env.SYNC_INTERNAL_PORT, env.HOST),
  ]);
  metrics.gauge('sockets', 'Open sockets of devices.', () => connections.size);
  metrics.gauge('open_documents', 'Documents in memory.', () => documents.size);
  metrics.gauge('log_records', 'Records of the log that are not compacted yet.', () =>
    database.log.estimatedDocumentCount(),
  );
  metrics.gauge('projections_waiting', 'Documents that are projected again later.', () =>
    projections.refused.waiting(),
  );
  let isProjecting: Promise<void> | null = null;
  const projecting = setInterval(() => {
    isProjecting ??= compaction
      .projectFailed()
      .then(() => compaction.projectRefused())
      .catch((error: unknown) => logger.warn({ err: error }, 'failed to project documents'))
      .finally(() => (isProjecting = null));
  }, PROJECT_FAILED_MS);
  const quarantine = new Quarantine(
    database,
    documents,
    log,
    accounts,
    (userId) => connections.closeUser(userId),
    (documentId) => connections.offerAgain(documentId),
    logger,
  );
  quarantine.start();
  logger.info({ port, internalPort }, 'ready');

  return {
    port,
    internalPort,
    async drain() {
      isDraining = true;
      // With one node, there is no other one to connect to.
      if (bus.isShared) await wait(DRAIN_MS);
    },
    async close() {
      await Promise.all([stop(server, () => connections.close()), stop(internal)]);
      await stopMetrics();
      clearInterval(projecting);
      await quarantine.stop();
      eventLoop.stop();
      const isPublished = friendCards.stop();
      await compaction.stop();
      // A call that was cut off may still store a change, which its caller does not repeat once it finds it stored.
      const isClosed = await documents.close();
      await log.settled();
      await projections.settled();
      projections.stop();
      const isFinished = isPublished && isClosed;
      await nodes.stop(isFinished);
      await bus.close();
      await signals.close();
      stopReconnecting();
      await watchdog?.stop();
      await role.release();
      await database.client.close();
      logging.close();
    },
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
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Refused'}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `${status === 429 ? 'Retry-After: 30\r\n' : ''}Connection: close\r\n\r\n${body}`,
  );
}

async function loadServerRow({ server }: Database): Promise<SyncServerRow> {
  const upgraded = new Date(Date.now() + TIMES_ACCEPTED_MS);
  const isNew = { $eq: [{ $type: '$storage_id' }, 'missing'] };
  const times_until = { $cond: [isNew, new Date(0), upgraded] };
  const row = await server.findOneAndUpdate(
    { _id: 'storage' },
    [
      {
        $set: {
          storage_id: { $ifNull: ['$storage_id', newId()] },
          times_until: { $ifNull: ['$times_until', times_until] },
        },
      },
    ],
    { upsert: true, returnDocument: 'after' },
  );
  return row!;
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: WAITING_CONNECTIONS_MAX }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
}

function stop(server: Server, before?: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    before?.();
    server.closeAllConnections();
  });
}
