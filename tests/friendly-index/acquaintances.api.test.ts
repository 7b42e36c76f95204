import { acquaintances } from '../../api/friendly-index/collections.ts';
import { pairs } from '../../api/friends/collections.ts';
import { cards } from '../../api/profile/collections.ts';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Document, Db } from 'mongodb';
import { openDatabase } from '../../api/database.ts';
import { createIndexes } from '../../api/indexes.ts';
import { noteMeetings, sweepAcquaintances } from '../../api/friendly-index/acquaintances.ts';
import { readFacts } from '../../api/friendly-index/score-inputs.ts';
import type { ProximityEventRow } from '../../api/proximity/collections.ts';
import { createEncounterStore } from '../../api/proximity/storage/encounter-store.ts';
import { COUNTED_DAYS, dayOf, DAYS_A_PERSON } from '#shared/friendly-index/scores.ts';
import { daysAgo, wholeDay } from './backdate.ts';

let db: Db;
let today: number;
beforeAll(async () => {
  await wholeDay();
  today = dayOf(Date.now());
  db = await openDatabase(inject('mongodbUri'), 'acquaintances-tests');
  await createIndexes(db);
});
afterAll(async () => {
  await db.dropDatabase();
  await db.client.close();
});

const meeting = (mover: string, other: string, days: number) => ({
  sender_user_id: mover,
  receiver_user_id: other,
  triggered_at: daysAgo(days),
});
const between = (id: string) => acquaintances(db).findOne({ _id: id });

test('a meeting that is recorded is taken in, and a day is there once however often they met', async () => {
  const encounters = createEncounterStore(db);
  await Promise.all([
    encounters.record(encounters.createRow('b', 'a', 40)),
    encounters.record(encounters.createRow('b', 'a', 20)),
    encounters.record(encounters.createRow('a', 'b', 60)),
  ]);
  await encounters.record(encounters.createRow('b', 'a', 80));
  await sweepAcquaintances(db, false);
  expect(await between('a b')).toEqual({
    _id: 'a b',
    users: ['a', 'b'],
    days: [today],
    first_came: [today],
    second_came: [today],
    last_day: today,
  });
});

test('in whatever order and however often they come, the last days are kept, and one for today', async () => {
  const days = Array.from({ length: DAYS_A_PERSON + 5 }, (_, i) => i + 1);
  const shuffled = days.toSorted((a, b) => ((a * 7) % 13) - ((b * 7) % 13));
  for (const day of shuffled) await noteMeetings(db, [meeting('d', 'c', day)]);
  await noteMeetings(
    db,
    shuffled.map((day) => meeting('d', 'c', day)),
  );
  const last = Array.from({ length: DAYS_A_PERSON + 1 }, (_, i) => today - DAYS_A_PERSON - 1 + i);
  expect(await between('c d')).toMatchObject({
    days: last,
    first_came: [],
    second_came: last,
    last_day: today - 1,
  });
});

test('what a crash left out is made up for, and it can be made anew from the events', async () => {
  const events = db.collection<ProximityEventRow>('proximity_events');
  await events.deleteMany({});
  await acquaintances(db).deleteMany({});
  await events.insertMany([
    { _id: 'old', ...meeting('e', 'f', 100), distance_feet: 50 },
    { _id: 'older', ...meeting('g', 'f', COUNTED_DAYS + 9), distance_feet: 50 },
    { _id: 'new', ...meeting('f', 'e', 0), distance_feet: 50 },
  ]);
  await sweepAcquaintances(db, true);
  expect((await between('e f'))?.days).toEqual([today - 100, today]);
  expect(await between('f g')).toBeNull();

  // Later only what is recent is looked at.
  await acquaintances(db).updateOne({ _id: 'e f' }, { $set: { days: [], last_day: 0 } });
  await noteMeetings(db, [meeting('h', 'i', COUNTED_DAYS + 9)]);
  await sweepAcquaintances(db, false);
  expect((await between('e f'))?.days).toEqual([today]);
  expect(await between('h i')).toBeNull();
});

/** How many documents a query looked at, as the server says. */
function examined(plan: Document): number {
  return (plan['executionStats'] as { totalDocsExamined: number }).totalDocsExamined;
}

test('reading costs the same however many events there are, and never scans', async () => {
  await acquaintances(db).deleteMany({});
  // Ten people met by x; four hundred others among themselves, and x and the ten again and again.
  const crowd = Array.from({ length: 400 }, (_, i) => meeting(`p${i}`, `q${i}`, (i % 30) + 1));
  const again = Array.from({ length: 600 }, (_, i) => meeting('x', `m${i % 10}`, (i % 60) + 1));
  await noteMeetings(db, [...crowd, ...again]);
  await db
    .collection<ProximityEventRow>('proximity_events')
    .insertMany(
      [...crowd, ...again].map((row, i) => ({ ...row, _id: `many-${i}`, distance_feet: 50 })),
    );

  const stats = 'executionStats';
  const met = acquaintances(db)
    .find({ users: 'x', last_day: { $gte: today - COUNTED_DAYS } })
    .sort({ last_day: -1 });
  expect(examined(await met.explain(stats))).toBe(10);
  const reports = db
    .collection('message_reports')
    .find({ reported_user_id: 'x', status: 'resolved' });
  expect(examined(await reports.explain(stats))).toBe(0);
  expect(
    examined(await pairs(db).find({ users: 'x', relationship: 'friends' }).explain(stats)),
  ).toBe(0);
  expect(examined(await cards(db).find({ 'dogs.id': 'nothing' }).explain(stats))).toBe(0);

  // Without the events the answer is the same: they are not read.
  const before = await readFacts(db, 'x', today);
  expect(before.people).toHaveLength(10);
  await db.collection('proximity_events').deleteMany({});
  expect(await readFacts(db, 'x', today)).toEqual(before);
});
