import { type Db, MongoBulkWriteError } from 'mongodb';
import type { AnswerPhrase } from '#shared/proximity/contract.ts';
import { ANSWER_SECONDS, ANSWER_SHOWN_SECONDS, REPEAT_SECONDS } from '#shared/proximity/rules.ts';
import { batchCalls } from '#shared/server/batches.ts';
import { DAY_MS } from '#shared/time.ts';
import { eventId, timeOfEvent } from '../../../platform/events/event-id.ts';
import { deleteDue } from '../../../platform/retention.ts';
import { proximityEvents, type ProximityEventRow } from '../collections.ts';
import type { Person } from '../engine/active-user.ts';

/** Somebody who was met, with the ids of the dogs that came along. */
type Met = Pick<Person, 'user_id' | 'dog_ids'>;

export interface EncounterStore {
  /** Creates the row of an encounter that happens now, without storing it. */
  createRow(sender: Met, receiver: Met, distanceFeet: number): ProximityEventRow;
  /** Stores a row, unless another node stored one of the same encounter. */
  record(row: ProximityEventRow): Promise<void>;
  /**
   * Stores a user's answer to their last encounter with another one in the last minutes, instead of an earlier one.
   * @returns 'same' if they gave this answer already, and it is still shown
   */
  answer(
    userId: string,
    otherId: string,
    phrase: AnswerPhrase,
  ): Promise<'stored' | 'same' | 'no encounter'>;
  /** Returns a user's encounters of the last half minute that are newer than this id. */
  after(userId: string, id: string): Promise<ProximityEventRow[]>;
  /** Returns all encounters of a user, newest first. */
  of(userId: string): Promise<ProximityEventRow[]>;
  remove(userId: string): Promise<void>;
  /** Returns the encounters of the last half minute between two of these users, oldest first. */
  recentAmong(userIds: string[]): Promise<ProximityEventRow[]>;
  /** Returns all encounters since a time, oldest first. */
  since(at: Date): Promise<ProximityEventRow[]>;
}

const RETENTION_DAYS = 30;
const DUPLICATE_KEY = 11_000;

/** Deletes encounters that are a month old. @param database in which the friendly index has counted them before */
export async function deleteOldEncounters(db: Db): Promise<void> {
  await deleteDue(proximityEvents(db), {
    triggered_at: { $lt: new Date(Date.now() - RETENTION_DAYS * DAY_MS) },
  });
}

/** The clocks of two servers, and rows that were written a moment late, may differ by this much. */
const LEEWAY_MS = 2_000;

/** A little shorter than the time after which two users can meet again, because clocks differ. */
const WINDOW_MS = REPEAT_SECONDS * 1000 - 2_000;

/**
 * Returns the two windows of time in which a pair's encounter is, one of them shifted by half. Encounters that nodes announce at
 * about the same time share at least one, and encounters after the repeat time none.
 */
export function pairWindows(oneId: string, otherId: string, at: number): string[] {
  const pair = oneId < otherId ? `${oneId} ${otherId}` : `${otherId} ${oneId}`;
  const windows = at / WINDOW_MS;
  return [`${pair} ${Math.floor(windows)}`, `${pair} ${Math.floor(windows + 0.5)}+`];
}

/** Creates the store of encounters; those of one moment are inserted together. */
export function createEncounterStore(db: Db): EncounterStore {
  const rows = proximityEvents(db);
  const insert = batchCalls(async (batch: ProximityEventRow[]) => {
    await rows.insertMany(batch, { ordered: false }).catch((error: unknown) => {
      if (!(error instanceof MongoBulkWriteError) || !areDuplicates(error)) throw error;
    });
  });
  const either = (userId: string) => ({
    $or: [{ sender_user_id: userId }, { receiver_user_id: userId }],
  });
  const since = () => new Date(Date.now() - REPEAT_SECONDS * 1000);

  return {
    createRow: (sender, receiver, distance_feet) => {
      const { user_id: sender_user_id, dog_ids: sender_dog_ids } = sender;
      const { user_id: receiver_user_id, dog_ids: receiver_dog_ids } = receiver;
      const triggered_at = new Date();
      const _id = eventId(triggered_at.getTime());
      return {
        _id,
        sender_user_id,
        receiver_user_id,
        ...(sender_dog_ids && { sender_dog_ids: [...sender_dog_ids] }),
        ...(receiver_dog_ids && { receiver_dog_ids: [...receiver_dog_ids] }),
        distance_feet,
        triggered_at,
        pair_windows: pairWindows(sender_user_id, receiver_user_id, triggered_at.getTime()),
      };
    },
    async record(row) {
      await insert(row);
    },
    async answer(userId, otherId, phrase) {
      const last = await rows.findOne(
        {
          $or: [
            { sender_user_id: userId, receiver_user_id: otherId },
            { sender_user_id: otherId, receiver_user_id: userId },
          ],
          triggered_at: { $gt: new Date(Date.now() - ANSWER_SECONDS * 1000) },
        },
        { sort: { triggered_at: -1 } },
      );
      if (!last) return 'no encounter';
      const own = last.sender_user_id === userId ? 'sender_answer' : 'receiver_answer';
      const at = `${own}_at` as const;
      const shownSince = new Date(Date.now() - ANSWER_SHOWN_SECONDS * 1000);
      const { modifiedCount } = await rows.updateOne(
        { _id: last._id, $nor: [{ [own]: phrase, [at]: { $gt: shownSince } }] },
        { $set: { [own]: phrase, [at]: new Date() } },
      );
      return modifiedCount > 0 ? 'stored' : 'same';
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
    recentAmong: (userIds) =>
      rows
        .find({
          sender_user_id: { $in: userIds },
          receiver_user_id: { $in: userIds },
          triggered_at: { $gt: since() },
        })
        .sort({ triggered_at: 1 })
        .toArray(),
    since: (at) =>
      rows
        .find({ triggered_at: { $gt: at } })
        .sort({ triggered_at: 1 })
        .toArray(),
  };
}

function areDuplicates({ writeErrors }: MongoBulkWriteError): boolean {
  const errors = Array.isArray(writeErrors) ? writeErrors : [writeErrors];
  return errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY);
}
