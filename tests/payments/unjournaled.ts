import type { Db } from 'mongodb';
import { openDatabase } from '../../api/database.ts';
import { createIndexes } from '../../api/indexes.ts';

/** A database whose writes need not wait for the disk: where what a power cut would lose is not the question. */
export async function openUnjournaled(uri: string, name: string): Promise<Db> {
  const { client } = await openDatabase(uri, name);
  const db = client.db(name, { writeConcern: { w: 1, journal: false } });
  await createIndexes(db);
  return db;
}
