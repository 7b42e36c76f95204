import type { Logger } from 'pino';
import type { Bus } from '#shared/bus/bus.ts';
import type { SignalRow } from '#shared/server/collections.ts';
import type { Signals } from '#shared/server/signals.ts';
import { DocumentExchange } from './bus/document-exchange.ts';
import { DocumentLocks } from './bus/document-locks.ts';
import { NodeOrders, type NodeOrder } from './bus/node-orders.ts';
import { Verification } from './bus/verification.ts';
import type { DocumentPermissions } from './core/access/document-permissions.ts';
import type { Compaction } from './core/compaction.ts';
import type { Database } from './core/database.ts';
import type { Documents } from './core/documents/documents.ts';
import type { LoadMarks } from './core/documents/load-marks.ts';
import { recordCrashes } from './core/quarantine/crashed-nodes.ts';
import type { ChangeLog } from './core/storage/change-log.ts';
import type { Projections } from './plugins/projections.ts';
import type { ConnectionRegistry } from './wire/connections/connection-registry.ts';

/** A node that can verify nothing for this long closes its connections: another one may have MongoDB. */
const UNVERIFIED_MAX_MS = 5_000;
const CHECK_MS = 1_000;
/** Most signals are of changes that this server projected itself. */
export const SIGNAL_TOPICS = [
  'session',
  'user',
  'documents',
] as const satisfies SignalRow['topic'][];

interface NodesHost {
  database: Database;
  bus: Bus;
  signals: Signals;
  log: ChangeLog;
  documents: Documents;
  projections: Projections;
  compaction: Compaction;
  permissions: DocumentPermissions;
  connections: ConnectionRegistry;
  marks: LoadMarks;
  logger: Logger;
}

/** What sync nodes need to act as one (decision 276). */
export interface Nodes {
  orders: Pick<NodeOrders, 'send'>;
  /** Whether this node knows the current permissions, so that it serves devices. */
  isVerified(): boolean;
  /** Resolves when it does, or this node stops. */
  verified(): Promise<void>;
  /**
   * Registers this node and follows the others. Call it before serving.
   * @returns the nodes that ended without finishing their work, which this one finishes now
   * @throws when the database cannot be used
   */
  start(): Promise<string[]>;
  /**
   * Stops following the others.
   * @param isFinished whether everything that this node accepted is stored and projected; otherwise, another node finishes it
   */
  stop(isFinished: boolean): Promise<void>;
}

/** Connects the services of this node with those of the others, which there can be with a shared bus. */
export const connectNodes = (host: NodesHost): Nodes =>
  host.bus.isShared ? connectOthers(host) : createOnlyNode(host);

function connectOthers(host: NodesHost): Nodes {
  const { database, bus, signals, log, documents, projections, permissions, connections, logger } =
    host;
  const { writer } = log;
  const verification = new Verification(signals, logger);
  const exchange = new DocumentExchange({
    database,
    bus,
    documents,
    locks: new DocumentLocks(database, bus),
    verification,
    logger,
    writer,
    onGap: () => connections.closeAll('start over'),
  });

  async function removeDocument(documentId: string): Promise<void> {
    const wasHere = documents.remove(documentId);
    await log.settled();
    if (!wasHere) return projections.settled();
    // What this node was storing may have come after the removal.
    await projections.forget(documentId);
    await log.forget(documentId);
  }

  const recheck = async () => {
    await connections.checkSessions();
    await connections.checkPermissions(permissions);
  };

  async function carryOut(order: NodeOrder): Promise<void> {
    if (order.is === 'check') return recheck();
    if (order.is === 'disconnect') {
      if ('session_id' in order) connections.closeSession(order.session_id);
      else connections.closeUser(order.user_id);
      return;
    }
    const { document, users } = order;
    permissions.invalidate(document);
    connections.permissionChanged(document, order.is === 'removed' ? users : order.changed);
    if (order.is === 'removed') return removeDocument(document);
    await connections.checkPermission(permissions, document, users);
    // What arrived before: a caller that copies the document next, from another node, gets it.
    await log.settled();
  }

  const orders = new NodeOrders({
    database,
    bus,
    verification,
    logger,
    node: writer,
    carryOut,
    async takeOver(node) {
      await recordCrashes(database, [node], host.marks, logger);
      await host.compaction.redoProjections([node]);
    },
    alone: (work, run) => exchange.alone(work, run),
  });
  const stopListening = signals.listen((signal) => {
    if (signal === 'lost') void verification.require(recheck);
    else if (signal.topic === 'session' || signal.topic === 'user')
      void verification.require(() => connections.checkSessions(signal.user_id));
    else if (signal.topic === 'documents' && signal.user_id !== writer) {
      if (signal.order) void orders.take(signal.order);
      else exchange.poll();
    }
  });
  let verifiedAt = performance.now();
  const closing = setInterval(() => {
    const now = performance.now();
    if (verification.isVerified()) verifiedAt = now;
    else if (now - verifiedAt > UNVERIFIED_MAX_MS) connections.closeAll('not available now');
  }, CHECK_MS);
  return {
    orders,
    isVerified: () => verification.isVerified(),
    verified: () => verification.verified(),
    async start() {
      documents.nodes = exchange;
      projections.hasOtherNodes = true;
      await orders.start();
      await exchange.start();
      // Several nodes finish each other's work.
      return [];
    },
    async stop(isFinished) {
      clearInterval(closing);
      stopListening();
      verification.stop();
      await exchange.stop();
      await orders.stop(isFinished);
    },
  };
}

/** What a node without others does: it sends no orders, knows all permissions, and finishes what its predecessor left at once. */
function createOnlyNode({
  database: { syncNodes },
  signals,
  log: { writer },
  connections,
}: NodesHost): Nodes {
  const stopListening = signals.listen((signal) => {
    if (signal === 'lost') void connections.recheck();
    else if (signal.topic === 'session' || signal.topic === 'user')
      void connections.recheck(signal.user_id);
  });
  return {
    orders: { send: async () => {} },
    isVerified: () => true,
    verified: async () => {},
    async start() {
      const crashed = await syncNodes.find({}, { projection: { _id: 1 } }).toArray();
      await syncNodes.insertOne({ _id: writer, seen_at: new Date(), done: [] });
      return crashed.map(({ _id }) => _id);
    },
    async stop(isFinished) {
      stopListening();
      if (isFinished) await syncNodes.deleteOne({ _id: writer }).catch(() => {});
    },
  };
}
