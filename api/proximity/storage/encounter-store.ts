import type { Db } from 'mongodb';
import { REPEAT_SECONDS } from '#shared/proximity/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { eventId, timeOfEvent } from '../../events/event-id.ts';
import { deleteDue } from '../../retention.ts';
import { proximityEvents, type ProximityEventRow } from '../collections.ts';
import { batchCalls } from './batch-calls.ts';

export interface EncounterStore {
  /** Creates the row of an encounter that happens now, without storing it. */
  createRow(senderId: string, receiverId: string, distanceFeet: number): ProximityEventRow;
  record(row: ProximityEventRow): Promise<void>;
  /** Returns a user's encounters of the last half minute that are newer than this id. */
  after(userId: string, id: string): Promise<ProximityEventRow[]>;
  /** Returns all encounters of a user, newest first. */
  of(userId: string): Promise<ProximityEventRow[]>;
  remove(userId: string): Promise<void>;
  /** Returns all encounters of the last half minute, oldest first. */
  recent(): Promise<ProximityEventRow[]>;
}

const RETENTION_DAYS = 30;

/** Deletes encounters that are a month old. @param database in which the friendly index has counted them before */
export async function deleteOldEncounters(db: Db): Promise<void> {
  await deleteDue(proximityEvents(db), {
    triggered_at: { $lt: new Date(Date.now() - RETENTION_DAYS * DAY_MS) },
  });
}

/** The clocks of two servers, and rows that were written a moment late, may differ by this much. */
const LEEWAY_MS = 2_000;

/** Creates the store of encounters; those of one moment are inserted together. */
export function createEncounterStore(db: Db): EncounterStore {
  const rows = proximityEvents(db);
  const insert = batchCalls((batch: ProximityEventRow[]) => rows.insertMany(batch));
  const either = (userId: string) => ({
    $or: [{ sender_user_id: userId }, { receiver_user_id: userId }],
  });
  const since = () => new Date(Date.now() - REPEAT_SECONDS * 1000);

  return {
    createRow: (sender_user_id, receiver_user_id, distance_feet) => {
      const triggered_at = new Date();
      const _id = eventId(triggered_at.getTime());
      return { _id, sender_user_id, receiver_user_id, distance_feet, triggered_at };
    },
    async record(row) {
      await insert(row);
    },
    async after(userId, id) {
      const from = Math.max(since().getTime(), (timeOfEvent(id) ?? 0) - LEEWAY_MS);
      const found = await rows
        .find({ ...either(userId), triggered_at: { $gt: new Date(from) } })
        .sort({ _id: 1 })
        .limit(100)
        .toArray();
      return found.filter((row) => row._id !== id);
    },
    of: (userId) => rows.find(either(userId)).sort({ triggered_at: -1 }).toArray(),
    async remove(userId) {
      await rows.deleteMany(either(userId));
    },
    recent: () =>
      rows
        .find({ triggered_at: { $gt: since() } })
        .sort({ triggered_at: 1 })
        .limit(100_000)
        .toArray(),
  };
}
