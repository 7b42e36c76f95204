import { Binary, MongoServerError } from 'mongodb';
import type { z } from 'zod';
import { markOf } from '#shared/sync/state-digest.ts';
import type * as contract from '#shared/sync/contract.ts';
import { FROZEN } from '#shared/sync/contract.ts';
import { paying } from './budget.ts';
import type { Database } from './database.ts';
import type { Documents } from './documents.ts';
import type { FriendCards } from './friend-cards.ts';
import type { StallWatch } from './figures.ts';
import { invalid, Refusal } from './refusal.ts';
import { applyNamedChange, initialDocument, namedChange } from './named-changes.ts';
import type { OpenDocument } from './open-document.ts';
import type { Projections } from './projections.ts';
import type { Rights } from './rights.ts';
import type { Sockets } from './sockets.ts';

export interface InternalParts {
  database: Database;
  documents: Documents;
  friendCards: FriendCards;
  projections: Projections;
  rights: Rights;
  sockets: Sockets;
  stalls: StallWatch;
}

type Body<E extends { body?: z.ZodType }> = { body: z.output<NonNullable<E['body']>> };
type Params = { params: { documentId: string } };
type By = string | undefined;

const DUPLICATE_KEY = 11_000;
const DOCUMENT_ID = /^[1-9A-HJ-NP-Za-km-z]{16,64}$/;

const notFound = () => new Refusal(404, 'not_found', 'Document not found');

