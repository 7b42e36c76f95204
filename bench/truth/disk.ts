import * as A from '@automerge/automerge';
import type { Db } from 'mongodb';
import type { MessageRow } from '#shared/server/collections.ts';
import { readSegment } from '#shared/chat/document.ts';
import { readCard } from '#shared/profile/document.ts';
import type { DocumentRow, LogRow } from '../../sync-server/core/database.ts';
import { chunksInLog } from '../../sync-server/core/documents/load-document.ts';

/** What the server's disk has of a user. */
export interface StoredContent {
  /** The texts of own messages, in any segment. */
  messages: ReadonlySet<string>;
  dogs: ReadonlySet<string>;
}

/** Reads the documents of a user from MongoDB, without asking a server. */
export async function readDisk(db: Db, userId: string): Promise<StoredContent> {
  const documents = db.collection<DocumentRow>('documents');
  const log = db.collection<LogRow>('document_log');
  const rows = await documents
    .find({ owner_user_id: userId, kind: { $in: ['card', 'segment'] } })
    .project<{ _id: string; kind: string }>({ kind: 1 })
    .toArray();
  const read = await Promise.all(
    rows.map(async ({ _id, kind }) => {
      // The log first: what compaction moves meanwhile is in the snapshot that is read afterwards.
      const inLog = await chunksInLog({ log }, _id);
      const row = await documents.findOne({ _id });
      if (!row) return { kind, doc: null };
      const stored = [row.snapshot.buffer, ...inLog.map(({ chunks }) => chunks)];
      const doc = stored.reduce<A.Doc<unknown>>(
        (all, each) => A.loadIncremental(all, each),
        A.init(),
      );
      return { kind, doc };
    }),
  );
  const of = (wanted: string) =>
    read.flatMap(({ kind, doc }) => (kind === wanted && doc ? [doc] : []));
  return {
    messages: new Set(
      of('segment').flatMap((doc) => readSegment(doc).messages.map(({ text }) => text)),
    ),
    dogs: new Set(of('card').flatMap((doc) => readCard(doc).dogs.map(({ name }) => name))),
  };
}

/** Says what MongoDB has of a lost message, to find out where it was lost. */
export async function tracesOf(db: Db, text: string): Promise<string> {
  const [rows, threads] = await Promise.all([
    db
      .collection<MessageRow>('messages')
      .find({ $or: [{ text }, { former_texts: text }] })
      .toArray(),
    db.collection('threads').find().project({ segments: 1, successions: 1 }).toArray(),
  ]);
  const ids = rows.map(({ _id, former_ids = [] }) => [_id, ...former_ids].join(' formerly '));
  const [documentId] = rows[0] ? [rows[0].document_id] : [];
  const thread = threads.find((each) => JSON.stringify(each).includes(documentId ?? '-'));
  return `rows ${ids.join() || 'none'}, thread ${JSON.stringify(thread ?? null)}`;
}
