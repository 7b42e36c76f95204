import { MongoClient, type Binary, type Collection, type ObjectId } from 'mongodb';
import type { PartPlace } from '#shared/chat/document.ts';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { durable } from '#shared/write-concern.ts';
import { LOOKOUT } from '#shared/mongodb-watchdog.ts';
import type { CardRow, MessageRow, SessionRow, SignalRow, UserRow } from '#shared/collections.ts';
import { ensureSignals } from '#shared/signals.ts';

/** `documents`: what a document is, who may read it, and all of it that the log no longer holds. */
export interface DocumentRow {
  _id: string;
  kind: DocumentKind;
  owner_user_id: string;
  reader_user_ids: string[];
  /** Whether its owner may only read it for now. */
  is_frozen?: boolean;
  /** Whether that is for good, because another document is about to take its place. */
  is_retired?: boolean;
  /** Of parts of a thread. */
  place?: PartPlace;
  /** Of friend cards: whose card it shows. Its owner is the friend who reads it. */
  subject_user_id?: string;
  /** A saved Automerge document. */
  snapshot: Binary;
  /** Of the snapshot (`markOf`); rows of older versions, and documents of many heads, are without. */
  mark?: string | null;
  /** One more at each snapshot, so that an older one cannot replace a newer one. */
  snapshot_version: number;
  created_at: Date;
}

/** `document_log`: one group commit, with the changes of every document that it touched. */
export interface LogRow {
  _id: ObjectId;
  /** Which process wrote it. */
  writer: string;
  entries: { document: string; chunks: Binary }[];
}

/** `sync_server`: one row, which every node shares. */
export interface SyncServerRow {
  _id: 'storage';
  /** By which clients know our storage again, whichever node they meet. */
  storage_id: string;
  /** Up to when changes may say that they were made: for a while after an upgrade, and never in a new database. */
  times_until: Date;
}

/** `document_set_aside`: changes that no longer make a document together, one row a record of the log. */
export interface SetAsideRow {
  _id: { record: ObjectId; document: string };
  chunks: Binary;
}

/** What documents are made of is durable when a write returns; the rest can be made again. */
export interface Database {
  client: MongoClient;
  setAside: Collection<SetAsideRow>;
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
  ping(): Promise<unknown>;
}

const LISTED = { _id: 1, kind: 1, is_frozen: 1, mark: 1 } as const;
/** An operation that MongoDB does not answer within this has failed. */
const TIMEOUT_MS = 10_000;

/**
 * Connects, and ensures the collections and indexes that this server owns.
 * @throws when MongoDB does not answer
 */
export async function openDatabase(uri: string, name: string): Promise<Database> {
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: 3000,
    ...LOOKOUT,
    socketTimeoutMS: TIMEOUT_MS,
  });
  await client.connect();
  const db = client.db(name);
  const lasting = { writeConcern: await durable(client) };
  const log = db.collection<LogRow>('document_log', lasting);
  const documents = db.collection<DocumentRow>('documents', lasting);
  await Promise.all([
    log.createIndex({ 'entries.document': 1 }),
    // With all that a list of rights needs to know of a document.
    documents.createIndex({ owner_user_id: 1, ...LISTED }),
    documents.createIndex({ reader_user_ids: 1, ...LISTED }),
    documents.createIndex(
      { subject_user_id: 1 },
      { partialFilterExpression: { subject_user_id: { $exists: true } } },
    ),
  ]);
  await ensureSignals(db);
  return {
    client,
    documents,
    log,
    setAside: db.collection('document_set_aside', lasting),
    server: db.collection('sync_server'),
    users: db.collection('users'),
    sessions: db.collection('sessions'),
    cards: db.collection('cards'),
    messages: db.collection('messages'),
    signals: db.collection('signals'),
    ping: () => db.command({ ping: 1 }),
  };
}
