import type { Db } from 'mongodb';

/** `daily_counts`: how many people, warnings and messages a day had, without any data about them. */
export interface DailyCountsRow {
  /** The date in UTC, such as 2026-11-25. */
  _id: string;
  new_members: number;
  warnings: number;
  messages: number;
  /** Absent if nobody counted on that day. */
  peak_walkers?: number;
  counted_at: Date;
}

export const dailyCounts = (db: Db) => db.collection<DailyCountsRow>('daily_counts');
