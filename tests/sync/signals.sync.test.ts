import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { expect, inject, test } from 'vitest';
import type { SignalRow } from '#shared/server/collections.ts';
import { ensureSignals, openSignals } from '#shared/server/signals.ts';

test('opens one tail before the first signal without repeated failures', async () => {
  await using client = await MongoClient.connect(inject('mongodbUri'));
  const db = client.db(`signals-${randomUUID()}`);
  await Promise.all([ensureSignals(db), ensureSignals(db)]);
  const failures: unknown[] = [];
  const received: (SignalRow | 'lost')[] = [];
  const rows = db.collection<SignalRow>('signals');
  const signals = openSignals(rows, (error) => failures.push(error));
  signals.listen((signal) => received.push(signal));
  try {
    await expect.poll(() => signals.isFresh()).toBe(true);
    // Long enough for an ended tail to be reopened.
    await wait(1_000);
    await rows.insertOne({ topic: 'user', user_id: 'ann', at: new Date() });
    await expect
      .poll(() => received.some((signal) => signal !== 'lost' && signal.user_id === 'ann'))
      .toBe(true);
    expect(received.filter((signal) => signal === 'lost')).toHaveLength(1);
    expect(failures).toEqual([]);
  } finally {
    await signals.close();
    await db.dropDatabase();
  }
});

test('receives only the topics that were asked for', async () => {
  await using client = await MongoClient.connect(inject('mongodbUri'));
  const db = client.db(`signals-${randomUUID()}`);
  await ensureSignals(db);
  const received: (SignalRow | 'lost')[] = [];
  const rows = db.collection<SignalRow>('signals');
  const signals = openSignals(rows, () => {}, ['session', 'user']);
  signals.listen((signal) => received.push(signal));
  try {
    await expect.poll(() => signals.isFresh()).toBe(true);
    for (const topic of ['card', 'session', 'message', 'user'] as const)
      await rows.insertOne({ topic, user_id: 'ann', at: new Date() });
    const topics = () =>
      received.flatMap((signal) =>
        signal !== 'lost' && signal.user_id === 'ann' ? [signal.topic] : [],
      );
    await expect.poll(topics).toEqual(['session', 'user']);
    await expect.poll(() => signals.isFresh()).toBe(true);
  } finally {
    await signals.close();
    await db.dropDatabase();
  }
});
