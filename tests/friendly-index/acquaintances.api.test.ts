import type { Document, Db } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { COUNTED_DAYS, dayOf, DAYS_A_PERSON, factsOfDog } from '#shared/friendly-index/scores.ts';
import {
  recordAcquaintances,
  runAcquaintancesJob,
} from '../../api/features/friendly-index/acquaintances.ts';
import { acquaintances } from '../../api/features/friendly-index/collections.ts';
import { readFacts } from '../../api/features/friendly-index/score-inputs.ts';
import { cards } from '../../api/features/profile/collections.ts';
import type { ProximityEventRow } from '../../api/features/proximity/collections.ts';
import { createEncounterStore } from '../../api/features/proximity/storage/encounter-store.ts';
import { pairs } from '../../api/features/relationships/collections.ts';
import { pairId } from '../../api/features/relationships/relationship.ts';
import { closeTestDatabase, openTestDatabase } from '../databases.ts';
import { daysAgo, wholeDay } from './backdate.ts';

let db: Db;
let today: number;
beforeAll(async () => {
  await wholeDay();
  today = dayOf(Date.now());
  db = await openTestDatabase(inject('mongodbUri'));
});
afterAll(async () => {
  await closeTestDatabase(db);
});

const encounter = (mover: string, other: string, days: number) => ({
  sender_user_id: mover,
  receiver_user_id: other,
  triggered_at: daysAgo(days),
});
const between = (id: string) => acquaintances(db).findOne({ _id: id });

test('records an encounter with one entry per day, however often two owners meet', async () => {
  const encounters = createEncounterStore(db);
  /** Records an encounter, as if each were at another time of the day. */
  const record = (sender: string, receiver: string, feet: number) =>
    encounters.record({
      ...encounters.createRow({ user_id: sender }, { user_id: receiver }, feet),
      pair_windows: [`${sender} ${feet}`],
    });
  await Promise.all([record('b', 'a', 40), record('b', 'a', 20), record('a', 'b', 60)]);
  await record('b', 'a', 80);
  await runAcquaintancesJob(db, false, () => {});
  expect(await between('a b')).toEqual({
    _id: 'a b',
    users: ['a', 'b'],
    days: [today],
    first_came: [today],
    second_came: [today],
    last_day: today,
  });
});

test('keeps the latest days of two acquaintances in any order, plus today', async () => {
  const days = Array.from({ length: DAYS_A_PERSON + 5 }, (_, i) => i + 1);
  const shuffled = days.toSorted((a, b) => ((a * 7) % 13) - ((b * 7) % 13));
  for (const day of shuffled) await recordAcquaintances(db, [encounter('d', 'c', day)]);
  await recordAcquaintances(
    db,
    shuffled.map((day) => encounter('d', 'c', day)),
  );
  const last = Array.from({ length: DAYS_A_PERSON + 1 }, (_, i) => today - DAYS_A_PERSON - 1 + i);
  expect(await between('c d')).toMatchObject({
    days: last,
    first_came: [],
    second_came: last,
    last_day: today - 1,
  });
});

test('counts a meeting for the dogs that came along, and for all where that is not known', async () => {
  const walk = (days: number, own: string[], theirs: string[]) => ({
    ...encounter('own', 'their', days),
    sender_dog_ids: own,
    receiver_dog_ids: theirs,
  });
  await recordAcquaintances(db, [encounter('own', 'their', 9)]);
  const meetings = [walk(3, ['rex', '$lola.'], ['max']), walk(3, ['rex'], []), walk(2, [], ['bo'])];
  for (let times = 0; times < 2; times++) await recordAcquaintances(db, meetings);
  const facts = await readFacts(db, 'own', today);
  const daysOf = (dog: string) => factsOfDog(facts, dog).people[0]!.days.map((day) => today - day);
  expect(daysOf('rex')).toEqual([9, 3]);
  expect(daysOf('$lola.')).toEqual([9, 3]);
  expect(daysOf('home')).toEqual([9]);
  const others = await readFacts(db, 'their', today);
  expect(factsOfDog(others, 'bo').people[0]!.days).toEqual([today - 9, today - 2]);
  // Only the last days are stored, also of dogs.
  await recordAcquaintances(
    db,
    Array.from({ length: DAYS_A_PERSON + 1 }, (_, day) => walk(day, ['rex'], ['max'])),
  );
  const row = await between(pairId('own', 'their'));
  expect(row!.first_dogs!.length).toBeLessThanOrEqual(row!.days.length * 2);
  expect((await readFacts(db, 'own', today)).people[0]!.dogs).toBe(2);
});

