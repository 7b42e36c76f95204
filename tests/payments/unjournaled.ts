import { openDatabase, type Database } from '../../api/database.ts';

/** A database whose writes need not wait for the disk: where what a power cut would lose is not the question. */
export async function openUnjournaled(uri: string, name: string): Promise<Database> {
  const database = await openDatabase(uri, name);
  const db = database.client.db(name, { writeConcern: { w: 1, journal: false } });
  for (const [key, part] of Object.entries(database))
    if (typeof part === 'object' && 'collectionName' in part)
      Object.assign(database, { [key]: db.collection(part.collectionName as string) });
  return database;
}
