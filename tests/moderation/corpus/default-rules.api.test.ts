import { MongoClient } from 'mongodb';
import { pino } from 'pino';
import { expect, inject, onTestFinished, test } from 'vitest';
import {
  moderationRules,
  seeds,
  type RuleRow,
} from '../../../api/features/content-rules/collections.ts';
import { seedRules } from '../../../api/features/content-rules/rule-book.ts';
import { giveBackDatabase, takeDatabase } from '../../databases.ts';

const log = pino({ level: 'silent' });

async function newDatabase() {
  const name = takeDatabase();
  const client = await MongoClient.connect(inject('mongodbUri'));
  const db = client.db(name);
  await Promise.all([moderationRules(db).deleteMany({}), seeds(db).deleteMany({})]);
  onTestFinished(async () => {
    await giveBackDatabase(client, name);
    await client.close();
  });
  return db;
}

const old = (rule_pattern: string, version: number): RuleRow => ({
  _id: `default word ${rule_pattern}`,
  rule_type: 'word',
  rule_name: 'Racist slur',
  rule_pattern,
  severity: 'critical',
  action: 'block',
  is_active: true,
  updated_at: new Date('2026-01-01'),
  version,
});

test('an installation gets the later version of default rules that no admin has changed or deleted', async () => {
  const db = await newDatabase();
  const rules = moderationRules(db);
  await seeds(db).insertOne({ _id: 'moderation-1', at: new Date('2026-01-01') });
  // 'tranny' was deleted by an admin, 'kys' changed; 'own' is an admin's.
  await rules.insertMany([
    old('gook', 0),
    old('kys', 1),
    old('faggot*', 0),
    { ...old('own', 0), _id: 'own' },
  ]);
  for (const _ of [1, 2]) await seedRules(db, log);
  const severities = async (...patterns: string[]) =>
    Promise.all(
      patterns.map(async (rule_pattern) => (await rules.findOne({ rule_pattern }))?.severity),
    );
  expect(await severities('gook', 'kys', 'own')).toEqual(['high', 'critical', 'critical']);
  expect(await severities('faggot', 'go kys', 'fagott*')).toEqual(['high', 'critical', 'low']);
  expect(await severities('faggot*', 'tranny', 'shemale*')).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('a new installation gets all default rules once, and deleted ones stay deleted', async () => {
  const db = await newDatabase();
  await seedRules(db, log);
  const count = await moderationRules(db).countDocuments();
  expect(count).toBeGreaterThan(100);
  await moderationRules(db).deleteOne({ rule_pattern: 'fagott*' });
  await seedRules(db, log);
  expect(await moderationRules(db).countDocuments()).toBe(count - 1);
});
