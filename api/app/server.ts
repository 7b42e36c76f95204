import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBus } from '#shared/bus/open-bus.ts';
import {
  closeAfterAnswers,
  SERVER_IDLE_MS,
  WAITING_CONNECTIONS_MAX,
} from '#shared/server/connections.ts';
import { openLog } from '#shared/server/log.ts';
import { Metrics } from '#shared/server/metrics.ts';
import { migrate } from '#shared/server/migrations/migrate.ts';
import { keepConnected } from '#shared/server/mongodb-watchdog.ts';
import { claimRole, STARTS_HELP, type NodeRow } from '#shared/server/role-claim.ts';
import { openSignals } from '#shared/server/signals.ts';
import { RuleBook } from '../features/content-rules/rule-book.ts';
import { openAudit, runAuditJob } from '../platform/admin/audit.ts';
import { auditLog } from '../platform/admin/collections.ts';
import { createJobs } from '../platform/background-jobs.ts';
import { openDatabase } from '../platform/database.ts';
import type { Env } from '../platform/env.ts';
import { EventStreams } from '../platform/events/event-streams.ts';
import { createImageStore } from '../platform/files/images.ts';
import { createIdempotency } from '../platform/http/idempotency.ts';
import { InFlight } from '../platform/http/in-flight.ts';
import { createLimiters, runLimitsJob } from '../platform/http/rate-limit.ts';
import { createSlices } from '../platform/http/slices.ts';
import { openSpool } from '../platform/http/spool.ts';
import { openMailQueue } from '../platform/mail-queue/mail-queue.ts';
import { openNodeLease, soleNodeLease } from '../platform/node-lease.ts';
import { openPush } from '../platform/push/push-queue.ts';
import type { Services } from '../platform/services.ts';
import { createSessionCache } from '../platform/session-cache.ts';
import { createSyncServerClient } from '../platform/sync-server-client.ts';
import { createApp, HEALTH_PATH } from './app.ts';
import { composePush } from './compose-push.ts';
import { createIndexes } from './indexes.ts';

export interface ApiServer {
  port: number;
  /** What the features use, for tests in this process. */
  services: Services;
  /** Reports to health checks that this node is about to close, and waits until balancers have noticed. */
  drain(): Promise<void>;
  /** Finishes requests in progress, then closes everything. */
  close(): Promise<void>;
}

const FINISH_MS = 3_000;
const MiB = 1024 * 1024;
/** Uploads are spooled to disk, which may be memory in a container. */
const UPLOADS_IN_FLIGHT_BYTES = 64 * MiB;
const BODIES_IN_FLIGHT_BYTES = 32 * MiB;
/** Each browser keeps one event stream open, through the gateway. */
const CONNECTIONS_MAX = 20_000;
const HEADERS_MS = 15_000;
/** Enough for a 5 MB picture at 0.4 Mbit/s. */
const REQUEST_MS = 120_000;

/**
 * Starts the API.
 * @param prepare creates the indexes; tests skip it on a database that has them
 * @throws when MongoDB or the port is unavailable
 */
