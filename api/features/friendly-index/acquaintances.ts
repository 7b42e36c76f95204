import type { Document, Db } from 'mongodb';
import { DOGS_MAX } from '#shared/dogs/rules.ts';
import {
  COUNTED_DAYS,
  dayOf,
  DAYS_A_PERSON,
  type DogOnDay,
} from '#shared/friendly-index/scores.ts';
import { databaseTrouble } from '#shared/server/database-errors.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import { proximityEvents, type ProximityEventRow } from '../proximity/collections.ts';
import { pairId } from '../relationships/relationship.ts';
import { acquaintances } from './collections.ts';

/** One more than counted, because today doesn’t count. */
const STORED_DAYS = DAYS_A_PERSON + 1;

const FIRST_MOVED = ['first_dogs', 'second_dogs'] as const;
const SECOND_MOVED = ['second_dogs', 'first_dogs'] as const;

type Encounter = Pick<
  ProximityEventRow,
  'sender_user_id' | 'receiver_user_id' | 'triggered_at' | 'sender_dog_ids' | 'receiver_dog_ids'
>;

/** Adds a day to a field, limited to the last ones. */
const withDay = (field: string, day: number): Document => ({
  $slice: [
    {
      $sortArray: { input: { $setUnion: [{ $ifNull: [`$${field}`, []] }, [day]] }, sortBy: 1 },
    },
    -STORED_DAYS,
  ],
});

/** Adds dogs that came along on a day. @param ids undefined if that is not known */
const withDogs = (field: string, ids: readonly string[] | undefined, day: number): Document => ({
  $setUnion: [
    { $ifNull: [`$${field}`, []] },
    { $literal: (ids ?? []).slice(0, DOGS_MAX).map((dog): DogOnDay => ({ dog, day })) },
  ],
});

/** Only days that are stored have dogs. */
const onStoredDays = (field: string): Document => ({
  $filter: { input: `$${field}`, cond: { $in: ['$$this.day', '$days'] } },
});

/** Records encounters. May be repeated, in any order: a day is stored once. */
export async function recordAcquaintances(db: Db, encounters: readonly Encounter[]): Promise<void> {
  const noted = new Set<string>();
  const updates = encounters.flatMap(
    ({
      sender_user_id: mover,
      receiver_user_id,
      triggered_at,
      sender_dog_ids,
      receiver_dog_ids,
    }) => {
      const users = [mover, receiver_user_id].toSorted() as [string, string];
      const day = dayOf(triggered_at);
      const came = users[0] === mover ? 'first_came' : 'second_came';
      const other = came === 'first_came' ? 'second_came' : 'first_came';
      const _id = pairId(mover, receiver_user_id);
      const [movers, others] = came === 'first_came' ? FIRST_MOVED : SECOND_MOVED;
      const areDogsKnown = sender_dog_ids !== undefined && receiver_dog_ids !== undefined;
      const key = JSON.stringify([_id, day, came, sender_dog_ids, receiver_dog_ids]);
      if (noted.has(key)) return [];
      noted.add(key);
      const set = {
        users: { $literal: users },
        days: withDay('days', day),
        [came]: withDay(came, day),
        [other]: { $ifNull: [`$${other}`, []] },
        last_day: { $max: ['$last_day', day] },
        ...(areDogsKnown && {
          [movers]: withDogs(movers, sender_dog_ids, day),
          [others]: withDogs(others, receiver_dog_ids, day),
          dogs_since: { $min: [{ $ifNull: ['$dogs_since', day] }, day] },
        }),
      };
      const update: Document[] = [{ $set: set }];
      if (areDogsKnown)
        update.push({ $set: { [movers]: onStoredDays(movers), [others]: onStoredDays(others) } });
      return [{ updateOne: { filter: { _id }, update, upsert: true } }];
    },
  );
  if (updates.length > 0) await acquaintances(db).bulkWrite(updates, { ordered: false });
}

const BATCH = 500;
/** Longer than the time between two runs. */
const OVERLAP_MS = 15 * MINUTE_MS;

/**
 * Records recent encounters, and deletes expired days. In batches rather than per encounter: only past days count, and
 * in a crowded park everyone meets everyone. If the collection is dropped, the next start rebuilds it from the events
 * of the last 30 days.
 * @param isFirst whether it is the first run since this node took over, so that none may have happened for long
 * @param onRefused called with the error of an encounter that MongoDB refuses
 */
export async function runAcquaintancesJob(
  db: Db,
  isFirst: boolean,
  onRefused: (error: unknown) => void,
): Promise<void> {
  const events = proximityEvents(db);
  const record = async (some: ProximityEventRow[]): Promise<void> => {
    try {
      await recordAcquaintances(db, some);
    } catch (error) {
      if (databaseTrouble(error)) throw error;
      if (some.length === 1) return onRefused(error);
      // One that MongoDB refuses keeps no others from being recorded, and none from being deleted.
      for (const one of some) await record([one]);
    }
  };
  const oldest = dayOf(Date.now()) - COUNTED_DAYS;
  const lately = Date.now() - OVERLAP_MS;
  const [newest] = isFirst
    ? await acquaintances(db).find().sort({ last_day: -1 }).limit(1).toArray()
    : [];
  const from = isFirst ? (newest?.last_day ?? oldest) * DAY_MS : lately;
  const since = new Date(Math.min(from, lately));
  let batch: ProximityEventRow[] = [];
  for await (const row of events.find({ triggered_at: { $gt: since } })) {
    if (batch.push(row) < BATCH) continue;
    await record(batch);
    batch = [];
  }
  await record(batch);
  await acquaintances(db).deleteMany({ last_day: { $lt: oldest } });
}
