import type { Db } from 'mongodb';

/** `restores`: one row while a backup is being restored. If the restore is interrupted, it stays. */
export interface RestoreRow {
  _id: 'unfinished';
  started_at: Date;
}

/** `backups`: the newest archive of each kind, so that servers can report how old it is. Archives don't contain it. */
export interface BackupRow {
  _id: 'full' | 'changes' | 'ledger';
  /** The moment whose state it has. */
  at: Date;
}

export const backups = (db: Db) => db.collection<BackupRow>('backups');
export const restores = (db: Db) => db.collection<RestoreRow>('restores');

/**
 * Keeps servers from serving half of a backup.
 * @throws while a backup is being restored, and after the restore was interrupted
 */
export async function refuseUnfinishedRestore(db: Db): Promise<void> {
  if (await restores(db).findOne({ _id: 'unfinished' }))
    throw new Error(
      'The restore of a backup isn’t finished. If it was interrupted, run `npm run restore` again.',
    );
}
