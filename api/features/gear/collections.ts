import type { Db } from 'mongodb';

/** `gear`: what an owner takes on a walk. */
interface GearRow {
  /** The user's id. */
  _id: string;
  text: string;
}

export const gearRows = (db: Db) => db.collection<GearRow>('gear');
