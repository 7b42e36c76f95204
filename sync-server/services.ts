import type { Logger } from 'pino';
import type { Bus } from '#shared/bus/bus.ts';
import type { Metrics } from '#shared/server/metrics.ts';
import { openSignals } from '#shared/server/signals.ts';
import { closeCodes } from '#shared/sync/close-codes.ts';
import { DocumentPermissions } from './core/access/document-permissions.ts';
import { Compaction } from './core/compaction.ts';
import type { Database } from './core/database.ts';
import { Documents } from './core/documents/documents.ts';
import { LoadMarks } from './core/documents/load-marks.ts';
import { Quarantine } from './core/quarantine/quarantine.ts';
import { ReadOnlyAccounts } from './core/quarantine/read-only-accounts.ts';
import { ChangeLog } from './core/storage/change-log.ts';
import type { Env } from './env.ts';
import { connectNodes, SIGNAL_TOPICS } from './nodes.ts';
import { FriendCards } from './plugins/friend-cards.ts';
import { Projections } from './plugins/projections.ts';
import { ConnectionRegistry } from './wire/connections/connection-registry.ts';

interface ServicesOptions {
  env: Env;
  bus: Bus;
  database: Database;
  logger: Logger;
  metrics: Metrics;
}

export type Services = ReturnType<typeof createServices>;

/** Creates the services of a sync node, each with what it needs of the others. Documents can be opened once `nodes` is started. */
export function createServices({ env, bus, database, logger, metrics }: ServicesOptions) {
  const refusals = metrics.counter(
    'projections_refused_total',
    'Parts of documents that could not be projected.',
  );
  const commits = metrics.histogram('commit_seconds', 'Batches written to the log, and how long.');
  const committed = metrics.counter(
    'committed_bytes_total',
    'Bytes of changes written to the log.',
  );
  const connections = new ConnectionRegistry(database, env.RATE_LIMIT_SCALE, logger);
  const chargeTime = (userId: string, ms: number) => connections.chargeTime(userId, ms);
  const projections = new Projections(database, logger, (userId) => friendCards.publish(userId), {
    onRefused: () => refusals.inc(),
  });
  const log = new ChangeLog(database, (bytes, seconds) => {
    commits.observe(seconds);
    committed.inc(bytes);
    compaction.recordAdded(bytes);
  });
  const documents = new Documents({
    database,
    log,
    projections,
    logger,
    onFailure(document) {
      for (const { device } of document.peers)
        device.close(closeCodes.tryAgainLater, 'not available now');
    },
    onProjected: chargeTime,
  });
  const marks = new LoadMarks(database, log.writer);
  documents.marks = marks;
  const friendCards = new FriendCards({
    database,
    documents,
    charge: chargeTime,
    refused: projections.refused,
    logger,
  });
  const compaction = new Compaction({
    database,
    documents,
    projections,
    friendCards,
    writer: log.writer,
    logger,
  });
  const accounts = new ReadOnlyAccounts(database);
  const quarantine = new Quarantine({
    database,
    documents,
    log,
    accounts,
    onReadOnly: (userId) => connections.closeUser(userId),
    onRelease: (documentId) => connections.offerAgain(documentId),
    logger,
  });
  const permissions = new DocumentPermissions(database, accounts.has);
  const signals = openSignals(
    database.signals,
    (err) => logger.warn({ err }, 'signals lost; subscribing again'),
    SIGNAL_TOPICS,
  );
  const nodes = connectNodes({
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
  metrics.gauge('sockets', 'Open sockets of devices.', () => connections.size);
  metrics.gauge('open_documents', 'Documents in memory.', () => documents.size);
  metrics.gauge('log_records', 'Records of the log that are not compacted yet.', () =>
    database.log.estimatedDocumentCount(),
  );
  metrics.gauge('projections_waiting', 'Documents that are projected again later.', () =>
    projections.refused.waiting(),
  );
  return {
    accounts,
    compaction,
    connections,
    database,
    documents,
    friendCards,
    log,
    logger,
    marks,
    nodes,
    permissions,
    projections,
    quarantine,
    signals,
  };
}
