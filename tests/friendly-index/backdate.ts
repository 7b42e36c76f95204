import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { recordAcquaintances } from '../../api/features/friendly-index/acquaintances.ts';
import type { TestPerson } from '../api.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Waits for the next UTC day if this one is about to end, so that day counts don't change during a test. */
export async function wholeDay(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < 30_000) await wait(left);
}

export const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** Makes a user's account this many days old. */
export async function joinedDaysAgo(db: Db, { user }: TestPerson, days: number): Promise<void> {
  await db
    .collection<{ _id: string }>('users')
    .updateOne({ _id: user.id }, { $set: { created_at: daysAgo(days) } });
}

type Encounter = readonly [mover: TestPerson, other: TestPerson, daysAgo: number];

/** Records past encounters, like the API does when they happen. */
export async function recordEncounters(db: Db, encounters: readonly Encounter[]): Promise<void> {
  await recordAcquaintances(
    db,
    encounters.map(([mover, other, days]) => ({
      sender_user_id: mover.user.id,
      receiver_user_id: other.user.id,
      triggered_at: daysAgo(days),
    })),
  );
}
