import type { Db } from 'mongodb';
import type { Indexes } from '../database.ts';
/** `acquaintances`: on which days two people met, so that nobody has to go through all events. Never where. */
export interface AcquaintanceRow {
  /** See `pairId`. */
  _id: string;
  /** In order. */
  users: [string, string];
  /** Numbers of the last days on which they met, at most KEPT_DAYS, in order. */
  days: number[];
  /** Those on which the first, or the second, came up to the other. */
  first_came: number[];
  second_came: number[];
  last_day: number;
}

export const acquaintances = (db: Db) => db.collection<AcquaintanceRow>('acquaintances');

export const friendlyIndexIndexes: Indexes = {
  acquaintances: [{ key: { users: 1, last_day: -1 } }, { key: { last_day: 1 } }],
};
