import type { Db } from 'mongodb';
import type { Indexes } from '../../platform/database.ts';

/** `town_walkers`: that somebody walked in a town in a week. */
export interface TownWalkerRow {
  /** A keyed hash of the week, the town and the user, so that nobody is counted twice. It names none of them. */
  _id: string;
  /** Of the list of towns: its name and coordinates. */
  town: string;
  /** The number of the week since 1970. */
  week: number;
  expires_at: Date;
}

export const townWalkers = (db: Db) => db.collection<TownWalkerRow>('town_walkers');

export const walkerIndexes: Indexes = {
  town_walkers: [{ key: { town: 1, week: 1 } }, { key: { expires_at: 1 } }],
};