export async function startApi(env: Env, prepare = createIndexes): Promise<ApiServer> {
  const closers: (() => void | Promise<void>)[] = [];
  const onClose = (run: () => void | Promise<void>) => void closers.push(run);
  const close = async () => {
    for (const run of closers.splice(0).toReversed()) await run();
  };
  try {
    const logging = openLog('api', env.LOG_LEVEL);
    onClose(() => logging.close());
    const metrics = new Metrics('api');
    onClose(await metrics.serve(env.METRICS_PORT, env.HOST));
    const db = await openDatabase(env.MONGODB_URI, env.MONGODB_DB);
    onClose(() => db.client.close());
    metrics.observeMongodb(db.client);
    const role = await claimRole(
      db.collection<NodeRow>('nodes'),
      'api',
      env.NATS_URL !== undefined,
      (reason) => {
        logging.log.error(reason);
        process.kill(process.pid, 'SIGTERM');
      },
    );
    onClose(() => role.release());
    metrics.gauge('starts', STARTS_HELP, () => role.starts());
    await migrate(db, logging.log);
    await prepare(db);
    onClose(
      keepConnected(db.client, () =>
        logging.log.warn('the driver stopped monitoring MongoDB; reconnecting'),
      ),
    );
    const signals = openSignals(db.collection('signals'), (err) =>
      logging.log.warn({ err }, 'lost the signal stream; reconnecting'),
    );
    onClose(() => signals.close());
    const bus = await openBus(env.NATS_URL, (message) => logging.log.warn(message));
    onClose(() => bus.close());
    metrics.observeBus(bus);
    const people = createSessionCache(db, signals);
    onClose(() => people.close());
    const lease = bus.isShared
      ? await openNodeLease(db, env.API_PORT, logging.log)
      : soleNodeLease();
    onClose(() => lease.close());
    const { registerJob, runJobSoon, runAllJobs, isJobNode } = createJobs(
      logging.log,
      lease,
      onClose,
      metrics,
    );
    const limiter = createLimiters(db, env.RATE_LIMIT_SCALE, env.RATE_LIMITS);
    const inFlight = (bytes: number) => new InFlight(bytes, env.RATE_LIMIT_SCALE);
    const spool = await openSpool();
    onClose(() => spool.close());
    const ruleBook = new RuleBook(db, signals);
    onClose(() => ruleBook.stop());
    const draining = new AbortController();
    const documents = createSyncServerClient(env.SYNC_INTERNAL_URL, env.SYNC_SECRET);
    const events = new EventStreams(bus, { signals });
    const services: Services = {
      env,
      draining: draining.signal,
      log: logging.log,
      metrics,
      db,
      signals,
      bus,
      people,
      documents,
      events,
      idempotency: createIdempotency(db),
      personalData: new Set(),
      mailQueue: openMailQueue({ env, log: logging.log, db, registerJob, onClose }),
      push: openPush({
        compose: composePush,
        env,
        log: logging.log,
        db,
        documents,
        events,
        registerJob,
        onClose,
      }),
      images: createImageStore(db),
      audit: openAudit(auditLog(db)),
      ruleBook,
      limiter,
      limitChanges: limiter({ name: 'changes', points: 600, seconds: 60 }),
      limitUploads: limiter({ name: 'uploads', points: 60, seconds: 600 }),
      uploads: { spool, inFlight: inFlight(UPLOADS_IN_FLIGHT_BYTES) },
      bodiesInFlight: inFlight(BODIES_IN_FLIGHT_BYTES),
      onClose,
      registerJob,
      runJobSoon,
      runAllJobs,
      isJobNode,
    };
    metrics.gauge('event_streams', 'Open event streams.', () => services.events.count());
    services.registerJob('idempotency keys', () => services.idempotency.runJob());
    services.registerJob('rate limits', () => runLimitsJob(db));
    services.registerJob('audit log', () => runAuditJob(db));
    const server = createServer({
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: SERVER_IDLE_MS,
    });
    server.maxConnections = CONNECTIONS_MAX;
    onClose(async () => {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), FINISH_MS).unref();
      await closed;
    });
    // Features close before the server: their open streams must not delay it.
    const answer = (await createApp(services)).callback();
    limiter.checkChanges();
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
    server.listen({ port: env.API_PORT, host: env.HOST, backlog: WAITING_CONNECTIONS_MAX });
    await once(server, 'listening');
    if (!env.google) logging.log.warn('sandbox sign-in: anyone can sign in as anyone');
    for (const channel of services.mailQueue.sandboxChannels)
      logging.log.warn({ channel }, 'messages are not sent: the sandbox stores them');
    return {
      port: (server.address() as AddressInfo).port,
      services,
      async drain() {
        draining.abort();
        closeAfterAnswers(server);
        await bus.drain();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
