import { Binary } from 'mongodb';
import { batchCalls } from '#shared/server/batches.ts';
import { databaseTrouble } from '#shared/server/database-errors.ts';
import { stateDigest } from '#shared/sync/state-digest.ts';
import type { Database } from '../database.ts';

/** A document in its saved form. */
export interface Snapshot {
  documentId: string;
  /** The version of the snapshot that it replaces. */
  version: number;
  saved: Uint8Array;
  heads: string[];
}

type Documents = Pick<Database['documents'], 'bulkWrite' | 'updateOne' | 'countDocuments'>;
type Outcome = { isWritten: boolean } | { error: unknown };

const updateOf = ({ documentId, version, saved, heads }: Snapshot) => ({
  filter: { _id: documentId, snapshot_version: version },
  update: {
    $set: {
      snapshot: new Binary(saved),
      snapshot_at: new Date(),
      mark: stateDigest(documentId, heads),
    },
    $inc: { snapshot_version: 1 },
  },
});

/**
 * Returns a function that writes a snapshot, with one command for all that are ready meanwhile. It returns whether the snapshot was
 * written: not if another process was faster, or the document was removed. It throws the error of this snapshot alone, unless the
 * database does not work.
 */
export function snapshotWriter(documents: Documents): (snapshot: Snapshot) => Promise<boolean> {
  const write = batchCalls((all: Snapshot[]) => writeAll(documents, all), { isWholeTurn: true });
  return async (snapshot) => {
    const outcome = (await write(snapshot)).get(snapshot)!;
    if ('error' in outcome) throw outcome.error;
    return outcome.isWritten;
  };
}

/** @throws when the database does not work */
async function writeAll(
  documents: Documents,
  all: readonly Snapshot[],
): Promise<ReadonlyMap<Snapshot, Outcome>> {
  if (all.length > 1)
    try {
      const updates = all.map((each) => ({ updateOne: updateOf(each) }));
      const { matchedCount } = await documents.bulkWrite(updates, { ordered: false });
      if (matchedCount === all.length)
        return new Map(all.map((each) => [each, { isWritten: true }]));
    } catch (error) {
      if (databaseTrouble(error)) throw error;
    }
  // Which of them was not written, and why.
  const outcomes = new Map<Snapshot, Outcome>();
  for (const each of all) outcomes.set(each, await writeOne(documents, each));
  return outcomes;
}

/** Writes a snapshot, unless it was written already. */
async function writeOne(documents: Documents, snapshot: Snapshot): Promise<Outcome> {
  try {
    const { filter, update } = updateOf(snapshot);
    const { matchedCount } = await documents.updateOne(filter, update);
    if (matchedCount === 1) return { isWritten: true };
    const { mark } = update.$set;
    if (mark === null) return { isWritten: false };
    const written = { _id: filter._id, snapshot_version: snapshot.version + 1, mark };
    return { isWritten: (await documents.countDocuments(written, { limit: 1 })) === 1 };
  } catch (error) {
    if (databaseTrouble(error)) throw error;
    return { error };
  }
}
