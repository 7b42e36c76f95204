import type { AnyBulkWriteOperation, Db } from 'mongodb';
import type { PositionReport } from '#shared/proximity/contract.ts';
import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import { batchCalls } from '#shared/server/batches.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { retryFailover } from '../../../platform/http/retry-failover.ts';
import { positions as positionRows, type PositionRow } from '../collections.ts';
import { isIneligible } from '../engine/active-user.ts';
import { cellOf } from '../nodes/followed-cells.ts';

/** The data that is stored with a position. */
export interface Position {
  report: PositionReport;
  at: Date;
  sessionId: string;
}

// A position is renewed within seconds: it need not wait for the journal.
const WRITE = { ordered: false, writeConcern: { w: 1, journal: false } } as const;
const BATCH = 1000;
/** The shortest time between the starts of two writes. */
const GATHER_MS = 20;

export interface PositionStore {
  /** Stores a position; acknowledged when it resolves. Concurrent calls share a write. */
  put(userId: string, position: Position): Promise<void>;
  remove(userId: string): Promise<void>;
  /** Removes the rows of users who have not reported since then, once their owners were notified. */
  removeStale(userIds: string[]): Promise<void>;
  /**
   * Removes all rows that have been stale for a minute, including those of nodes that ended, once their owners were
   * notified.
   */
  removeAllStale(): Promise<void>;
  /** Yields the rows in these cells that still count, unordered and in batches. */
  inCells(cells: string[]): AsyncGenerator<PositionRow[]>;
  /** Returns the rows of users that still count. */
  ofUsers(userIds: string[]): Promise<PositionRow[]>;
}

/** Creates the store of positions, whose writes are acknowledged without the journal. */
export function createPositionStore(db: Db): PositionStore {
  const positions = positionRows(db);

  const write = batchCalls(
    async (changes: [userId: string, position: Position | null][]) => {
      const operations = Array.from(new Map(changes), toOperation);
      await retryFailover(() => positions.bulkWrite(operations, WRITE));
    },
    { pauseMs: GATHER_MS },
  );

  const cutoff = () => new Date(Date.now() - STALE_SECONDS * 1000);

  return {
    put: (userId, position) => write([userId, position]),
    remove: (userId) => write([userId, null]),
    async removeStale(userIds) {
      for (let from = 0; from < userIds.length; from += BATCH)
        await positions.deleteMany(
          {
            _id: { $in: userIds.slice(from, from + BATCH) },
            at: { $lt: cutoff() },
            is_silent: true,
          },
          { writeConcern: WRITE.writeConcern },
        );
    },
    async removeAllStale() {
      const minute = minuteOf(cutoff());
      // Rows of earlier versions have no minute.
      await positions.deleteMany(
        {
          $or: [{ minute: { $lt: minute } }, { minute: { $exists: false } }],
          at: { $lt: cutoff() },
          is_silent: true,
        },
        { writeConcern: WRITE.writeConcern },
      );
    },
    async *inCells(cells) {
      let batch: PositionRow[] = [];
      for await (const row of positions.find({ cell: { $in: cells } }).batchSize(BATCH)) {
        if (row.at >= cutoff()) batch.push(row);
        if (batch.length < BATCH) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    },
    ofUsers: (userIds) =>
      positions.find({ _id: { $in: userIds }, at: { $gte: cutoff() } }).toArray(),
  };
}

/** Returns the minute since 1970. */
export const minuteOf = (at: Date): number => Math.floor(at.getTime() / MINUTE_MS);

function toOperation([_id, position]: [
  string,
  Position | null,
]): AnyBulkWriteOperation<PositionRow> {
  if (!position) return { deleteOne: { filter: { _id } } };
  return { replaceOne: { filter: { _id }, replacement: toRow(position), upsert: true } };
}

/** Returns the row of a position, without the user's id. */
export function toRow({ report, at, sessionId }: Position): Omit<PositionRow, '_id'> {
  const { device, sequence, is_nameless, dog_ids, radius_feet } = report;
  return {
    location: { type: 'Point', coordinates: [report.longitude, report.latitude] },
    cell: cellOf(report),
    at,
    minute: minuteOf(at),
    session_id: sessionId,
    ...(device === undefined ? {} : { tracker: device, sequence }),
    ...(isIneligible(report) ? { is_ineligible: true } : {}),
    ...(is_nameless ? { is_nameless } : {}),
    ...(dog_ids ? { dog_ids } : {}),
    ...(radius_feet === undefined ? {} : { radius_feet }),
  };
}

/** Returns what a row says of the report that it was made from. */
export function reportOf(row: PositionRow): PositionReport {
  const [longitude, latitude] = row.location.coordinates;
  const { tracker, sequence = 0, is_nameless, dog_ids, radius_feet } = row;
  const order = tracker === undefined ? {} : { device: tracker, sequence };
  return { latitude, longitude, ...order, is_nameless, dog_ids, radius_feet };
}
