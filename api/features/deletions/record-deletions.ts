import type { Db } from 'mongodb';
import { hashText } from '../../platform/hash.ts';
import { findTogether } from '../../platform/read-together.ts';
import { deletions } from './collections.ts';

/** Returns the hash under which a deletion is recorded. Ids are random, so it reveals nothing without them. */
export const deletionId = (kind: 'user' | 'message', id: string): string =>
  hashText(`deleted ${kind} ${id}`);

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

/** Returns those of the ids whose deletion is recorded: it has begun, and must be finished. */
export async function recordedAmong(
  db: Db,
  kind: 'user' | 'message',
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const byHash = new Map(ids.map((id) => [deletionId(kind, id), id]));
  const filter = { _id: { $in: [...byHash.keys()] } };
  const found = await findTogether(db, deletions(db), () => ({ filter }));
  return new Set(found.map(({ _id }) => byHash.get(_id) ?? ''));
}

/** Whether the deletion of something is recorded under one of its ids. */
export const isRecorded = async (
  db: Db,
  kind: 'user' | 'message',
  ids: readonly string[],
): Promise<boolean> => (await recordedAmong(db, kind, ids)).size > 0;
