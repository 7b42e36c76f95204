import { workerData } from 'node:worker_threads';
import { MongoClient, type Collection } from 'mongodb';
import { endClosedWrites } from '#shared/server/mongodb-watchdog.ts';
import type { DocumentRow, SyncNodeRow } from '../database.ts';
import { CurrentDocument } from '../documents/current-document.ts';
import { recordFailures } from './quarantine-rows.ts';

/** What the watchdog needs of the process that it watches. */
export interface WatchdogData {
  shared: SharedArrayBuffer;
  mongodbUri: string;
  databaseName: string;
  /** The id of the node. */
  node: string;
}

const MiB = 1024 * 1024;
const LOOK_MS = 100;
/** Work on a document of maximum size takes a fraction of that. By CPU time: a machine that is suspended or busy hangs nowhere. */
const HANGS_AFTER_CPU_MS = 3_000;
/** No document needs as much. Automerge's memory can grow to 4 GiB, and is never returned. */
const GROWTH_MAX_BYTES = 768 * MiB;
/** From these on, the row of the node names the document, in case the process dies. */
const SUSPECT_CPU_MS = 500;
const SUSPECT_GROWTH_BYTES = 192 * MiB;
const MONGODB_TIMEOUT_MS = 3_000;

const { shared, mongodbUri, databaseName, node } = workerData as WatchdogData;
const watched = new CurrentDocument(shared);

interface Piece {
  step: number;
  documentId: string;
  cpu: NodeJS.CpuUsage;
  rss: number;
}

let client: MongoClient | null = null;
let piece: Piece | null = null;
/** Whether the row of the node names the document. */
let isNamed = false;

interface Rows {
  documents: Collection<DocumentRow>;
  nodes: Collection<SyncNodeRow>;
}

/** Connects when it is needed for the first time, which is rare. */
function rows(): Rows {
  endClosedWrites();
  client ??= new MongoClient(mongodbUri, {
    serverSelectionTimeoutMS: MONGODB_TIMEOUT_MS,
    socketTimeoutMS: MONGODB_TIMEOUT_MS,
    maxPoolSize: 1,
    writeConcern: { w: 'majority' },
  });
  const db = client.db(databaseName);
  return { documents: db.collection('documents'), nodes: db.collection('sync_nodes') };
}

async function look(): Promise<void> {
  const now = watched.read();
  if (now && watched.isBroken) return end(now.documentId);
  if (now?.step !== piece?.step) {
    piece = now && { ...now, cpu: process.cpuUsage(), rss: process.memoryUsage.rss() };
    if (isNamed) await nameNothing();
    return;
  }
  if (!piece) return;
  const { user, system } = process.cpuUsage(piece.cpu);
  const cpuMs = (user + system) / 1000;
  const growth = process.memoryUsage.rss() - piece.rss;
  if (cpuMs > HANGS_AFTER_CPU_MS || growth > GROWTH_MAX_BYTES) await end(piece.documentId);
  else if (!isNamed && (cpuMs > SUSPECT_CPU_MS || growth > SUSPECT_GROWTH_BYTES))
    await name(piece.documentId);
}

/** Notes in the row of the node what it works on. */
async function name(documentId: string): Promise<void> {
  const { nodes } = rows();
  await nodes.updateOne({ _id: node }, { $set: { working_on: [documentId] } });
  isNamed = true;
}

async function nameNothing(): Promise<void> {
  const { nodes } = rows();
  await nodes.updateOne({ _id: node }, { $unset: { working_on: true } });
  isNamed = false;
}

/** Records a failure of a document and ends the process. */
async function end(documentId: string): Promise<void> {
  console.error(JSON.stringify({ process: 'sync-server', document: documentId, msg: 'ending' }));
  try {
    const { documents, nodes } = rows();
    // Unless another node has, which took this one for dead while it hung: it failed once.
    const row = await nodes.updateOne(
      { _id: node, working_on: { $ne: [] } },
      { $set: { working_on: [] } },
    );
    if (row.matchedCount > 0) await recordFailures(documents, [documentId]);
  } catch (error) {
    // The next start finds a node that crashed for an unknown reason.
    console.error(error);
  }
  process.kill(process.pid, 'SIGKILL');
}

let isLooking = false;
setInterval(() => {
  if (isLooking) return;
  isLooking = true;
  look()
    .catch((error: unknown) => console.error(error))
    .finally(() => (isLooking = false));
}, LOOK_MS);