test('a background job restores encounters that a crash missed, and can rebuild all from the events', async () => {
  const events = db.collection<ProximityEventRow>('proximity_events');
  await events.deleteMany({});
  await acquaintances(db).deleteMany({});
  await events.insertMany([
    { _id: 'old', pair_windows: ['old'], ...encounter('e', 'f', 100), distance_feet: 50 },
    {
      _id: 'older',
      pair_windows: ['older'],
      ...encounter('g', 'f', COUNTED_DAYS + 9),
      distance_feet: 50,
    },
    { _id: 'new', pair_windows: ['new'], ...encounter('f', 'e', 0), distance_feet: 50 },
  ]);
  await runAcquaintancesJob(db, true, () => {});
  expect((await between('e f'))?.days).toEqual([today - 100, today]);
  expect(await between('f g')).toBeNull();

  // Later background jobs only read recent events.
  await acquaintances(db).updateOne({ _id: 'e f' }, { $set: { days: [], last_day: 0 } });
  await recordAcquaintances(db, [encounter('h', 'i', COUNTED_DAYS + 9)]);
  await runAcquaintancesJob(db, false, () => {});
  expect((await between('e f'))?.days).toEqual([today]);
  expect(await between('h i')).toBeNull();
});

/** Returns the number of documents that a query examined. */
function examinedDocuments(plan: Document): number {
  return (plan['executionStats'] as { totalDocsExamined: number }).totalDocsExamined;
}

test('reading acquaintances costs the same for any number of events and never scans', async () => {
  await acquaintances(db).deleteMany({});
  // x meets ten people again and again, and four hundred others meet among themselves.
  const crowd = Array.from({ length: 400 }, (_, i) => encounter(`p${i}`, `q${i}`, (i % 30) + 1));
  const again = Array.from({ length: 600 }, (_, i) => encounter('x', `m${i % 10}`, (i % 60) + 1));
  await recordAcquaintances(db, [...crowd, ...again]);
  await db.collection<ProximityEventRow>('proximity_events').insertMany(
    [...crowd, ...again].map((row, i) => ({
      ...row,
      _id: `many-${i}`,
      distance_feet: 50,
      pair_windows: [`many-${i}`],
    })),
  );

  const stats = 'executionStats';
  const met = acquaintances(db)
    .find({ users: 'x', last_day: { $gte: today - COUNTED_DAYS } })
    .sort({ last_day: -1 });
  expect(examinedDocuments(await met.explain(stats))).toBe(10);
  const reports = db
    .collection('message_reports')
    .find({ reported_user_id: 'x', status: 'resolved' });
  expect(examinedDocuments(await reports.explain(stats))).toBe(0);
  expect(
    examinedDocuments(await pairs(db).find({ users: 'x', relationship: 'friends' }).explain(stats)),
  ).toBe(0);
  expect(examinedDocuments(await cards(db).find({ 'dogs.id': 'nothing' }).explain(stats))).toBe(0);

  // The result is the same without the events, because they are not read.
  const before = await readFacts(db, 'x', today);
  expect(before.people).toHaveLength(10);
  await db.collection('proximity_events').deleteMany({});
  expect(await readFacts(db, 'x', today)).toEqual(before);
});
