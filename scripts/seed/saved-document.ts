import { Binary } from 'mongodb';
import type { PartPlace } from '#shared/chat/document.ts';
import type { DocumentKind } from '#shared/document-kinds.ts';
import { markOf } from '#shared/sync/state-digest.ts';
import type { DocumentRow } from '../../sync-server/database.ts';
import { savedFrom } from './document-template.ts';
import type { Person } from './user-cluster.ts';

/**
 * A document as the sync server keeps it. Nothing of it is projected any more: whoever makes it writes the projection too.
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
  }: { readers?: string[]; place?: PartPlace; subject?: string } = {},
): DocumentRow {
  const { saved, heads } = savedFrom(documentId, value);
  return {
    _id: documentId,
    kind,
    owner_user_id: id,
    reader_user_ids: readers,
    snapshot: new Binary(saved),
    mark: markOf(documentId, heads),
    snapshot_version: 0,
    ...(place && { place }),
    ...(subject && { subject_user_id: subject }),
    created_at: joined,
  };
}
