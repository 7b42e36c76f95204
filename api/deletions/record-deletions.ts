import { createHash } from 'node:crypto';
import type { Db } from 'mongodb';
import { deletions } from './collections.ts';

/** Returns the hash under which a deletion is recorded. Ids are random: without them, nobody learns what was deleted. */
export const deletionId = (kind: 'user' | 'message', id: string): string =>
  createHash('sha256').update(`deleted ${kind} ${id}`).digest('base64url');

/** Records deletions before they are carried out, so that no restored backup brings the data back. May be repeated. */
export async function recordDeletions(
  db: Db,
  kind: 'user' | 'message',
  ids: readonly string[],
): Promise<void> {
  const at = new Date();
  const writes = ids.map((id) => ({
    updateOne: {
      filter: { _id: deletionId(kind, id) },
      update: { $setOnInsert: { at } },
      upsert: true,
    },
  }));
  if (writes.length > 0) await deletions(db).bulkWrite(writes, { ordered: false });
}
