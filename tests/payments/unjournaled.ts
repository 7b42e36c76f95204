import type { Db } from 'mongodb';
import { createIndexes } from '../../api/app/indexes.ts';
import { openDatabase } from '../../api/platform/database.ts';

/** A database whose writes don't wait for the disk, for tests that are not about power loss. */
export async function openUnjournaled(uri: string, name: string): Promise<Db> {
  const { client } = await openDatabase(uri, name);
  const db = client.db(name, { writeConcern: { w: 1, journal: false } });
  await createIndexes(db);
  return db;
}
