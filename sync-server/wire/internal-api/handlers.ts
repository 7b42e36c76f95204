import { Binary } from 'mongodb';
import type { z } from 'zod';
import { documentKinds } from '#shared/document-kinds.ts';
import { HttpError, invalidInput, notFound } from '#shared/http/http-error.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import type * as contract from '#shared/sync/contract.ts';
import { FROZEN, ONE_UNAVAILABLE } from '#shared/sync/contract.ts';
import { documentLimits } from '#shared/sync/limits.ts';
import { stateDigest } from '#shared/sync/state-digest.ts';
import type { NodeOrders } from '../../bus/node-orders.ts';
import type { DocumentPermissions } from '../../core/access/document-permissions.ts';
import type { Database } from '../../core/database.ts';
import type { Documents } from '../../core/documents/documents.ts';
import {
  applyNamedChange,
  initialDocument,
  namedChange,
  type Attempt,
} from '../../core/documents/named-changes.ts';
import { measureAndCharge } from '../../core/measure-and-charge.ts';
import type { ChangeLog } from '../../core/storage/change-log.ts';
import type { FriendCards } from '../../plugins/friend-cards.ts';
import type { Projections } from '../../plugins/projections.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';
import { changePermissions } from './change-permissions.ts';
import { type By, documentWork } from './document-work.ts';
import { createEpochHandlers } from './epochs.ts';
import type { EventLoopMonitor } from './event-loop-monitor.ts';

export interface HandlerServices {
  database: Database;
  log: ChangeLog;
  documents: Documents;
  friendCards: FriendCards;
  projections: Projections;
  permissions: DocumentPermissions;
  connections: ConnectionRegistry;
  eventLoop: EventLoopMonitor;
  /** Whether the documents that an account writes may only be read for now. */
  isReadOnly(userId: string): boolean;
  orders: Pick<NodeOrders, 'send'>;
}

type Body<E extends { body?: z.ZodType }> = { body: z.output<NonNullable<E['body']>> };
type Params = { params: { documentId: string } };

const DOCUMENT_ID = /^[1-9A-HJ-NP-Za-km-z]{16,64}$/;

