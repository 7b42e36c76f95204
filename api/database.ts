import { MongoClient, MongoServerError, type Db, type IndexDescription } from 'mongodb';
import { durable } from '#shared/server/write-concern.ts';
import { MONGO_HEARTBEAT_OPTIONS } from '#shared/server/mongodb-watchdog.ts';
import { ensureSignals } from '#shared/server/signals.ts';

/** The indexes of a feature's collections, by the collection's name. */
export type Indexes = Record<string, IndexDescription[]>;

/**
 * Connects to MongoDB. Each feature opens its own collections: see its collections.ts.
 * @throws when MongoDB does not answer within five seconds
 */
export async function openDatabase(uri: string, name: string): Promise<Db> {
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: 5_000,
    ...MONGO_HEARTBEAT_OPTIONS,
    ignoreUndefined: true,
  });
  try {
    await client.connect();
    const db = client.db(name, { writeConcern: await durable(client) });
    await ensureSignals(db);
    return db;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** A unique index refused the write. */
export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === 11_000;
