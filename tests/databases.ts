import { randomUUID } from 'node:crypto';
import type { MongoClient } from 'mongodb';

/** Empty databases of this worker that are ready for reuse. Their indexes take half a second to create. */
const empty: string[] = [];

/** Returns the name of an empty database that no other test uses until it is given back. */
export const takeDatabase = (): string => empty.pop() ?? `api-${randomUUID()}`;

/** Empties a database for reuse. Its servers must have stopped. */
export async function giveBackDatabase(client: MongoClient, name: string): Promise<void> {
  const collections = await client.db(name).listCollections({}, { nameOnly: false }).toArray();
  await Promise.all(
    collections.map(({ name: collection, options }) =>
      // Documents can't be deleted from a capped collection.
      options?.['capped']
        ? client.db(name).dropCollection(collection)
        : client.db(name).collection(collection).deleteMany({}),
    ),
  );
  empty.push(name);
}
