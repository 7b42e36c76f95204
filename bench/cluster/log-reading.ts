import { Binary, ObjectId } from 'mongodb';
import { openDatabase, type Database } from '../../sync-server/core/database.ts';
import { LogReader } from '../../sync-server/bus/log-reader.ts';
import { median } from '../quantiles.ts';

const WRITERS = ['one', 'two', 'three'];
/** Changes of documents in one record, and their size. */
const ENTRIES = 4;
const CHUNK_BYTES = 200;
const NEW_RECORDS = 10;
const ROUNDS = 30;

/** @returns the median milliseconds in which a sync node finds ten new records in a log of this many */
export async function logReadingMs(uri: string, records: number): Promise<number> {
  const database = await openDatabase(uri, 'log-reading');
  try {
    const now = Math.floor(Date.now() / 1000);
    for (const writer of WRITERS)
      await database.syncNodes.insertOne({ _id: writer, seen_at: new Date(), done: [] });
    await write(database, records, now);
    const reader = new LogReader(database, 0);
    await reader.skip();
    const times: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      await write(database, NEW_RECORDS, now + round);
      const startedAt = performance.now();
      const found = await reader.newRecords();
      times.push(performance.now() - startedAt);
      if (found.length !== NEW_RECORDS) throw new Error(`found ${found.length} records`);
      reader.advance(found);
    }
    return median(times);
  } finally {
    await database.client.db('log-reading').dropDatabase();
    await database.client.close();
  }
}

async function write({ log }: Database, count: number, seconds: number): Promise<void> {
  const chunks = new Binary(Buffer.alloc(CHUNK_BYTES));
  await log.insertMany(
    Array.from({ length: count }, (_, i) => ({
      _id: new ObjectId(ObjectId.generate(seconds)),
      writer: WRITERS[i % WRITERS.length]!,
      entries: Array.from({ length: ENTRIES }, () => ({ document: crypto.randomUUID(), chunks })),
    })),
  );
}
