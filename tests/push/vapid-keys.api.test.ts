import { MongoClient, type Db } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { pushKeys } from '../../api/platform/push/collections.ts';
import { readVapidKeys } from '../../api/platform/push/vapid-keys.ts';
import { giveBackDatabase, takeDatabase } from '../databases.ts';

let client: MongoClient;
let db: Db;
beforeAll(async () => {
  client = await MongoClient.connect(inject('mongodbUri'));
  db = client.db(takeDatabase());
});
beforeEach(() => pushKeys(db).deleteMany({}));
afterAll(async () => {
  await giveBackDatabase(client, db.databaseName);
  await client.close();
});

const vapid = { subject: 'mailto:a@example.com', publicKey: undefined, privateKey: undefined };
const env = { SYNC_SECRET: 'the first secret', SYNC_SECRET_PREVIOUS: undefined, vapid };

test('all nodes create one pair of push keys, whose private half is stored encrypted', async () => {
  const pairs = await Promise.all([1, 2, 3, 4].map(() => readVapidKeys(db, env)));
  expect(new Set(pairs.map((pair) => JSON.stringify(pair))).size).toBe(1);
  const [pair] = pairs;
  const row = await pushKeys(db).findOne();
  expect(row?.public_key).toBe(pair?.publicKey);
  expect(JSON.stringify(row)).not.toContain(pair?.privateKey);
});

test('push keys survive a rotation of the secret, and are replaced if the old secret is unknown', async () => {
  const first = await readVapidKeys(db, env);
  const rotating = { ...env, SYNC_SECRET: 'the second', SYNC_SECRET_PREVIOUS: env.SYNC_SECRET };
  expect(await readVapidKeys(db, rotating)).toEqual(first);
  const rotated = { ...rotating, SYNC_SECRET_PREVIOUS: undefined };
  expect(await readVapidKeys(db, rotated)).toEqual(first);
  const lost = { ...env, SYNC_SECRET: 'the third' };
  const [one, other] = await Promise.all([readVapidKeys(db, lost), readVapidKeys(db, lost)]);
  expect(one).toEqual(other);
  expect(one.publicKey).not.toBe(first.publicKey);
});

test('push keys from the environment replace the stored ones', async () => {
  const own = { publicKey: 'public', privateKey: 'private' };
  expect(await readVapidKeys(db, { ...env, vapid: { ...vapid, ...own } })).toEqual(own);
  expect(await pushKeys(db).countDocuments()).toBe(0);
});
