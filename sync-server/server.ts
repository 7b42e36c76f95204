import type { Bus } from '#shared/bus/bus.ts';
import { openBus } from '#shared/bus/open-bus.ts';
import { openLog } from '#shared/server/log.ts';
import { Metrics, READY_HELP } from '#shared/server/metrics.ts';
import { migrate } from '#shared/server/migrations/migrate.ts';
import { keepConnected } from '#shared/server/mongodb-watchdog.ts';
import { claimRole, STARTS_HELP } from '#shared/server/role-claim.ts';
import { openDatabase } from './core/database.ts';
import { readWithoutLoading } from './core/quarantine/stored-document.ts';
import { watchDocuments } from './core/quarantine/watch-documents.ts';
import { loadServerRow } from './core/server-row.ts';
import type { Env } from './env.ts';
import { runServices } from './run-services.ts';
import { createServices } from './services.ts';
import type { DocumentsHost } from './wire/connections/documents-host.ts';
import { EventLoopMonitor } from './wire/internal-api/event-loop-monitor.ts';
import { createInternalListener } from './wire/internal-api/listener.ts';
import { createHttpServer, listen, stop } from './wire/servers.ts';
import { createUpgradeListener } from './wire/upgrades.ts';

export interface SyncServer {
  port: number;
  internalPort: number;
  /** Reports to health checks that this node is about to close, and waits until balancers have noticed. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

interface SyncServerOptions {
  /** The bus to the other nodes; by default, the one at NATS_URL. */
  bus?: Bus;
  /** Whether the process may be ended when it hangs in a document. */
  isOwnProcess?: boolean;
}

/**
 * Starts the sync server; a port of 0 takes a free one.
 * @throws when MongoDB does not answer or a port is taken
 */
export async function startSyncServer(
  env: Env,
  options: SyncServerOptions = {},
): Promise<SyncServer> {
  const logging = openLog('sync-server', env.LOG_LEVEL);
  const logger = logging.log;
  const metrics = new Metrics('sync-server');
  const stopMetrics = await metrics.serve(env.METRICS_PORT, env.HOST);
  const bus = options.bus ?? (await openBus(env.NATS_URL, (message) => logger.warn(message)));
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
  const services = createServices({ env, bus, database, logger, metrics });
  const { connections, log, nodes } = services;
  const watchdog = options.isOwnProcess
    ? watchDocuments(
        { mongodbUri: env.MONGODB_URI, databaseName: env.MONGODB_DB, node: log.writer },
        logger,
      )
    : null;
  const stopServices = await runServices(services, serverRow);
  const eventLoop = new EventLoopMonitor();
  let isDraining = false;
  const isServing = () => !isDraining && nodes.isVerified();
  metrics.gauge('ready', READY_HELP, () => Number(isServing()));
  const server = createHttpServer(({ url }, response) => {
    // Balancers ask here, and cannot be asked from outside.
    if (url === '/health') response.writeHead(isServing() ? 200 : 503).end();
    else response.writeHead(426).end();
  });
  const host = {
    ...services,
    peerId: `sync-${serverRow.storage_id}`,
    storageId: serverRow.storage_id,
    timesUntil: serverRow.times_until.getTime() / 1000,
    readStored: ((documentId, inTurn) =>
      readWithoutLoading(database, documentId, inTurn)) satisfies DocumentsHost['readStored'],
  };
  server.on('upgrade', createUpgradeListener(host, connections, env.PUBLIC_ORIGIN));
  const internal = createHttpServer(
    createInternalListener({
      ...services,
      eventLoop,
      isReadOnly: services.accounts.has,
      orders: nodes.orders,
      secrets: [env.SYNC_SECRET, ...(env.SYNC_SECRET_PREVIOUS ? [env.SYNC_SECRET_PREVIOUS] : [])],
    }),
  );
  const [port, internalPort] = await Promise.all([
    listen(server, env.SYNC_PORT, env.HOST),
    listen(internal, env.SYNC_INTERNAL_PORT, env.HOST),
  ]);
  logger.info({ port, internalPort }, 'ready');

  return {
    port,
    internalPort,
    async drain() {
      isDraining = true;
      await bus.drain();
    },
    async close() {
      await Promise.all([stop(server, () => connections.close()), stop(internal)]);
      await stopMetrics();
      eventLoop.stop();
      await stopServices();
      await bus.close();
      stopReconnecting();
      await watchdog?.stop();
      await role.release();
      await database.client.close();
      logging.close();
    },
  };
}
