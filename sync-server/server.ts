import type { Bus } from '#shared/bus/bus.ts';
import { READY_HELP } from '#shared/server/metrics.ts';
import { type ServerNode, startNode } from '#shared/server/node.ts';
import { type Database, openDatabase } from './core/database.ts';
import { watchDocuments } from './core/quarantine/watch-documents.ts';
import { loadServerRow } from './core/server-row.ts';
import type { Env } from './env.ts';
import { runServices } from './run-services.ts';
import { createServices } from './services.ts';
import { takeSockets } from './wire/handed-over-sockets.ts';
import { EventLoopMonitor } from './wire/internal-api/event-loop-monitor.ts';
import { createInternalListener } from './wire/internal-api/listener.ts';
import { createHttpServer, listen, stop } from './wire/servers.ts';
import { createUpgradeListener, upgradeHost } from './wire/upgrades.ts';

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
export const startSyncServer = (env: Env, options: SyncServerOptions = {}): Promise<SyncServer> =>
  startNode(
    'sync-server',
    env,
    {
      openDatabase: () => openDatabase(env.MONGODB_URI, env.MONGODB_DB),
      dbOf: ({ client }) => client.db(env.MONGODB_DB),
      bus: options.bus,
    },
    (node) => serveDocuments(env, node, options.isOwnProcess),
  );

async function serveDocuments(
  env: Env,
  { log: logger, metrics, database, bus, onClose, close }: ServerNode<Database>,
  isOwnProcess = false,
): Promise<SyncServer> {
  const serverRow = await loadServerRow(database);
  const services = createServices({ env, bus, database, logger, metrics });
  const { connections, log, nodes } = services;
  if (isOwnProcess) {
    const own = { mongodbUri: env.MONGODB_URI, databaseName: env.MONGODB_DB, node: log.writer };
    const watchdog = watchDocuments(own, logger);
    onClose(async () => void (await watchdog.stop()));
  }
  onClose(await runServices(services, serverRow));
  const eventLoop = new EventLoopMonitor();
  onClose(() => eventLoop.stop());
  let isDraining = false;
  const isServing = () => !isDraining && nodes.isVerified();
  metrics.gauge('ready', READY_HELP, () => Number(isServing()));
  const server = createHttpServer(({ url }, response) => {
    // Balancers ask here, and cannot be asked from outside.
    if (url === '/health') response.writeHead(isServing() ? 200 : 503).end();
    else response.writeHead(426).end();
  });
  const upgrade = createUpgradeListener(
    upgradeHost(services, serverRow),
    connections,
    env.PUBLIC_ORIGIN,
  );
  server.on('upgrade', upgrade);
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
  onClose(async () => {
    await Promise.all([stop(server, () => connections.close()), stop(internal)]);
  });
  if (isOwnProcess) onClose(takeSockets(upgrade));
  logger.info({ port, internalPort }, 'ready');
  return {
    port,
    internalPort,
    async drain() {
      isDraining = true;
      await bus.drain();
    },
    close,
  };
}
