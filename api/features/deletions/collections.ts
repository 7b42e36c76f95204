import type { Db } from 'mongodb';
import type { Indexes } from '../../platform/database.ts';

/**
 * `deletions`: what must not come back when an older backup is restored. It outlives the backups (`DELETIONS_STORED_DAYS`).
 */
export interface DeletionRow {
  /** From `deletionId`. */
  _id: string;
  at: Date;
  /** Set by a restore: the message that was removed after the backup, until it is removed again. */
  restored_message_id?: string;
}

export const deletions = (db: Db) => db.collection<DeletionRow>('deletions');

export const deletionIndexes: Indexes = {
  deletions: [{ key: { at: 1 } }, { key: { restored_message_id: 1 }, sparse: true }],
};
