import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { expect, inject, test } from 'vitest';
import type { SignalRow } from '#shared/server/collections.ts';
import { ensureSignals, openSignals } from '#shared/server/signals.ts';

test('before the first signal there is one tail, and nothing is dropped again and again', async () => {
  await using client = await MongoClient.connect(inject('mongodbUri'));
  const db = client.db(`signals-${randomUUID()}`);
  await Promise.all([ensureSignals(db), ensureSignals(db)]);
  const failures: unknown[] = [];
  const heard: (SignalRow | 'lost')[] = [];
  const rows = db.collection<SignalRow>('signals');
  const signals = openSignals(rows, (error) => failures.push(error));
  signals.listen((signal) => heard.push(signal));
  try {
    await expect.poll(() => signals.isFresh()).toBe(true);
    // Long enough for a tail that ended to be there again.
    await wait(1_000);
    await rows.insertOne({ topic: 'user', user_id: 'ann', at: new Date() });
    await expect
      .poll(() => heard.some((signal) => signal !== 'lost' && signal.user_id === 'ann'))
      .toBe(true);
    expect(heard.filter((signal) => signal === 'lost')).toHaveLength(1);
    expect(failures).toEqual([]);
  } finally {
    await signals.close();
    await db.dropDatabase();
  }
});
