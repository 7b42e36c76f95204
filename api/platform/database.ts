import {
  MongoClient,
  type Collection,
  type Db,
  type Document,
  type Filter,
  type IndexDescription,
  type InsertOneOptions,
  type MongoClientOptions,
  type OptionalUnlessRequiredId,
} from 'mongodb';
import { refuseUnfinishedRestore } from '#shared/server/backup-rows.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { endClosedWrites, MONGO_HEARTBEAT_OPTIONS } from '#shared/server/mongodb-watchdog.ts';
import { ensureSignals } from '#shared/server/signals.ts';
import { durable } from '#shared/server/write-concern.ts';

/** The indexes of a feature's collections, by the collection's name. */
export type Indexes = Record<string, IndexDescription[]>;

/**
 * Connects to MongoDB. Each feature opens its own collections: see its collections.ts.
 * @throws when MongoDB does not answer within five seconds
 */
export async function openDatabase(
  uri: string,
  name: string,
  options: Pick<MongoClientOptions, 'socketTimeoutMS'> = {},
): Promise<Db> {
  endClosedWrites();
  const client = new MongoClient(uri, {
    serverSelectionTimeoutMS: 5_000,
    ...MONGO_HEARTBEAT_OPTIONS,
    ...options,
    ignoreUndefined: true,
  });
  try {
    await client.connect();
    const db = client.db(name, { writeConcern: await durable(client) });
    await refuseUnfinishedRestore(db);
    await ensureSignals(db);
    return db;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** Inserts a row unless a unique index has one like it. @returns whether the row was inserted */
export async function insertIfAbsent<Row extends Document>(
  rows: Collection<Row>,
  row: OptionalUnlessRequiredId<Row>,
  options?: InsertOneOptions,
): Promise<boolean> {
  try {
    await rows.insertOne(row, options);
    return true;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return false;
  }
}

/**
 * Inserts a row, unless one with its id exists.
 * @returns the row with this id
 * @throws when another unique index refuses it
 */
export async function insertOnce<Row extends { _id: string | number }>(
  rows: Collection<Row>,
  row: Row,
): Promise<Row> {
  try {
    await rows.insertOne(row as OptionalUnlessRequiredId<Row>);
    return row;
  } catch (error) {
    const existing = isDuplicate(error) && (await rows.findOne({ _id: row._id } as Filter<Row>));
    if (!existing) throw error;
    return existing as unknown as Row;
  }
}
