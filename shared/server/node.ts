import type { Db } from 'mongodb';
import type { Bus } from '../bus/bus.ts';
import { openBus } from '../bus/open-bus.ts';
import { type Log, openLog } from './log.ts';
import { Metrics } from './metrics.ts';
import { migrate } from './migrations/migrate.ts';
import { keepConnected } from './mongodb-watchdog.ts';
import { claimRole, type NodeRow, STARTS_HELP } from './role-claim.ts';
import { durable } from './write-concern.ts';

interface NodeEnv {
  HOST: string;
  LOG_LEVEL: Parameters<typeof openLog>[1];
  METRICS_PORT?: number | undefined;
  NATS_URL?: string | undefined;
}

/** What a node of each role has: its log, metrics, database and bus. */
export interface ServerNode<Database> {
  log: Log;
  metrics: Metrics;
  database: Database;
  bus: Bus;
  /** Registers what closes with the node: the last one first. */
  onClose(run: () => void | Promise<void>): void;
  close(): Promise<void>;
}

/**
 * Opens what a node of each role has, claims the role, migrates the database, and starts the server. Closes all of it if that fails.
 * @param given.bus instead of the one at NATS_URL
 * @throws when MongoDB does not answer, or another node has the role
 */
export async function startNode<Database, Server>(
  role: NodeRow['_id'],
  env: NodeEnv,
  given: {
    openDatabase: () => Promise<Database>;
    dbOf: (database: Database) => Db;
    bus?: Bus | undefined;
  },
  start: (node: ServerNode<Database>) => Promise<Server>,
): Promise<Server> {
  const closers: (() => void | Promise<void>)[] = [];
  const onClose = (run: () => void | Promise<void>) => void closers.push(run);
  const close = async () => {
    for (const run of closers.splice(0).toReversed()) await run();
  };
  try {
    const logging = openLog(role, env.LOG_LEVEL);
    const { log } = logging;
    onClose(() => logging.close());
    const metrics = new Metrics(role);
    onClose(await metrics.serve(env.METRICS_PORT, env.HOST));
    const database = await given.openDatabase();
    const db = given.dbOf(database);
    onClose(() => db.client.close());
    metrics.observeMongodb(db.client);
    const bus = given.bus ?? (await openBus(env.NATS_URL, (message) => log.warn(message)));
    onClose(() => bus.close());
    metrics.observeBus(bus);
    const nodes = db.collection<NodeRow>('nodes', { writeConcern: await durable(db.client) });
    const claim = await claimRole(nodes, role, bus.isShared, (reason) => {
      log.error(reason);
      process.kill(process.pid, 'SIGTERM');
    });
    onClose(() => claim.release());
    metrics.gauge('starts', STARTS_HELP, () => claim.starts());
    await migrate(db, log);
    onClose(
      keepConnected(db.client, () =>
        log.warn('MongoDB driver stopped monitoring its servers; reconnecting'),
      ),
    );
    return await start({ log, metrics, database, bus, onClose, close });
  } catch (error) {
    await close();
    throw error;
  }
}