/** What the api may ask of documents. Everything that writes is durable, and projected, before it is answered. */
export function internalCalls({
  database,
  documents,
  friendCards,
  projections,
  rights,
  sockets,
  stalls,
}: InternalParts) {
  async function withDocument<T>(
    documentId: string,
    work: (document: OpenDocument) => Promise<T> | T,
  ): Promise<T> {
    const document = await documents.open(documentId);
    if (!document) throw notFound();
    try {
      return await work(document);
    } finally {
      document.release();
    }
  }

  const turns = new Map<string, Promise<unknown>>();

  /**
   * Does work for somebody: one thing after the other, so that others have their turn in between.
   * @throws Refusal 429 while they asked for too much
   */
  function workFor<T>(by: By, work: (pay: (ms: number) => void) => Promise<T>): Promise<T> {
    if (by === undefined) return work(() => {});
    const turn = (turns.get(by) ?? Promise.resolve()).then(() => {
      if (sockets.hasSpentAll(by))
        throw new Refusal(429, 'rate_limited', 'Too much at once. Please wait a moment.');
      return work((ms) => sockets.spend(by, ms));
    });
    const over: Promise<unknown> = Promise.allSettled([turn]).finally(() => {
      if (turns.get(by) === over) turns.delete(by);
    });
    turns.set(by, over);
    return turn;
  }

  /** @throws Refusal 404 where it is gone, 409 where its owner may not write it now */
  async function refuseFrozen(documentId: string): Promise<void> {
    const row = await database.documents.findOne(
      { _id: documentId },
      { projection: { is_frozen: 1 } },
    );
    if (!row) throw notFound();
    if (row.is_frozen) throw new Refusal(409, FROZEN, 'The document is frozen');
  }

  /**
   * Closes the sockets that rely on a right that it takes, or waited for one that it gives.
   * @param to.readers by default, those that it has
   * @throws Refusal 404
   */
  async function changeRights(
    documentId: string,
    to: { readers?: string[]; is_frozen: boolean; is_retired?: boolean },
  ): Promise<void> {
    const { readers, is_frozen, is_retired = false } = to;
    const $set = {
      ...(readers && { reader_user_ids: { $literal: readers } }),
      is_frozen: { $or: [is_frozen, { $ifNull: ['$is_retired', false] }] },
      ...(is_retired && { is_retired }),
    };
    rights.changed();
    const before = await database.documents.findOneAndUpdate({ _id: documentId }, [{ $set }], {
      projection: { reader_user_ids: 1, owner_user_id: 1, is_frozen: 1, is_retired: 1 },
    });
    rights.changed();
    if (!before) throw notFound();
    const had = new Set(before.reader_user_ids);
    const have = new Set(readers ?? had);
    const changed = [...had, ...have].filter((userId) => had.has(userId) !== have.has(userId));
    const isFrozen = is_frozen || (before.is_retired ?? false);
    if ((before.is_frozen ?? false) !== isFrozen) changed.push(before.owner_user_id);
    sockets.rightChanged(documentId, changed);
  }

  return {
    async createDocument({ body }: Body<typeof contract.createDocument>) {
      const { document_id, kind, owner_user_id, created_at, place, subject_user_id } = body;
      if (
        !DOCUMENT_ID.test(document_id) ||
        (kind === 'part') !== (place !== undefined) ||
        (kind === 'friend_card') !== (subject_user_id !== undefined)
      )
        throw new Refusal(400, 'invalid_input', 'Invalid input');
      const subject =
        subject_user_id === undefined ? undefined : await friendCards.subject(subject_user_id);
      const { saved, heads } = initialDocument(kind, owner_user_id, created_at, place, subject);
      try {
        await database.documents.insertOne({
          _id: document_id,
          kind,
          owner_user_id,
          reader_user_ids: [],
          snapshot: new Binary(saved),
          mark: markOf(document_id, heads),
          snapshot_version: 0,
          ...(place && { place }),
          ...(subject && { subject_user_id: subject.user_id }),
          created_at: new Date(created_at),
        });
      } catch (error) {
        if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) throw error;
        const same = await database.documents.countDocuments({
          _id: document_id,
          kind,
          owner_user_id,
        });
        if (same === 0) throw new Refusal(409, 'conflict', 'There is another document of this id');
      }
      // The card may have changed since it was read, and before it was known that this shows it, too.
      if (subject) await friendCards.bring(subject.user_id, document_id);
      else await withDocument(document_id, (document) => documents.project(document));
      await projections.settled();
      return {};
    },

    async readDocument({ params, query: { by } }: Params & { query: { by?: By } }) {
      const value = await workFor(by, (pay) =>
        withDocument(
          params.documentId,
          (document) =>
            new Promise<unknown>((resolve, reject) =>
              document.enqueue(() => resolve(paying(pay, () => document.content.value())), reject),
            ),
        ),
      );
      return { value };
    },

    async changeDocument({ params, body }: Params & Body<typeof contract.changeDocument>) {
      const value = await workFor(body.by, (pay) =>
        withDocument(params.documentId, (document) => {
          const change = namedChange(document.kind, body.name);
          if (!change) throw new Refusal(400, 'invalid_input', `No change is called ${body.name}`);
          const input = change.input.safeParse(body.input);
          if (!input.success) throw invalid(input.error);
          return applyNamedChange(document, change, input.data, pay);
        }),
      );
      await projections.settled();
      // Not before: whoever froze it to copy it reads it after that, and has what was durable by then.
      if (body.by !== undefined) await refuseFrozen(params.documentId);
      return { value };
    },

    async setReaders({ params: { documentId }, body }: Params & Body<typeof contract.setReaders>) {
      const readers = [...new Set(body.reader_user_ids)];
      await changeRights(documentId, { readers, is_frozen: body.is_frozen });
      return {};
    },

    async retireDocument({ params: { documentId } }: Params) {
      await changeRights(documentId, { is_frozen: true, is_retired: true });
      return {};
    },

    async removeDocument({ params: { documentId } }: Params) {
      rights.changed();
      const row = await database.documents.findOneAndDelete(
        { _id: documentId },
        { projection: { kind: 1, owner_user_id: 1, reader_user_ids: 1 } },
      );
      rights.changed();
      if (row) sockets.rightChanged(documentId, [row.owner_user_id, ...row.reader_user_ids]);
      documents.inMemory(documentId)?.drop(new Error('the document was removed'));
      documents.forget(documentId);
      await projections.forget(documentId, row?.kind);
      const entry = { 'entries.document': documentId };
      await database.log.updateMany(entry, { $pull: { entries: { document: documentId } } });
      await database.setAside.deleteMany({ '_id.document': documentId });
      return {};
    },

    async publishCard({ body: { user_id } }: Body<typeof contract.publishCard>) {
      friendCards.publish(user_id);
      return {};
    },

    async disconnect({ body }: Body<typeof contract.disconnect>) {
      if ('session_id' in body) sockets.closeSession(body.session_id);
      else sockets.closeUser(body.user_id);
      return {};
    },

    async ready() {
      const ready = await database.ping().then(
        () => true,
        () => false,
      );
      return { ready };
    },

    async figures() {
      return {
        max_stall_ms: stalls.take(),
        cpu_ms: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
        rss_bytes: process.memoryUsage.rss(),
        open_documents: documents.size,
        sockets: sockets.size,
      };
    },
  };
}
