import { newId } from '#shared/ids.ts';
import type { Database, SyncServerRow } from './database.ts';
import { TIMES_ACCEPTED_MS } from './limits.ts';

/** Returns the row of this installation's storage; the first node creates it. */
export async function loadServerRow({ server }: Pick<Database, 'server'>): Promise<SyncServerRow> {
  const upgraded = new Date(Date.now() + TIMES_ACCEPTED_MS);
  const isNew = { $eq: [{ $type: '$storage_id' }, 'missing'] };
  const times_until = { $cond: [isNew, new Date(0), upgraded] };
  const row = await server.findOneAndUpdate(
    { _id: 'storage' },
    [
      {
        $set: {
          storage_id: { $ifNull: ['$storage_id', newId()] },
          times_until: { $ifNull: ['$times_until', times_until] },
        },
      },
    ],
    { upsert: true, returnDocument: 'after' },
  );
  return row!;
}
