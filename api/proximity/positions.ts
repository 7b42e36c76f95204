import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { Place } from '#shared/place.ts';
import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { Database } from '../database.ts';
import { retryFailover } from '../http/retry-failover.ts';
import { coalesce } from './coalesce.ts';

/** `positions`: where everybody is who shares it, for no longer than it counts. */
export interface PositionRow {
  /** The user's id. */
  _id: string;
  location: { type: 'Point'; coordinates: [longitude: number, latitude: number] };
  at: Date;
  /** The session of the device that it is from: it ends with it. Rows of before lack it. */
  session_id?: string;
  /** Nobody is met by it. */
  is_aside?: true;
}

/** What a row is made of. */
interface Standing {
  place: Place;
  at: Date;
  sessionId: string;
  isAside: boolean;
}

/** Null: no place any more. */
interface Change {
  userId: string;
  standing: Standing | null;
}

// A position is renewed within seconds: it need not wait for the journal.
const WRITE = { ordered: false, writeConcern: { w: 1, journal: false } } as const;
const BATCH = 1000;

export interface Positions {
  /** Acknowledged when it resolves; what comes at once shares a write. */
  put(userId: string, standing: Standing): Promise<void>;
  remove(userId: string): Promise<void>;
  /** Removes rows of users who have not reported since. */
  removeStale(userIds: string[]): Promise<void>;
  /** Every row that still counts, in no order, by batches; takes away those that do not. */
  live(): AsyncGenerator<PositionRow[]>;
}

/** Positions as MongoDB has them, acknowledged without the journal (decision 23). */
export function openPositions({ db }: Database): Positions {
  const positions: Collection<PositionRow> = db.collection('positions');

  const write = coalesce(async (changes: Change[]) => {
    const last = new Map(changes.map((change) => [change.userId, change]));
    await retryFailover(() => positions.bulkWrite(Array.from(last.values(), operation), WRITE));
  });

  const cutoff = () => new Date(Date.now() - STALE_SECONDS * 1000);

  return {
    put: (userId, standing) => write({ userId, standing }),
    remove: (userId) => write({ userId, standing: null }),
    async removeStale(userIds) {
      for (let from = 0; from < userIds.length; from += BATCH)
        await positions.deleteMany(
          { _id: { $in: userIds.slice(from, from + BATCH) }, at: { $lt: cutoff() } },
          { writeConcern: WRITE.writeConcern },
        );
    },
    async *live() {
      await positions.deleteMany({ at: { $lt: cutoff() } });
      const rows = positions.find().batchSize(BATCH);
      let batch: PositionRow[] = [];
      for await (const row of rows) {
        batch.push(row);
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
  };
}

const operation = ({ userId, standing }: Change): AnyBulkWriteOperation<PositionRow> =>
  standing
    ? { replaceOne: { filter: { _id: userId }, replacement: rowOf(standing), upsert: true } }
    : { deleteOne: { filter: { _id: userId } } };

const rowOf = ({ place, at, sessionId, isAside }: Standing): Omit<PositionRow, '_id'> => ({
  location: { type: 'Point', coordinates: [place.longitude, place.latitude] },
  at,
  session_id: sessionId,
  ...(isAside ? { is_aside: true } : {}),
});
