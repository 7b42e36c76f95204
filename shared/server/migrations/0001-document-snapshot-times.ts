import type { Document } from 'mongodb';
import type { Migration } from './migration.ts';
import { updateInBatches } from './update-in-batches.ts';

/**
 * Documents that don't say when their snapshot was written, because they are from before backups of changes or were added by the seed
 * script: the next backup of changes contains them.
 */
export const documentSnapshotTimes: Migration = {
  name: '0001-document-snapshot-times',
  run: (db, proceed) =>
    updateInBatches(
      db.collection<Document & { _id: string }>('documents'),
      { snapshot_at: { $exists: false } },
      [{ $set: { snapshot_at: '$$NOW' } }],
      { proceed },
    ),
};
