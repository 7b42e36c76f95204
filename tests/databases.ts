import { randomUUID } from 'node:crypto';
import type { MongoClient } from 'mongodb';

/** Databases of this worker that nobody uses now: empty, with their indexes, which take half a second to make. */
const empty: string[] = [];

/** The name of an empty database that no other test uses, until it is given back. */
export const takeDatabase = (): string => empty.pop() ?? `api-${randomUUID()}`;

/** Empties a database for whoever takes it next; servers on it have ended. */
export async function giveBackDatabase(client: MongoClient, name: string): Promise<void> {
  const collections = await client.db(name).listCollections({}, { nameOnly: false }).toArray();
  await Promise.all(
    collections.map(({ name: collection, options }) =>
      // Nothing can be taken out of a capped collection.
      options?.['capped']
        ? client.db(name).dropCollection(collection)
        : client.db(name).collection(collection).deleteMany({}),
    ),
  );
  empty.push(name);
}