/** Creates the handlers of the internal API. Writes are durable and projected before they are answered. */
export function createHandlers(services: HandlerServices) {
  const { database, log, documents, friendCards, projections } = services;
  const { permissions, connections, eventLoop, isReadOnly, orders } = services;
  const { withDocument, workFor } = documentWork(services);

  /**
   * @param by on whose behalf it was changed; otherwise, only replaced documents count
   * @throws HttpError 404 if it was removed, 409 if its owner may not write it now
   */
  async function refuseFrozen(documentId: string, by: By): Promise<void> {
    const row = await database.documents.findOne(
      { _id: documentId },
      { projection: { is_frozen: 1, is_retired: 1 } },
    );
    if (!row) throw notFound('Document');
    if (by === undefined ? row.is_retired : row.is_frozen)
      throw new HttpError(409, 'The document is frozen', { code: FROZEN });
  }

  return {
    createDocument: createDocumentHandler(services, withDocument),

    async readDocument({ params, query: { by } }: Params & { query: { by?: By } }) {
      const value = await workFor(by, (charge) =>
        withDocument(
          params.documentId,
          async (document) => {
            await documents.refresh(document);
            return new Promise<unknown>((resolve, reject) =>
              document.enqueue(
                () => resolve(measureAndCharge(charge, () => document.content.value())),
                reject,
              ),
            );
          },
          by,
        ),
      );
      return { value };
    },

    async changeDocument({
      params,
      body,
      isAbandoned,
    }: Params & Body<typeof contract.changeDocument> & Pick<Attempt, 'isAbandoned'>) {
      const attempt = { actors: body.actors ?? [], isAbandoned };
      let hasEpochs = false;
      const value = await workFor(body.by, (charge) =>
        withDocument(
          params.documentId,
          (document) => {
            if (
              body.by === document.ownerUserId &&
              isReadOnly(body.by) &&
              documentKinds[document.kind].ownerWrites
            )
              throw new HttpError(503, 'The document can only be read now', {
                code: ONE_UNAVAILABLE,
              });
            hasEpochs = documentLimits[document.kind].hasEpochs;
            const change = namedChange(document.kind, body.name);
            if (!change) throw new HttpError(400, `No change is called ${body.name}`);
            const input = change.input.safeParse(body.input);
            if (!input.success) throw invalidInput(input.error);
            return documents.exclusively(document, () =>
              applyNamedChange(document, change, input.data, charge, attempt, (content) =>
                content.value(),
              ),
            );
          },
          body.by,
        ),
      );
      await projections.settled();
      // Not earlier: a caller that freezes a document to copy it reads it afterwards, and gets everything that is durable by then.
      if (body.by !== undefined || hasEpochs) await refuseFrozen(params.documentId, body.by);
      return { value };
    },

    async setReaders({ params: { documentId }, body }: Params & Body<typeof contract.setReaders>) {
      const readers = [...new Set(body.reader_user_ids)];
      await changePermissions(services, documentId, { readers, is_frozen: body.is_frozen });
      return {};
    },

    async retireDocument({ params: { documentId } }: Params) {
      await changePermissions(services, documentId, { is_frozen: true, is_retired: true });
      return {};
    },

    ...createEpochHandlers({
      ...services,
      withDocument,
      changePermissions: (documentId, to) => changePermissions(services, documentId, to),
    }),

    async removeDocument({ params: { documentId } }: Params) {
      permissions.invalidate(documentId);
      const row = await database.documents.findOneAndDelete(
        { _id: documentId },
        { projection: { kind: 1, owner_user_id: 1, reader_user_ids: 1, successor: 1 } },
      );
      permissions.invalidate(documentId);
      const users = row ? [row.owner_user_id, ...row.reader_user_ids] : [];
      connections.permissionChanged(documentId, users);
      documents.remove(documentId);
      await orders.send({ is: 'removed', document: documentId, users });
      await log.settled();
      await projections.forget(documentId, row?.kind);
      await log.forget(documentId);
      await database.quarantine.deleteMany({ '_id.document': documentId });
      return { successor: row?.successor ?? null };
    },

    async publishCard({ body: { user_id } }: Body<typeof contract.publishCard>) {
      friendCards.publish(user_id);
      return {};
    },

    async disconnect({ body }: Body<typeof contract.disconnect>) {
      if ('session_id' in body) connections.closeSession(body.session_id);
      else connections.closeUser(body.user_id);
      await orders.send({ is: 'disconnect', ...body });
      return {};
    },

    async ready() {
      const ready = await database.ping().then(
        () => true,
        () => false,
      );
      return { ready };
    },

    async metrics() {
      return {
        max_stall_ms: eventLoop.takeLongest(),
        cpu_ms: process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
        rss_bytes: process.memoryUsage.rss(),
        open_documents: documents.size,
        sockets: connections.size,
      };
    },
  };
}

/** Creates the handler of new documents. A repeated call changes nothing. */
function createDocumentHandler(
  { database, documents, friendCards, projections, permissions, connections }: HandlerServices,
  withDocument: ReturnType<typeof documentWork>['withDocument'],
) {
  return async ({ body }: Body<typeof contract.createDocument>) => {
    const { document_id, kind, owner_user_id, created_at, place, subject_user_id } = body;
    if (
      !DOCUMENT_ID.test(document_id) ||
      (kind === 'segment') !== (place !== undefined) ||
      (kind === 'friend_card') !== (subject_user_id !== undefined)
    )
      throw new HttpError(400, 'Invalid input');
    const subject =
      subject_user_id === undefined ? undefined : await friendCards.subject(subject_user_id);
    const { saved, heads } = initialDocument(document_id, {
      kind,
      ownerUserId: owner_user_id,
      createdAt: created_at,
      place,
      subject,
    });
    try {
      await database.documents.insertOne({
        _id: document_id,
        kind,
        owner_user_id,
        reader_user_ids: [],
        snapshot: new Binary(saved),
        mark: stateDigest(document_id, heads),
        snapshot_version: 0,
        snapshot_at: new Date(),
        ...(place && { place }),
        ...(subject && { subject_user_id: subject.user_id }),
        created_at: new Date(created_at),
      });
      // After a restore, a device may have asked for it before: it connects again, and sends what it has.
      permissions.invalidate(document_id);
      connections.permissionChanged(document_id, [owner_user_id]);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      const same = await database.documents.countDocuments({
        _id: document_id,
        kind,
        owner_user_id,
      });
      if (same === 0) throw new HttpError(409, 'A document with this id exists already');
    }
    // The card may have changed after it was read, and before this document was found by `publish`.
    if (subject) await friendCards.update(subject.user_id, document_id);
    // The other kinds have nothing to project before their first change.
    else if (kind === 'card')
      await withDocument(document_id, (document) => documents.project(document));
    await projections.settled();
    return {};
  };
}
