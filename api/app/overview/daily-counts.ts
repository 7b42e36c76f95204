import type { Db } from 'mongodb';
import { OVERVIEW_DAYS } from '#shared/overview/rules.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import { messages } from '../../features/chat/collections.ts';
import { positions, proximityEvents } from '../../features/proximity/collections.ts';
import { users } from '../../platform/session/collections.ts';
import { dailyCounts } from './collections.ts';

/** People whose last report is older than this may have stopped. */
const WALKING_MINUTES = 5;

/** Returns the last days in UTC, oldest first, such as 2026-11-25. */
export function lastDays(now: Date, days = OVERVIEW_DAYS): string[] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return Array.from({ length: days }, (_, day) =>
    new Date(today - (days - 1 - day) * DAY_MS).toISOString().slice(0, 10),
  );
}

/**
 * Counts today, and the days of the last thirty that were not counted after their end. A day that is over is counted once, so
 * its numbers stay when the rows are deleted.
 */
export async function countDays(db: Db, now: Date): Promise<void> {
  const days = lastDays(now);
  const counted = await dailyCounts(db)
    .find({ _id: { $gte: days[0]! } })
    .toArray();
  const countedAt = new Map(counted.map((row) => [row._id, row.counted_at.getTime()]));
  for (const day of days) {
    const from = new Date(day);
    const to = new Date(from.getTime() + DAY_MS);
    if ((countedAt.get(day) ?? 0) >= to.getTime()) continue;
    const within = { $gte: from, $lt: to };
    // Each is counted from an index alone.
    const [new_members, warnings, sent] = await Promise.all([
      users(db).countDocuments({ created_at: within }),
      proximityEvents(db).countDocuments({ triggered_at: within }),
      messages(db).countDocuments({ created_at: within }),
    ]);
    await dailyCounts(db).updateOne(
      { _id: day },
      { $set: { new_members, warnings, messages: sent, counted_at: now } },
      { upsert: true },
    );
  }
  const minute = Math.floor(now.getTime() / MINUTE_MS) - WALKING_MINUTES;
  const peak_walkers = await positions(db).countDocuments({ minute: { $gte: minute } });
  await dailyCounts(db).updateOne({ _id: days.at(-1)! }, { $max: { peak_walkers } });
}
