import { acquaintances } from './collections.ts';
import type { Document, Db } from 'mongodb';
import { COUNTED_DAYS, dayOf, DAYS_A_PERSON } from '#shared/friendly-index/scores.ts';
import { DAY_MS } from '#shared/time.ts';
import { pairId } from '../friends/relationship.ts';
import { proximityEvents, type ProximityEventRow } from '../proximity/collections.ts';

/** One more than count: today may be one of them, and must take no place of another. */
const KEPT_DAYS = DAYS_A_PERSON + 1;

type Meeting = Pick<ProximityEventRow, 'sender_user_id' | 'receiver_user_id' | 'triggered_at'>;

/** The field with one more day in it, or the same as before; only the last ones are kept. */
const withDay = (field: string, day: number): Document => ({
  $slice: [
    {
      $sortArray: { input: { $setUnion: [{ $ifNull: [`$${field}`, []] }, [day]] }, sortBy: 1 },
    },
    -KEPT_DAYS,
  ],
});

/** Takes meetings into account. May be repeated, and in any order: a day is there once. */
export async function noteMeetings(db: Db, meetings: readonly Meeting[]): Promise<void> {
  const noted = new Set<string>();
  const updates = meetings.flatMap(({ sender_user_id: mover, receiver_user_id, triggered_at }) => {
    const users = [mover, receiver_user_id].toSorted() as [string, string];
    const day = dayOf(triggered_at);
    const came = users[0] === mover ? 'first_came' : 'second_came';
    const other = came === 'first_came' ? 'second_came' : 'first_came';
    const _id = pairId(mover, receiver_user_id);
    const key = `${_id} ${day} ${came}`;
    if (noted.has(key)) return [];
    noted.add(key);
    const set = {
      users: { $literal: users },
      days: withDay('days', day),
      [came]: withDay(came, day),
      [other]: { $ifNull: [`$${other}`, []] },
      last_day: { $max: ['$last_day', day] },
    };
    return [{ updateOne: { filter: { _id }, update: [{ $set: set }], upsert: true } }];
  });
  if (updates.length > 0) await acquaintances(db).bulkWrite(updates, { ordered: false });
}

const BATCH = 500;
/** More than lies between two sweeps. */
const OVERLAP_MS = 15 * 60_000;

/**
 * Takes in what was met lately, and forgets what counts no more. Not at each meeting: only days that are over count, and
 * in a crowded park everybody meets everybody. Dropped, it is made again at the
 * next start out of the events of the last 30 days; those before are deleted by then.
 * @param isFirst whether this process has not swept yet, so that nobody may have for long
 */
export async function sweepAcquaintances(db: Db, isFirst: boolean): Promise<void> {
  const events = proximityEvents(db);
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
    await noteMeetings(db, batch);
    batch = [];
  }
  await noteMeetings(db, batch);
  await acquaintances(db).deleteMany({ last_day: { $lt: oldest } });
}
