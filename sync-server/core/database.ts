import {
  MongoClient,
  type Binary,
  type Collection,
  type IndexDescription,
  type ObjectId,
} from 'mongodb';
import type { SegmentPlace } from '#shared/chat/document.ts';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { refuseUnfinishedRestore } from '#shared/server/backup-rows.ts';
import type {
  CardRow,
  MessageRow,
  SessionRow,
  SignalRow,
  UserRow,
} from '#shared/server/collections.ts';
import { declareIndexes } from '#shared/server/declare-indexes.ts';
import type { LeaseRow } from '#shared/server/lease.ts';
import { endClosedWrites, MONGO_HEARTBEAT_OPTIONS } from '#shared/server/mongodb-watchdog.ts';
import type { NodeRow } from '#shared/server/role-claim.ts';
import { ensureSignals } from '#shared/server/signals.ts';
import { durable } from '#shared/server/write-concern.ts';

/** `documents`: a document's kind, readers, and snapshot, which has everything that is not in the log. */
export interface DocumentRow {
  _id: string;
  kind: DocumentKind;
  owner_user_id: string;
  reader_user_ids: string[];
  /** Whether its owner may not write it for now. */
  is_frozen?: boolean;
  /** Whether it is frozen permanently, because another document will replace it. */
  is_retired?: boolean;
  /** The document that replaces it in the next epoch (decision 392). */
  successor?: string;
  /** Whether it has used up so much of its limits that it should be replaced, or when that is tried again. */
  epoch_due?: true | Date;
  /** How many operations the documents had that it replaces: projections only go forward. */
  operations_before?: number;
  /** Of thread segments. */
  place?: SegmentPlace;
  /** Of friend cards: the user whose card it shows. Its owner is the friend who reads it. */
  subject_user_id?: string;
  /** A saved Automerge document. */
  snapshot: Binary;
  /** Of the snapshot (`markOf`); null for documents with many heads. */
  mark?: string | null;
  /** Incremented with each snapshot, so that an older one cannot replace a newer one. */
  snapshot_version: number;
  /** When the snapshot was written. */
  snapshot_at: Date;
  created_at: Date;
  /** Of a document in whose processing a server ended, or that could not be loaded. */
  quarantine?: QuarantineState;
  /** When a node crashed while it loaded this document and others. */
  suspected_at?: Date;
  /** Of a document of which something could not be projected: how often, and when all of it is projected again. */
  projection?: { tries: number; retry_at: Date };
}

/** The failures of a document within a day. */
interface QuarantineState {
  failures?: number;
  failed_at: Date;
  /** How often it was tried in a process of its own. */
  trials?: number;
  /** When it is tried next. It is in quarantine as long as it has this field. */
  retry_at?: Date;
}

/** `document_log`: one batch of changes, with one entry per document. */
export interface LogRow {
  _id: ObjectId;
  /** The process that wrote it. */
  writer: string;
  entries: { document: string; chunks: Binary }[];
}

/** `sync_server`: one row, shared by all nodes. */
export interface SyncServerRow {
  _id: 'storage';
  /** The id by which clients recognize this storage, whichever node they connect to. */
  storage_id: string;
  /** Changes may not have later timestamps than this: some time after an upgrade, and 1970 in a new database. */
  times_until: Date;
  /** Whether all nodes that wrote the log registered in `sync_nodes`: not before the first start of a version that does so. */
  are_nodes_registered?: boolean;
}

/** `document_quarantine`: changes of documents in quarantine that left the log, one row per record. */
export interface QuarantineRow {
  _id: { record: ObjectId; document: string };
  chunks: Binary;
  /** Whether they belong to the document. Others cannot be loaded with it. */
  is_pending?: true;
}

/** `sync_nodes`: one row per running node, and per one that crashed until another node has finished its work. */
export interface SyncNodeRow {
  /** The `writer` of its records. */
  _id: string;
  seen_at: Date;
  /** The ids of the last orders that it has carried out. */
  done: string[];
  /** The documents that its watchdog has noticed, because work on them takes long. Empty when a failure of these was recorded. */
  working_on?: string[];
  /** The documents that it loads, after a crash. */
  loading?: string[];
}

