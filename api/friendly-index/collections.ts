import type { Db } from 'mongodb';
import type { Indexes } from '../database.ts';
/** `acquaintances`: on which days two users met, summarized from all events. Never where. */
export interface AcquaintanceRow {
  /** See `pairId`. */
  _id: string;
  /** In order. */
  users: [string, string];
  /** The last days on which they met, as sorted day numbers, at most STORED_DAYS. */
  days: number[];
  /** The days on which the first, or second, approached the other. */
  first_came: number[];
  second_came: number[];
  last_day: number;
}

export const acquaintances = (db: Db) => db.collection<AcquaintanceRow>('acquaintances');

export const friendlyIndexIndexes: Indexes = {
  acquaintances: [{ key: { users: 1, last_day: -1 } }, { key: { last_day: 1 } }],
};
