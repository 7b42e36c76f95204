import { createHash } from 'node:crypto';
import * as A from '@automerge/automerge';
import { Binary } from 'mongodb';
import type { SegmentPlace } from '#shared/chat/document.ts';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { stateDigest } from '#shared/sync/state-digest.ts';
import type { DocumentRow } from '../../sync-server/core/database.ts';
import type { Person } from './user-cluster.ts';

const ACTOR_DIGITS = 32;

/** Creates a document with one change. It depends on the arguments only: the actor derives from the id, and the change has no time. */
function createDocument(documentId: string, value: object): { bytes: Uint8Array; heads: A.Heads } {
  const actor = createHash('sha256').update(documentId).digest('hex').slice(0, ACTOR_DIGITS);
  const document = A.change(A.init<Record<string, unknown>>({ actor }), { time: 0 }, (draft) => {
    Object.assign(draft, value);
  });
  const created = { bytes: A.save(document), heads: A.getHeads(document) };
  A.free(document);
  return created;
}

/**
 * Returns a document as the sync server stores it. The caller writes its projection.
 * @param options.subject of a friend card: whose card it shows
 */
export function savedDocument(
  kind: DocumentKind,
  { id, joined }: Pick<Person, 'id' | 'joined'>,
  documentId: string,
  value: object,
  {
    readers = [],
    place,
    subject,
  }: { readers?: string[]; place?: SegmentPlace; subject?: string } = {},
): DocumentRow {
  const { bytes, heads } = createDocument(documentId, value);
  return {
    _id: documentId,
    kind,
    owner_user_id: id,
    reader_user_ids: readers,
    snapshot: new Binary(bytes),
    mark: stateDigest(documentId, heads),
    snapshot_version: 0,
    snapshot_at: new Date(),
    ...(place && { place }),
    ...(subject && { subject_user_id: subject }),
    created_at: joined,
  };
}