/**
 * Writes to `documents`, `log` and `quarantine` are durable when they return, and so are values read from `documents`
 * and `log`. The other collections can be rebuilt.
 */
export interface Database {
  client: MongoClient;
  quarantine: Collection<QuarantineRow>;
  documents: Collection<DocumentRow>;
  log: Collection<LogRow>;
  server: Collection<SyncServerRow>;
  users: Collection<
    Pick<UserRow, '_id' | 'is_admin' | 'access_expires_at' | 'restricted_until' | 'suspended_until'>
  >;
  sessions: Collection<SessionRow>;
  cards: Collection<CardRow>;
  messages: Collection<MessageRow>;
  signals: Collection<SignalRow>;
  nodes: Collection<NodeRow>;
  syncNodes: Collection<SyncNodeRow>;
  /** `document_locks`: documents in which a node makes a named change. */
  locks: Collection<LeaseRow>;
  ping(): Promise<unknown>;
}

const PERMISSION_FIELDS = { _id: 1, kind: 1, is_frozen: 1, mark: 1 } as const;
/** An operation without an answer within this time has failed. */
const TIMEOUT_MS = 10_000;

const LOG_INDEXES: IndexDescription[] = [
  { key: { 'entries.document': 1 } },
  { key: { writer: 1, _id: 1 } },
];
const DOCUMENT_INDEXES: IndexDescription[] = [
  // They cover all fields that a lookup of permissions reads.
  { key: { owner_user_id: 1, ...PERMISSION_FIELDS } },
  { key: { reader_user_ids: 1, ...PERMISSION_FIELDS } },
  {
    key: { subject_user_id: 1 },
    partialFilterExpression: { subject_user_id: { $exists: true } },
  },
  { key: { epoch_due: 1 }, partialFilterExpression: { epoch_due: { $exists: true } } },
  {
    key: { 'quarantine.failed_at': 1 },
    partialFilterExpression: { 'quarantine.failed_at': { $exists: true } },
  },
  {
    key: { 'quarantine.retry_at': 1 },
    partialFilterExpression: { 'quarantine.retry_at': { $exists: true } },
  },
  {
    key: { suspected_at: 1 },
    partialFilterExpression: { suspected_at: { $exists: true } },
  },
  {
    key: { 'projection.retry_at': 1 },
    partialFilterExpression: { 'projection.retry_at': { $exists: true } },
  },
];

/** With a client of its own: on a large collection, it takes longer than other operations may. */
async function createIndexes(uri: string, name: string): Promise<void> {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 3000 });
  try {
    const db = client.db(name);
    await Promise.all([
      declareIndexes(db.collection('document_log'), LOG_INDEXES),
      declareIndexes(db.collection('documents'), DOCUMENT_INDEXES),
    ]);
  } finally {
    await client.close();
  }
}

/**
 * Connects, and ensures the collections and indexes that this server owns.
 * @throws when MongoDB does not answer
 */
export async function openDatabase(uri: string, name: string): Promise<Database> {
  endClosedWrites();
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: 3000,
    ...MONGO_HEARTBEAT_OPTIONS,
    socketTimeoutMS: TIMEOUT_MS,
  });
  await client.connect();
  const db = client.db(name);
  await refuseUnfinishedRestore(db);
  const writeConcern = await durable(client);
  const durably = { writeConcern };
  // Writes that a failed primary has not replicated are rolled back: a node that had read them would acknowledge and
  // build on them.
  const readDurably = {
    writeConcern,
    readConcern: writeConcern.w === 'majority' ? 'majority' : 'local',
  } as const;
  const log = db.collection<LogRow>('document_log', readDurably);
  const documents = db.collection<DocumentRow>('documents', readDurably);
  await createIndexes(uri, name);
  await ensureSignals(db);
  return {
    client,
    documents,
    log,
    quarantine: db.collection('document_quarantine', durably),
    server: db.collection('sync_server'),
    users: db.collection('users'),
    sessions: db.collection('sessions'),
    cards: db.collection('cards'),
    messages: db.collection('messages'),
    signals: db.collection('signals'),
    nodes: db.collection('nodes', durably),
    syncNodes: db.collection('sync_nodes', durably),
    locks: db.collection('document_locks', durably),
    ping: () => db.command({ ping: 1 }),
  };
}
