import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { noteMeetings } from '../../api/friendly-index/acquaintances.ts';
import type { TestPerson } from '../api.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Waits for the next day where this one ends too soon: what is counted in days would be one more in the middle of a test. */
export async function wholeDay(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < 30_000) await wait(left);
}

export const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** Has somebody's account be so many days old. */
export async function joinedDaysAgo(db: Db, { user }: TestPerson, days: number): Promise<void> {
  await db
    .collection<{ _id: string }>('users')
    .updateOne({ _id: user.id }, { $set: { created_at: daysAgo(days) } });
}

type Meeting = readonly [mover: TestPerson, other: TestPerson, daysAgo: number];

/** Keeps meetings of the past, as the api does when they happen. */
export async function keepMeetings(db: Db, meetings: readonly Meeting[]): Promise<void> {
  await noteMeetings(
    db,
    meetings.map(([mover, other, days]) => ({
      sender_user_id: mover.user.id,
      receiver_user_id: other.user.id,
      triggered_at: daysAgo(days),
    })),
  );
}
