import type { Collection } from 'mongodb';
import { REPEAT_SECONDS } from '#shared/proximity/rules.ts';
import type { Database } from '../database.ts';
import { eventId, timeOfEvent } from '../events/event-id.ts';
import { DAY_MS } from '#shared/time.ts';
import { deleteDue } from '../retention.ts';
import { coalesce } from './coalesce.ts';

/** `proximity_events`: who met whom, and how near; never where. */
export interface ProximityEventRow {
  /** In the order of time. */
  _id: string;
  sender_user_id: string;
  receiver_user_id: string;
  distance_feet: number;
  triggered_at: Date;
}

export interface Meetings {
  /** Brings the indexes into being. */
  prepare(): Promise<void>;
  /** Makes the row of a meeting that happens now; `record` keeps it. */
  row(senderId: string, receiverId: string, distanceFeet: number): ProximityEventRow;
  record(row: ProximityEventRow): Promise<void>;
  /** Somebody's meetings of the last half minute after the one with this id: what is older is over. */
  after(userId: string, id: string): Promise<ProximityEventRow[]>;
  /** All of somebody's, newest first. */
  of(userId: string): Promise<ProximityEventRow[]>;
  forget(userId: string): Promise<void>;
  /** All of the last half minute, oldest first. */
  recent(): Promise<ProximityEventRow[]>;
}

/** How long it is kept who met whom. */
const KEPT_DAYS = 30;

/** Deletes encounters that are a month old. @param database where the friendly index has taken them in before */
export async function deleteOldMeetings({ db }: Pick<Database, 'db'>): Promise<void> {
  const rows: Collection<ProximityEventRow> = db.collection('proximity_events');
  await deleteDue(rows, { triggered_at: { $lt: new Date(Date.now() - KEPT_DAYS * DAY_MS) } });
}

/** Two servers' clocks, and rows that were written a moment late, may be off by so much. */
const LEEWAY_MS = 2_000;

/** Meetings in the database; those of one moment are inserted together. */
export function openMeetings(database: Database): Meetings {
  const rows: Collection<ProximityEventRow> = database.db.collection('proximity_events');
  const insert = coalesce((batch: ProximityEventRow[]) => rows.insertMany(batch));
  const either = (userId: string) => ({
    $or: [{ sender_user_id: userId }, { receiver_user_id: userId }],
  });
  const since = () => new Date(Date.now() - REPEAT_SECONDS * 1000);

  return {
    async prepare() {
      await rows.createIndexes([
        { key: { sender_user_id: 1, triggered_at: -1 } },
        { key: { receiver_user_id: 1, triggered_at: -1 } },
        { key: { triggered_at: -1 } },
      ]);
    },
    row: (sender_user_id, receiver_user_id, distance_feet) => {
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
    async forget(userId) {
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
