import type { Db } from 'mongodb';
import type { DogOnDay } from '#shared/friendly-index/scores.ts';
import type { Indexes } from '../../platform/database.ts';

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
  /** The dogs of the first, or second, that came along, on these days. */
  first_dogs?: DogOnDay[];
  second_dogs?: DogOnDay[];
  /** The first day of which that is known. On earlier ones, all dogs count. */
  dogs_since?: number;
}

export const acquaintances = (db: Db) => db.collection<AcquaintanceRow>('acquaintances');

export const friendlyIndexIndexes: Indexes = {
  acquaintances: [{ key: { users: 1, last_day: -1 } }, { key: { last_day: 1 } }],
};
