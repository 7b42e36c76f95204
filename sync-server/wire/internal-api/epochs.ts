import { createHash } from 'node:crypto';
import { Binary } from 'mongodb';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { FROZEN } from '#shared/sync/contract.ts';
import { documentIdFrom } from '#shared/sync/document-ids.ts';
import { stateDigest } from '#shared/sync/state-digest.ts';
import { HOUR_MS } from '#shared/time.ts';
import type { DocumentPermissions } from '../../core/access/document-permissions.ts';
import type { Database, DocumentRow } from '../../core/database.ts';
import type { Documents } from '../../core/documents/documents.ts';
import { UnreadableDocument } from '../../core/documents/load-document.ts';
import { rewrittenDocument } from '../../core/documents/named-changes.ts';
import type { OpenDocument } from '../../core/documents/open-document.ts';
import type { Projections } from '../../plugins/projections.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';

type Params = { params: { documentId: string } };

interface EpochServices {
  database: Pick<Database, 'documents'>;
  documents: Documents;
  projections: Pick<Projections, 'settled'>;
  permissions: Pick<DocumentPermissions, 'invalidate'>;
  connections: Pick<ConnectionRegistry, 'permissionChanged'>;
  /** @throws HttpError 404, UnreadableDocument, or an error of the database */
  withDocument<T>(documentId: string, work: (document: OpenDocument) => Promise<T> | T): Promise<T>;
  changePermissions(
    documentId: string,
    to: { is_frozen: boolean; is_retired?: boolean },
  ): Promise<void>;
}

/** Documents whose epochs end are replaced in batches of this size. */
const ENDING_AT_ONCE = 100;
/** When a document that could not be rewritten is tried again. */
const RETRY_AFTER_MS = HOUR_MS;

/** A document that no other one can replace now. */
class NotRewritable extends Error {}

/**
 * The id of a document that replaces another one with these heads. Values follow from heads: if a server ends halfway, or a backup is
 * restored, the same id is never given to other values.
 */
const successorOf = (documentId: string, heads: readonly string[]): string =>
  documentIdFrom(createHash('sha256').update(`${documentId} after ${heads.join()}`).digest());

/** Creates the handlers of documents that others replace (decision 392). */
export function createEpochHandlers(services: EpochServices) {
  const { database, documents, projections, permissions, connections } = services;
  const { withDocument, changePermissions } = services;

  /** Returns what will replace a document as it is stored now. @throws NotRewritable */
  async function rewritten(documentId: string) {
    try {
      return await withDocument(documentId, async (document) => {
        await documents.refresh(document);
        return await new Promise<ReturnType<typeof rewrite>>((resolve, reject) =>
          document.enqueue(() => {
            try {
              resolve(rewrite(document));
            } catch (cause) {
              reject(new NotRewritable('the document cannot be rewritten', { cause }));
            }
          }, reject),
        );
      });
    } catch (cause) {
      if (!(cause instanceof UnreadableDocument)) throw cause;
      throw new NotRewritable('the document cannot be read', { cause });
    }
  }

  const rowOf = (_id: string) =>
    database.documents.findOne({ _id }, { projection: { snapshot: 0 } });

  /**
   * Creates the document that replaces another one.
   * @param noted what should have replaced it by an earlier call, which ended before it was made
   */
  async function make(
    documentId: string,
    noted: string | undefined,
    { successor, saved, heads, operations }: ReturnType<typeof rewrite>,
  ): Promise<void> {
    // First, so that no document is made of which nobody knows.
    const row = await database.documents.findOneAndUpdate(
      { _id: documentId, successor: noted ?? { $exists: false } },
      { $set: { successor } },
      { projection: { snapshot: 0 } },
    );
    if (!row) throw new Error('the document was removed, or is being replaced by another call');
    const { kind, owner_user_id, operations_before = 0, created_at } = row;
    const fresh: DocumentRow = {
      _id: successor,
      kind,
      owner_user_id,
      reader_user_ids: [],
      // Until all know that it is the one.
      is_frozen: true,
      snapshot: new Binary(saved),
      mark: stateDigest(successor, heads),
      snapshot_version: 0,
      snapshot_at: new Date(),
      operations_before: operations_before + operations,
      created_at,
    };
    await database.documents.insertOne(fresh).catch((error: unknown) => {
      // An earlier call has made the same.
      if (!isDuplicate(error)) throw error;
    });
    if ((await rowOf(documentId))?.successor === successor) return;
    await database.documents.deleteOne({ _id: successor });
    throw new Error('the document was removed, or replaced by another call');
  }

  /** Has a document tried again later, which stays as it is. */
  async function postpone(documentId: string, error: unknown): Promise<never> {
    if (!(error instanceof NotRewritable)) throw error;
    const epoch_due = new Date(Date.now() + RETRY_AFTER_MS);
    await database.documents.updateOne({ _id: documentId }, { $set: { epoch_due } });
    throw new HttpError(409, error.message, { code: FROZEN });
  }

  return {
    async succeedDocument({ params: { documentId } }: Params) {
      const row = await rowOf(documentId);
      if (!row) throw notFound('Document');
      let { successor } = row;
      if (successor === undefined || !(await rowOf(successor))) {
        // Its owner can go on writing if that is not possible.
        await rewritten(documentId).catch((error: unknown) => postpone(documentId, error));
        // From now on no change to it is acknowledged; otherwise changes after the read would be lost.
        await changePermissions(documentId, { is_frozen: true, is_retired: true });
        const made = await rewritten(documentId).catch(async (error: unknown) => {
          if (error instanceof NotRewritable)
            await changePermissions(documentId, { is_frozen: false, is_retired: false });
          return postpone(documentId, error);
        });
        await make(documentId, successor, made);
        ({ successor } = made);
      }
      const old = documents.inMemory(documentId);
      if (old) old.isReplaced = true;
      // After a restored backup, a device may know it already.
      permissions.invalidate(successor);
      connections.permissionChanged(successor, [row.owner_user_id]);
      await withDocument(successor, (document) => void document.projectAgain());
      await projections.settled();
      return { document_id: successor };
    },

    async listEndingEpochs() {
      const due = await database.documents
        .find(
          { $or: [{ epoch_due: true }, { epoch_due: { $lte: new Date() } }] },
          { projection: { kind: 1, owner_user_id: 1 }, limit: ENDING_AT_ONCE },
        )
        .toArray();
      return { documents: due.map(({ _id, ...row }) => ({ document_id: _id, ...row })) };
    },

    async endEpoch({ params: { documentId } }: Params) {
      await database.documents.updateOne({ _id: documentId }, { $unset: { epoch_due: '' } });
      return {};
    },
  };
}

/** Call it within a task of the document. */
function rewrite({ id, content }: OpenDocument) {
  const successor = successorOf(id, content.heads);
  const { operations } = content;
  return { successor, operations, ...rewrittenDocument(successor, content.save()) };
}
