import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { pino } from 'pino';
import { WebSocketServer } from 'ws';
import { SERVER_IDLE_MS } from '#shared/keep-alive.ts';
import { keepConnected } from '#shared/mongodb-watchdog.ts';
import { isHostOf, wrongHost } from '#shared/public-origin.ts';
import { openSignals } from '#shared/signals.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { Compaction } from './compaction.ts';
import { Connection } from './connection.ts';
import { openDatabase, type Database, type SyncServerRow } from './database.ts';
import { Documents } from './documents.ts';
import type { Env } from './env.ts';
import { StallWatch } from './figures.ts';
import { FriendCards } from './friend-cards.ts';
import { internalListener } from './internal.ts';
import { FRAME_MAX_BYTES, TIMES_ACCEPTED_MS } from './limits.ts';
import { ChangeLog } from './log.ts';
import { Projections } from './projections.ts';
import { Rights } from './rights.ts';
import { standingOf } from './sessions.ts';
import { Sockets } from './sockets.ts';
import { isSameOrigin, refuseUpgrade } from './upgrade.ts';

export interface SyncServer {
  port: number;
  internalPort: number;
  close(): Promise<void>;
}

/**
 * Starts the sync server; a port of 0 takes a free one.
 * @throws when MongoDB does not answer or a port is taken
 */
export async function startSyncServer(env: Env): Promise<SyncServer> {
  const logger = pino({ level: env.LOG_LEVEL, base: { part: 'sync-server' } });
  const database = await openDatabase(env.MONGODB_URI, env.MONGODB_DB);
  const connected = keepConnected(database.client, () =>
    logger.warn('the driver does not look for MongoDB any more; connecting anew'),
  );
  const { storage_id: storageId, times_until } = await ownRow(database);
  const projections = new Projections(database, logger, (userId) => friendCards.publish(userId));
  const log = new ChangeLog(database, (bytes) => compaction.recordAdded(bytes));
  const documents = new Documents(
    database,
    log,
    projections,
    logger,
    (document) => {
      for (const { device } of document.peers)
        device.close(closeCodes.tryAgainLater, 'not available now');
    },
    (ownerUserId, ms) => sockets.spend(ownerUserId, ms),
  );
  const friendCards = new FriendCards(
    database,
    documents,
    (userId, ms) => sockets.spend(userId, ms),
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
  const rights = new Rights(database);
  const sockets = new Sockets(database, env.RATE_LIMIT_SCALE, logger);
  const stalls = new StallWatch();
  await compaction.redoProjections();

  const signals = openSignals(database.signals, (err) =>
    logger.warn({ err }, 'signals lost, following again'),
  );
  signals.listen((signal) => {
    if (signal === 'lost') void sockets.recheck();
    else if (signal.topic === 'session' || signal.topic === 'user')
      void sockets.recheck(signal.user_id);
  });

  const timesUntil = times_until.getTime() / 1000;
  const host = { peerId: `sync-${storageId}`, storageId, documents, rights, timesUntil };
  const wss = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_MAX_BYTES,
    perMessageDeflate: false,
  });
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/sync')
      return refuseUpgrade(socket, 404, { error: 'Not found', code: 'not_found' });
    if (!isHostOf(env.PUBLIC_ORIGIN, request.headers.host))
      return refuseUpgrade(socket, 421, wrongHost(env.PUBLIC_ORIGIN));
    if (!isSameOrigin(request, env.PUBLIC_ORIGIN))
      return refuseUpgrade(socket, 403, { error: 'Refused: another site', code: 'cross_site' });
    const standing = await standingOf(database, request.headers.cookie);
    if (standing === 'signed_out')
      return refuseUpgrade(socket, 401, { error: 'Sign in first', code: standing });
    if (standing === 'no_access')
      return refuseUpgrade(socket, 403, { error: 'No access', code: standing });
    if (!sockets.hasRoom(standing.userId))
      return refuseUpgrade(socket, 429, { error: 'Too many connections', code: 'rate_limited' });
    // A device that comes back asks about all its documents at once: until then there is time to look.
    const listed = rights.listOf(standing.userId);
    listed.catch(() => {});
    wss.handleUpgrade(request, socket, head, (ws) => {
      const connection = logger.child({ connection: randomUUID(), user: standing.userId });
      connection.info('socket opened');
      sockets.add(standing.userId, (budget, left) => {
        ws.once('close', left);
        return new Connection(host, ws, standing, { budget, listed }, connection);
      });
      // What changed between the look-up and now is not missed.
      void sockets.recheck(standing.userId);
    });
  };
  const timeouts = { keepAliveTimeout: SERVER_IDLE_MS };
  const server = createServer(timeouts, (_, response) => response.writeHead(426).end());
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => {
      logger.warn({ err: error }, 'upgrade failed');
      refuseUpgrade(socket, 503, { error: 'Not available now', code: 'unavailable' });
    });
  });
  const internal = createServer(
    timeouts,
    internalListener({
      database,
      documents,
      friendCards,
      projections,
      rights,
      sockets,
      stalls,
      secrets: [env.SYNC_SECRET, ...(env.SYNC_SECRET_PREVIOUS ? [env.SYNC_SECRET_PREVIOUS] : [])],
      logger,
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
    async close() {
      await Promise.all([stop(server, () => sockets.close()), stop(internal)]);
      stalls.stop();
      await signals.close();
      friendCards.stop();
      await compaction.stop();
      await projections.settled();
      projections.stop();
      connected();
      await database.client.close();
    },
  };
}

async function ownRow({ server }: Database): Promise<SyncServerRow> {
  const upgraded = new Date(Date.now() + TIMES_ACCEPTED_MS);
  const isNew = { $eq: [{ $type: '$storage_id' }, 'missing'] };
  const times_until = { $cond: [isNew, new Date(0), upgraded] };
  const row = await server.findOneAndUpdate(
    { _id: 'storage' },
    [
      {
        $set: {
          storage_id: { $ifNull: ['$storage_id', randomUUID()] },
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
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function stop(server: Server, before?: () => void): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    before?.();
    server.closeAllConnections();
  });
}
