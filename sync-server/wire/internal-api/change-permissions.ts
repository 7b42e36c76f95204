import { notFound } from '#shared/http/http-error.ts';
import type { NodeOrders } from '../../bus/node-orders.ts';
import type { DocumentPermissions } from '../../core/access/document-permissions.ts';
import type { Database } from '../../core/database.ts';
import type { ChangeLog } from '../../core/storage/change-log.ts';
import type { ConnectionRegistry } from '../connections/connection-registry.ts';

interface PermissionServices {
  database: Database;
  log: ChangeLog;
  permissions: DocumentPermissions;
  connections: ConnectionRegistry;
  orders: Pick<NodeOrders, 'send'>;
}

/**
 * Changes permissions, and closes the connections that rely on the old ones.
 * @param to.readers by default, unchanged, as `is_retired`
 * @throws HttpError 404
 */
export async function changePermissions(
  { database, log, permissions, connections, orders }: PermissionServices,
  documentId: string,
  to: { readers?: string[]; is_frozen: boolean; is_retired?: boolean },
): Promise<void> {
  const { readers, is_frozen, is_retired } = to;
  const $set = {
    ...(readers && { reader_user_ids: { $literal: readers } }),
    is_frozen: { $or: [is_frozen, is_retired ?? { $ifNull: ['$is_retired', false] }] },
    ...(is_retired !== undefined && { is_retired }),
  };
  permissions.invalidate(documentId);
  const before = await database.documents.findOneAndUpdate({ _id: documentId }, [{ $set }], {
    projection: { reader_user_ids: 1, owner_user_id: 1, is_frozen: 1, is_retired: 1 },
  });
  permissions.invalidate(documentId);
  if (!before) throw notFound('Document');
  const had = new Set(before.reader_user_ids);
  const have = new Set(readers ?? had);
  const changed = [...had, ...have].filter((userId) => had.has(userId) !== have.has(userId));
  const isFrozen = is_frozen || (is_retired ?? before.is_retired ?? false);
  // Another call may have retired it, and not have closed the connections yet: what its caller reads next must be all.
  if (is_retired || (before.is_frozen ?? false) !== isFrozen) changed.push(before.owner_user_id);
  connections.permissionChanged(documentId, changed);
  // What arrived before: a caller that copies the document next, also from another node, gets it.
  await log.settled();
  // A call may be repeated because its node crashed: others may already rely on its first change.
  const users = [...new Set([before.owner_user_id, ...had, ...have])];
  await orders.send({ is: 'permission', document: documentId, changed, users });
}
