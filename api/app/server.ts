import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Db } from 'mongodb';
import {
  closeAfterAnswers,
  closeServer,
  WAITING_CONNECTIONS_MAX,
} from '#shared/server/connections.ts';
import type { Metrics } from '#shared/server/metrics.ts';
import { type ServerNode, startNode } from '#shared/server/node.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { runAuditJob } from '../platform/admin/audit.ts';
import { openDatabase } from '../platform/database.ts';
import type { Env } from '../platform/env.ts';
import { runLimitsJob } from '../platform/http/rate-limit.ts';
import { trustNamedCaller } from '../platform/http/request-origin.ts';
import type { Services } from '../platform/services.ts';
import { createApp } from './app.ts';
import { answerInSlices, CONNECTIONS_MAX, createHttpServer } from './http-server.ts';
import { createIndexesAlone } from './indexes.ts';
import { openServices } from './open-services.ts';

export interface ApiServer {
  port: number;
  /** What the features use, for tests in this process. */
  services: Services;
  /** Reports to health checks that this node is about to close, and waits until balancers have noticed. */
  drain(): Promise<void>;
  /** Finishes requests in progress, then closes everything. */
  close(): Promise<void>;
}

/** Opens the gateway of this process, which gives requests to `answer`. */
type OpenGateway = (
  answer: RequestListener,
  shared: { metrics: Metrics; connectionsMax: number },
) => Promise<{ closeAfterAnswers(): void; close(finishMs: number): Promise<void> }>;

const FINISH_MS = 3_000;

/**
 * Starts the API. A connection to MongoDB that is silent for a minute is closed: one that died without a word would hold up what waits for
 * it until TCP gives up, for a quarter of an hour.
 * @param prepare creates the indexes; tests skip it on a database that has them
 * @param openGateway is called when requests can be answered; the gateway closes with the API
 * @throws when MongoDB or a port is unavailable
 */
export const startApi = (
  env: Env,
  prepare: (db: Db) => Promise<void> = () => createIndexesAlone(env.MONGODB_URI, env.MONGODB_DB),
  openGateway?: OpenGateway,
): Promise<ApiServer> =>
  startNode(
    'api',
    env,
    {
      openDatabase: () =>
        openDatabase(env.MONGODB_URI, env.MONGODB_DB, { socketTimeoutMS: MINUTE_MS }),
      dbOf: (db) => db,
    },
    async (node) => {
      await prepare(node.database);
      return serveCalls(env, node, openGateway);
    },
  );

async function serveCalls(
  env: Env,
  node: ServerNode<Db>,
  openGateway: OpenGateway | undefined,
): Promise<ApiServer> {
  const { log, metrics, database: db, bus, onClose, close } = node;
  const draining = new AbortController();
  const services = await openServices(env, node, draining.signal);
  metrics.gauge('event_streams', 'Open event streams.', () => services.events.count());
  services.registerJob('idempotency keys', () => services.idempotency.runJob());
  services.registerJob('rate limits', () => runLimitsJob(db));
  services.registerJob('audit log', () => runAuditJob(db));
  const server = createHttpServer();
  let gateway: Awaited<ReturnType<OpenGateway>> | undefined;
  onClose(async () => {
    await Promise.all([closeServer(server, FINISH_MS), gateway?.close(FINISH_MS)]);
  });
  // Features close before the server: their open streams must not delay it.
  const app = await createApp(services);
  services.limiter.checkChanges();
  const answer = answerInSlices(app.callback());
  server.on('request', answer);
  server.listen({ port: env.API_PORT, host: env.HOST, backlog: WAITING_CONNECTIONS_MAX });
  await once(server, 'listening');
  gateway = await openGateway?.(
    (request, response) => {
      trustNamedCaller(request);
      answer(request, response);
    },
    { metrics, connectionsMax: CONNECTIONS_MAX },
  );
  if (!env.google) log.warn('sandbox sign-in: anyone can sign in as anyone');
  for (const channel of services.mailQueue.sandboxChannels)
    log.warn({ channel }, 'messages are not sent: the sandbox stores them');
  return {
    port: (server.address() as AddressInfo).port,
    services,
    async drain() {
      draining.abort();
      closeAfterAnswers(server);
      gateway?.closeAfterAnswers();
      await bus.drain();
    },
    close,
  };
}
