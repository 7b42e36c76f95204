import { MongoClient, type Db } from 'mongodb';
import { atMost } from '#shared/server/at-most.ts';
import { declareIndexes } from '#shared/server/declare-indexes.ts';
import { adminIndexes } from '../platform/admin/collections.ts';
import type { Indexes } from '../platform/database.ts';
import { fileIndexes } from '../platform/files/store.ts';
import { idempotencyIndexes } from '../platform/http/idempotency.ts';
import { rateLimitIndexes } from '../platform/http/rate-limit.ts';
import { mailQueueIndexes } from '../platform/mail-queue/collections.ts';
import { pushIndexes } from '../platform/push/collections.ts';
import { sessionIndexes } from '../platform/session/collections.ts';
import { FEATURES } from './features.ts';

/** The indexes of every feature's collections. */
const INDEXES: Indexes = {
  ...(Object.assign({}, ...FEATURES.map(({ indexes }) => indexes)) as Indexes),
  ...sessionIndexes,
  ...adminIndexes,
  ...idempotencyIndexes,
  ...mailQueueIndexes,
  ...rateLimitIndexes,
  ...fileIndexes,
  ...pushIndexes,
};

/** Each one uses a connection, which costs MongoDB a thread. */
const AT_ONCE = 8;

/** Creates the indexes that are missing, and drops those that are no longer declared. */
export async function createIndexes(db: Db): Promise<void> {
  const inTurn = atMost(AT_ONCE);
  await Promise.all(
    Object.entries(INDEXES).map(([collection, indexes]) =>
      inTurn(() => declareIndexes(db.collection(collection), indexes)),
    ),
  );
}

/** Does so with a client of its own: on a large collection, it takes longer than other operations may. */
export async function createIndexesAlone(uri: string, name: string): Promise<void> {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    await createIndexes(client.db(name));
  } finally {
    await client.close();
  }
}
