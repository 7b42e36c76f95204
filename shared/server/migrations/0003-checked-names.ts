import type { Document } from 'mongodb';
import type { Migration } from './migration.ts';
import { updateInBatches } from './update-in-batches.ts';

/** Names from before names of staff and of the product were reserved: they stay until their owners change them. */
export const checkedNames: Migration = {
  name: '0003-checked-names',
  run: (db, proceed) =>
    updateInBatches(
      db.collection<Document & { _id: string }>('cards'),
      { display_name: { $gt: '' }, checked_name: { $exists: false } },
      [{ $set: { checked_name: '$display_name' } }],
      { proceed },
    ),
};
