import { randomUUID } from 'node:crypto';
import type { Db, MongoClient } from 'mongodb';
import { atMost } from '#shared/server/at-most.ts';
import { createIndexes } from '../api/app/indexes.ts';
import { openDatabase } from '../api/platform/database.ts';

/** Empty databases of this worker that are ready for reuse. */
const empty: string[] = [];
/** The collections of those that have all indexes, which take half a second to create. */
const indexed = new Map<string, string[]>();

/** Each one uses a connection, which costs MongoDB a thread. */
const AT_ONCE = 8;

/** Returns the name of an empty database that no other test uses until it is given back. */
export const takeDatabase = (): string => empty.pop() ?? `api-${randomUUID()}`;

/** Empties a database for reuse. Its servers must have stopped. */
export async function giveBackDatabase(client: MongoClient, name: string): Promise<void> {
  const collections = await client.db(name).listCollections({}, { nameOnly: false }).toArray();
  const left = new Set(collections.map((each) => each.name));
  // A test that drops a collection drops its indexes, too.
  if (!indexed.get(name)?.every((each) => left.has(each))) indexed.delete(name);
  const inTurn = atMost(AT_ONCE);
  await Promise.all(
    collections.map(({ name: collection, options }) =>
      inTurn<unknown>(() =>
        // Documents can't be deleted from a capped collection.
        options?.['capped']
          ? client.db(name).dropCollection(collection)
          : client.db(name).collection(collection).deleteMany({}),
      ),
    ),
  );
  empty.push(name);
}

/** Creates the API's indexes in a database that was taken, unless they are there since an earlier test. */
export async function indexDatabase(db: Db): Promise<void> {
  if (indexed.has(db.databaseName)) return;
  await createIndexes(db);
  const collections = await db.listCollections({}, { nameOnly: false }).toArray();
  indexed.set(
    db.databaseName,
    collections.filter(({ options }) => !options?.['capped']).map(({ name }) => name),
  );
}

/** Opens an empty database as the API does, with all indexes. */
export async function openTestDatabase(uri: string): Promise<Db> {
  const db = await openDatabase(uri, takeDatabase());
  await indexDatabase(db);
  return db;
}

/** Closes and empties it. */
export async function closeTestDatabase(db: Db): Promise<void> {
  await giveBackDatabase(db.client, db.databaseName);
  await db.client.close();
}
