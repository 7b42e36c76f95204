import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listAlerts } from '#shared/alerts/contract.ts';
import { createBlock, deleteBlock, listBlocks } from '#shared/blocks/contract.ts';
import { listConversations, listMessages, markRead, sendMessage } from '#shared/chat/contract.ts';
import { listFriends, listFriendRequests } from '#shared/friends/contract.ts';
import { listWarnings } from '#shared/moderation/contract.ts';
import {
  answerPlannedWalk,
  createPlannedWalk,
  listPlannedWalks,
} from '#shared/planned-walks/contract.ts';
import { getFullProfile, getProfile, getUserProfile } from '#shared/profile/contract.ts';
import { dropLocation, reportLocation } from '#shared/proximity/contract.ts';
import { me } from '#shared/session/contract.ts';
import { HOUR_MS } from '#shared/time.ts';
import { listRecentEncounters } from '#shared/walks/contract.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { listen } from '../events/listen.ts';
import { makeDog, makeProfile } from '../factories.ts';
import { befriend } from '../friends/befriend.ts';
import { BULK, insertBulkRows, placeOf } from './bulk-rows.ts';
import { explainAll, monitoredUri, recordQueries, type QueryPlan } from './recorded-queries.ts';

/** Small or capped collections that are read as a whole. */
const READ_AS_A_WHOLE = ['signals'];
/** A query may read a few more rows than it returns. */
const MORE_ROWS = 30;

const recorder = recordQueries();
let api: TestApi;
let owner: TestPerson;
let friend: TestPerson;
beforeAll(async () => {
  api = await startTestApi(monitoredUri(inject('mongodbUri')));
  await insertBulkRows(api.db);
  owner = await api.as('owner@example.com');
  friend = await api.as('friend@example.com');
  for (const person of [owner, friend]) {
    await makeProfile(person);
    await makeDog(person);
  }
  await befriend(owner, friend);
});
afterAll(async () => {
  recorder.stop();
  await api.close();
});

const isWasteful = ({ collection, isScan, examined, returned }: QueryPlan): boolean =>
  !READ_AS_A_WHOLE.includes(collection) && (isScan || examined > MORE_ROWS + 2 * returned);

/** Explains the recorded queries. @returns the collections, and a line for each wasteful query */
async function explainRecorded() {
  const client = await MongoClient.connect(inject('mongodbUri'));
  try {
    const plans = await explainAll(client.db(api.db.databaseName), recorder.take());
    const wasteful = plans
      .filter(isWasteful)
      .map(
        ({ isScan, examined, returned, command }) =>
          `${isScan ? 'scan, ' : ''}${examined} read for ${returned}: ${JSON.stringify(command).slice(0, 500)}`,
      );
    return { collections: new Set(plans.map(({ collection }) => collection)), wasteful };
  } finally {
    await client.close();
  }
}

test('recognizes a collection scan and a query that reads too much', async () => {
  recorder.take();
  await api.db.collection('users').find({ given_name: 'No one' }).toArray();
  await api.db
    .collection('sessions')
    .find({ expires_at: { $gt: new Date() }, device: 'x' })
    .toArray();
  await api.db.collection('users').updateMany({ given_name: 'No one' }, { $set: { name: '' } });
  await api.db.collection('users').deleteMany({ given_name: 'No one' });
  const { wasteful } = await explainRecorded();
  expect(wasteful).toHaveLength(4);
  expect(wasteful[0]).toMatch(/^scan, 200\d read for 0: \{"find":"users"/);
  expect(wasteful[1]).toMatch(/^200\d read for 0: \{"find":"sessions"/);
});

test('the most frequent calls read little more than what they return', async () => {
  recorder.take();
  // A new session is in no cache.
  await (await api.as('owner@example.com')).call(me);
  const place = placeOf(5);
  await owner.call(reportLocation, { body: place });
  const stream = await listen(api.origin, owner);
  await friend.call(reportLocation, { body: place });
  await stream.next('encounter');
  const resumeAfter = `${(Date.now() - 60_000).toString(36)}-x`;
  stream.close();
  (await listen(api.origin, owner, stream.lastId() ?? resumeAfter)).close();
  await owner.call(dropLocation, { query: {} });

  const body = { receiver_user_id: friend.user.id, message_text: 'Hello' };
  const { message } = await owner.call(sendMessage, { body });
  await friend.call(listConversations);
  await friend.call(listMessages, { params: { friendUserId: owner.user.id } });
  await friend.call(markRead, { body: { message_ids: [message.id] } });

  await owner.call(getProfile);
  await owner.call(getFullProfile);
  await owner.call(getUserProfile, { params: { id: friend.user.id } });
  await owner.call(listFriends);
  await owner.call(listFriendRequests);
  await owner.call(listBlocks);
  await owner.call(listWarnings);
  const plan = { id: randomUUID(), starts_at: new Date(Date.now() + HOUR_MS).toISOString() };
  await owner.call(createPlannedWalk, {
    body: { ...plan, place_name: 'Green', participant_ids: [friend.user.id] },
  });
  await friend.call(listPlannedWalks);
  await friend.call(answerPlannedWalk, {
    params: { id: plan.id },
    body: { answer: 'yes', starts_at: plan.starts_at },
  });
  await owner.call(listRecentEncounters);
  await owner.call(listAlerts, {
    query: { latitude: String(place.latitude), longitude: String(place.longitude) },
  });
  await owner.call(createBlock, { body: { blocked_user_id: friend.user.id } });
  await owner.call(deleteBlock, { params: { blockedUserId: friend.user.id } });
  const { collections, wasteful } = await explainRecorded();
  for (const name of [
    'sessions',
    'users',
    'positions',
    'proximity_events',
    'messages',
    'threads',
    'pairs',
    'cards',
    'planned_walks',
  ])
    expect(collections).toContain(name);
  expect(wasteful).toEqual([]);
});

test('the start and the background jobs read only what is due', async () => {
  recorder.take();
  await api.restartApi();
  await wait(3_000);
  const { collections, wasteful } = await explainRecorded();
  for (const name of [
    'nodes',
    'outbox',
    'images.files',
    'user_warnings',
    'acquaintances',
    'moderation_log',
    'positions',
    'push_queue',
    'push_subscriptions',
  ])
    expect(collections).toContain(name);
  expect(wasteful).toEqual([]);
  expect(await api.db.collection('images.files').countDocuments()).toBe(BULK);
});
