import * as A from '@automerge/automerge';
import type { Db } from 'mongodb';
import { readSegment } from '#shared/chat/document.ts';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { readCard } from '#shared/profile/document.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { drafts } from '../../api/features/chat/collections.ts';
import type { DocumentRow, LogRow } from '../../sync-server/core/database.ts';

/** Those that have what is looked at. */
const KINDS: DocumentKind[] = ['card', 'segment'];

/** What the server's disk has of a user. */
export interface StoredContent {
  /** The texts of own messages, in any segment. */
  messages: ReadonlySet<string>;
  /** Of those with a picture that is there. */
  pictured: ReadonlySet<string>;
  dogs: ReadonlySet<string>;
  /** The texts that were typed and not sent, with copies. */
  drafts: ReadonlySet<string>;
}

/** Reads what the servers' disk has of users from MongoDB, without asking a server. */
export class Disk {
  readonly #db: Db;
  /** What was read of documents, by id, and of which records. Between two steps, most stay as they are. */
  readonly #known = new Map<string, { records: string; content: Omit<StoredContent, 'drafts'> }>();

  /** The documents that were found so far. */
  readonly #ids = new Set<string>();

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Returns what there is, by user.
   * @param withDrafts whether drafts are read, too
   */
  async read(
    userIds: readonly string[],
    withDrafts: boolean,
  ): Promise<Record<string, StoredContent>> {
    const [records, rows] = await this.#documentsOf(userIds);
    const typed = withDrafts
      ? await drafts(this.#db)
          .find({ user_id: { $in: [...userIds] } })
          .toArray()
      : [];
    const all = Object.fromEntries(
      userIds.map((id) => {
        const own = typed.filter(({ user_id }) => user_id === id);
        // A copy may have the texts of several devices.
        const texts = new Set(
          own.flatMap(({ text, copy }) => [text, ...(copy ?? '').split('\n\n')]),
        );
        return [
          id,
          {
            messages: new Set<string>(),
            pictured: new Set<string>(),
            dogs: new Set<string>(),
            drafts: texts,
          },
        ];
      }),
    );
    for (const row of rows) {
      const { messages, pictured, dogs } = this.#contentOf(row, records);
      for (const text of messages) all[row.owner_user_id]!.messages.add(text);
      for (const text of pictured) all[row.owner_user_id]!.pictured.add(text);
      for (const name of dogs) all[row.owner_user_id]!.dogs.add(name);
    }
    return all;
  }

  /** Finds the records in the log and the documents with their snapshots. */
  async #documentsOf(userIds: readonly string[]) {
    for (;;) {
      const ids = [...this.#ids];
      // The log before the snapshots: what compaction moves meanwhile is in the snapshot that is read afterwards.
      const records = await this.#db
        .collection<LogRow>('document_log')
        .find({ 'entries.document': { $in: ids } })
        .toArray();
      const rows = await this.#db
        .collection<DocumentRow>('documents')
        .find({ owner_user_id: { $in: [...userIds] }, kind: { $in: KINDS } })
        .project<
          Pick<DocumentRow, '_id' | 'kind' | 'owner_user_id' | 'snapshot' | 'snapshot_version'>
        >({
          kind: 1,
          owner_user_id: 1,
          snapshot: 1,
          snapshot_version: 1,
        })
        .toArray();
      const known = this.#ids.size;
      for (const { _id } of rows) this.#ids.add(_id);
      if (this.#ids.size === known) return [records, rows] as const;
    }
  }

  #contentOf(
    {
      _id,
      kind,
      snapshot,
      snapshot_version,
    }: Pick<DocumentRow, '_id' | 'kind' | 'snapshot' | 'snapshot_version'>,
    records: readonly (LogRow & { _id: unknown })[],
  ): Omit<StoredContent, 'drafts'> {
    const inLog = records.flatMap(({ _id: record, entries }) =>
      entries.flatMap(({ document, chunks }) =>
        document === _id ? [{ record, chunks: chunks.buffer }] : [],
      ),
    );
    const read = [snapshot_version, snapshot.length(), ...inLog.map(({ record }) => record)].join();
    const known = this.#known.get(_id);
    if (known?.records === read) return known.content;
    const chunks = [snapshot.buffer, ...inLog.map((each) => each.chunks)];
    const doc = chunks.reduce<A.Doc<unknown>>(
      (before, each) => A.loadIncremental(before, each),
      A.init(),
    );
    const messages = kind === 'segment' ? readSegment(doc).messages : [];
    const content = {
      messages: new Set(messages.map(({ text }) => text)),
      pictured: new Set(messages.filter(({ photo }) => photo?.image_key).map(({ text }) => text)),
      dogs: new Set(kind === 'card' ? readCard(doc).dogs.map(({ name }) => name) : []),
    };
    A.free(doc);
    this.#known.set(_id, { records: read, content });
    return content;
  }
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
