import type { Db } from 'mongodb';

/** `restores`: one row while a backup is being restored. If the restore is interrupted, it stays. */
export interface RestoreRow {
  _id: 'unfinished';
  started_at: Date;
}

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
